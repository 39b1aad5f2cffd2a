"""TCP over a serial line, as PPP would carry it: each IP packet in an HDLC frame with a 16-bit checksum.

As this kernel has no PPP device, each end has a tun device in a separate network namespace, and this program
connects it to the line. It needs permission to create both.

unshare --net python -m bench.serial.tcp_over_hdlc send TTY FILE    # one event per line of the file
unshare --net python -m bench.serial.tcp_over_hdlc take TTY FILE

After a broken connection the sender continues with the bytes that the previous connection hadn't accepted, as
any program that trusts TCP does.
"""

import contextlib
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import tty
from pathlib import Path

_MTU = 576
_PORT = 7_400
_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_ADDRESSES = {"send": "10.77.0.1", "take": "10.77.0.2"}
_RETRY_S = 0.5


def fcs16(data: bytes) -> int:
    """Return the checksum of PPP's frames (RFC 1662), using a table."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc >> 8) ^ _FCS[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFF


def _fcs_of(byte: int) -> int:
    for _ in range(8):
        byte = (byte >> 1) ^ 0x8408 if byte & 1 else byte >> 1
    return byte


_FCS = tuple(map(_fcs_of, range(256)))


def framed(packet: bytes) -> bytes:
    """Return a packet escaped and between flags."""
    raw = packet + fcs16(packet).to_bytes(2, "little")
    escaped = raw.replace(b"\x7d", b"\x7d\x5d").replace(b"\x7e", b"\x7d\x5e")
    return b"\x7e" + escaped + b"\x7e"


def unframed(data: bytes) -> bytes | None:
    """Return the packet between two flags, or None if it is damaged."""
    raw = data.replace(b"\x7d\x5e", b"\x7e").replace(b"\x7d\x5d", b"\x7d")
    packet, check = raw[:-2], raw[-2:]
    return packet if packet and fcs16(packet).to_bytes(2, "little") == check else None


def own_device(role: str) -> int:
    """Create a tun device with an address in this process's network namespace."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH", b"line", _IFF_TUN | _IFF_NO_PI))
    there = next(address for name, address in _ADDRESSES.items() if name != role)
    for words in (
        f"ip addr add {_ADDRESSES[role]} peer {there} dev line",
        f"ip link set line mtu {_MTU} txqueuelen 8 up",
    ):
        subprocess.run(words.split(), check=True)
    return tun


def carry(tun: int, device: str) -> None:
    """Carry packets between tun and line for ever, reopening the line after the cable was unplugged."""
    while True:
        with contextlib.suppress(OSError, termios.error):
            line = os.open(device, os.O_RDWR | os.O_NOCTTY)
            try:
                tty.setraw(line)
                carry_on(tun, line)
            finally:
                os.close(line)
        time.sleep(0.1)


def carry_on(tun: int, line: int) -> None:
    """Carry packets between tun and line. Raises OSError when the line is gone."""
    held = b""
    while True:
        for ready in select.select([tun, line], [], [])[0]:
            if ready == tun:
                os.write(line, framed(os.read(tun, 2048)))
                continue
            data = os.read(line, 4096)
            if not data:
                raise OSError
            *pieces, held = (held + data).split(b"\x7e")
            for packet in filter(None, map(unframed, pieces)):
                # The kernel may reject a damaged packet that the checksum didn't detect.
                with contextlib.suppress(OSError):
                    os.write(tun, packet)


def send(file: Path) -> None:
    """Send all lines, over as many TCP connections as needed."""
    left = file.read_bytes()
    while left:
        try:
            with socket.create_connection((_ADDRESSES["take"], _PORT), timeout=_RETRY_S * 10) as there:
                there.settimeout(None)
                while left:
                    left = left[there.send(left[:1024]) :]
                there.shutdown(socket.SHUT_WR)
                while there.recv(1024):
                    pass
        except OSError:
            time.sleep(_RETRY_S)


def take(file: Path) -> None:
    """Write received bytes to the disk until a connection was closed properly."""
    with socket.create_server((_ADDRESSES["take"], _PORT)) as listener, file.open("ab", buffering=0) as out:
        while True:
            connection, _ = listener.accept()
            with connection:
                try:
                    while data := connection.recv(65_536):
                        out.write(data)
                        os.fsync(out.fileno())
                except OSError:
                    continue
                return


if __name__ == "__main__":
    role, tty_name, name = sys.argv[1:]
    own = own_device(role)
    threading.Thread(target=carry, args=(own, tty_name), daemon=True).start()
    {"send": send, "take": take}[role](Path(name))
    if role == "take":
        # The last segment is still on the line.
        time.sleep(_RETRY_S)
