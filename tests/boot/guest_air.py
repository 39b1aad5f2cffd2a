"""Moves a radio into a network namespace, for the guest's own Python: nothing of Saloon is imported here.

Arguments: the radio's number (of ``phyN``), the file of the namespace. Debian's program for this, iw, is not
in the image; this is the one order that is needed of it (linux/nl80211.h, NL80211_CMD_SET_WIPHY_NETNS).
"""

import os
import socket
import struct
import sys

GENERIC, REQUEST, ACKNOWLEDGE, ERROR = 16, 1, 4, 2
CONTROL, GET_FAMILY, FAMILY_ID, FAMILY_NAME = 16, 3, 1, 2
SET_WIPHY_NETNS, WIPHY, NETNS_FD = 49, 1, 219
_HEADER, _COMMAND, _ATTRIBUTE = "=IHHII", "=BBH", "=HH"


def attribute(kind: int, value: bytes) -> bytes:
    whole = struct.pack(_ATTRIBUTE, 4 + len(value), kind) + value
    return whole + b"\0" * (-len(whole) % 4)


def query(kernel: socket.socket, family: int, command: int, *attributes: bytes) -> bytes:
    """Return the kernel's answer to a command, without the headers. Raises OSError."""
    body = struct.pack(_COMMAND, command, 1, 0) + b"".join(attributes)
    size = struct.calcsize(_HEADER) + len(body)
    kernel.send(struct.pack(_HEADER, size, family, REQUEST | ACKNOWLEDGE, 1, 0) + body)
    answer = b""
    while True:
        data = kernel.recv(65536)
        while data:
            length, kind = struct.unpack_from("=IH", data)
            message, data = data[16:length], data[(length + 3) & ~3 :]
            if kind == ERROR:
                (number,) = struct.unpack_from("=i", message)
                if number:
                    raise OSError(-number, os.strerror(-number))
                return answer
            answer = message[4:]


def attributes_of(data: bytes) -> dict[int, bytes]:
    attributes = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from(_ATTRIBUTE, data)
        attributes[kind] = data[4:length]
        data = data[(length + 3) & ~3 :]
    return attributes


radio, namespace = sys.argv[1:]
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, GENERIC) as kernel, open(namespace, "rb") as place:  # noqa: PTH123
    family_info = attributes_of(query(kernel, CONTROL, GET_FAMILY, attribute(FAMILY_NAME, b"nl80211\0")))
    (family,) = struct.unpack("=H", family_info[FAMILY_ID])
    wanted = (struct.pack("=I", int(radio)), struct.pack("=I", place.fileno()))
    query(kernel, family, SET_WIPHY_NETNS, attribute(WIPHY, wanted[0]), attribute(NETNS_FD, wanted[1]))
