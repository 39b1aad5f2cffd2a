"""The provisioning file: how a new terminal learns where its station is and how to be believed.

Written by the station, one for each terminal, in TOML::

    [station]
    addresses = ["192.168.1.10:7373"]
    certificate = '''…PEM…'''

    [terminal]
    table = 12
    token = "one-time"
    serial = "/dev/ttyUSB0"
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Final

import msgspec

from saloon.core.errors import BadData, Unavailable
from saloon.core.terms import TableNo
from saloon.sync.trust import der_of, fingerprint_of_pem, pem_of

STATION_PORT: Final = 7373
"""Where a station listens for terminals unless it was told otherwise."""
_HOST = re.compile(r"[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?\]")
_PORT = re.compile("[1-9][0-9]{0,4}")


class StationPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the station is: addresses as ``host:port``, tried in order; its certificate in PEM."""

    certificate: str
    addresses: tuple[str, ...] = ()


class TerminalPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which terminal this is. token: one-time word for enrolment. serial: device of the cable.

    bus: the cable is a pair of wires that other terminals share. rts: its transceiver is switched by RTS.
    taken_from: SHA-256 of the file that a terminal took this over from, so that it does so once.
    panel: name of the panel of buttons and lamps, or its file; empty for the usual one.
    """

    token: str = ""
    table: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    serial: str = ""
    bus: bool = False
    rts: bool = False
    taken_from: str = ""
    panel: str = ""


class Provisioning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole provisioning file."""

    station: StationPart
    terminal: TerminalPart = TerminalPart()


def read_provisioning(path: Path) -> Provisioning:
    """The file's content.

    Raises Unavailable when it cannot be read, BadData naming the line or key when it is wrong.
    """
    try:
        return provisioning_of(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise BadData(str(path), "this is no UTF-8 text") from error
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from error


def provisioning_of(text: str, where: str) -> Provisioning:
    """The content of a provisioning file's text. Raises BadData naming ``where`` and the line or key."""
    try:
        found = msgspec.convert(tomllib.loads(text), Provisioning)
    except tomllib.TOMLDecodeError as error:
        raise BadData(where, f"not TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise BadData(where, f"{error}; download a new file from the station's page") from error
    for address in found.station.addresses:
        _ = host_and_port(address, f"{where}: [station] addresses")
    _ = fingerprint_of_pem(found.station.certificate, f"{where}: [station] certificate")
    station = msgspec.structs.replace(found.station, certificate=pem_of(der_of(found.station.certificate)))
    return msgspec.structs.replace(found, station=station)


def provisioning_text(station: StationPart, table: TableNo | None, token: str, serial: str = "") -> str:
    """The text of a provisioning file."""
    return text_of(Provisioning(station, TerminalPart(token, table, serial)))


def text_of(provisioning: Provisioning) -> str:
    """The same of one that may have been taken over."""
    station, terminal = provisioning.station, provisioning.terminal
    fields = {"serial": terminal.serial, "taken_from": terminal.taken_from, "panel": terminal.panel}
    switches = {"bus": terminal.bus, "rts": terminal.rts}
    lines = [
        "# Saloon: what a terminal needs to find its station and be believed. Valid once; keep it secret.",
        "[station]",
        f"addresses = [{', '.join(map(_quoted, station.addresses))}]",
        f"certificate = '''\n{station.certificate.strip()}\n'''",
        "",
        "[terminal]",
        *([f"table = {terminal.table}"] if terminal.table is not None else []),
        f"token = {_quoted(terminal.token)}",
        *(f"{name} = {_quoted(value)}" for name, value in fields.items() if value),
        *(f"{name} = true" for name, is_on in switches.items() if is_on),
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A string of TOML; that of JSON is one, but for a character that TOML wants escaped."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")


def host_and_port(address: str, where: str) -> tuple[str, int]:
    """An address taken apart. Raises BadData naming ``where``."""
    host, _, port = address.rpartition(":")
    if not (_HOST.fullmatch(host) and _PORT.fullmatch(port) and int(port) < 65536):  # noqa: PLR2004 (ports of TCP)
        raise BadData(where, f"{address!r} is no address; write it as host:port")
    return host.strip("[]"), int(port)


def completed_address(typed: str) -> str:
    """An address as people type it, with the usual port where they left it out."""
    return typed if ":" in typed else f"{typed}:{STATION_PORT}"
