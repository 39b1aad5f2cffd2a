"""The provisioning file, by which a new terminal finds its station and enrols with it.

The station writes one for each terminal, in TOML. Everything but the certificate is optional::

    [station]
    addresses = ["192.168.1.10:7373"]
    certificate = '''…PEM…'''

    [terminal]
    table = 12
    token = "one-time"
    serial = "/dev/ttyUSB0"
    panel = "pi-4-rs485"
    language = "it"
    rotation = 90
    inches = 10.1

    [wifi]
    name = "Hall"
    password = "…"
    country = "IT"
    hidden = false

    [service]
    ssh_key = "ssh-ed25519 AAAA… name"
"""

import codecs
from pathlib import Path
from typing import Annotated, Final

import msgspec

from base.errors import Unavailable
from core.terms import TableNo
from sync.enrolment.provisioning_keys import LAST_TABLE, Fault, FileLine, WrongFile, parse_provisioning_toml
from sync.tls.certificates import der_of, pem_of

LONGEST_FILE: Final = 16_384
"""The most bytes of a file; a station's file has about 1,500."""
_MOST_LINES: Final = 400


class StationPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The station: its certificate in PEM, and its addresses as ``host:port`` in the order of trying."""

    certificate: str
    addresses: tuple[str, ...] = ()


class TerminalPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terminal's identity and settings. A setting that is None or empty leaves the default unchanged.

    token: enrols the terminal once.
    serial: the cable's device.
    bus: the cable is a pair of wires shared with other terminals.
    rts: the cable's transceiver is switched by RTS.
    taken_from: SHA-256 of the file that these settings were imported from, which is imported only once.
    panel: name of the panel of buttons and lamps, or the path of a file that describes one.
    rotation: of the picture, clockwise, in degrees.
    inches: the screen's diagonal.
    """

    token: str = ""
    table: Annotated[int, msgspec.Meta(ge=1, le=LAST_TABLE)] | None = None
    serial: str = ""
    bus: bool = False
    rts: bool = False
    taken_from: str = ""
    panel: str = ""
    language: str = ""
    rotation: int | None = None
    inches: float | None = None


class WifiPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Wi-Fi network. An open one has no password; a ``hidden`` one does not broadcast its name.

    ``country`` is the one whose radio regulations apply.
    """

    name: str
    password: str = ""
    country: str = ""
    hidden: bool = False


class ServicePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Access for maintenance by one line of an OpenSSH public key; if it is empty, there is no access."""

    ssh_key: str = ""


class Provisioning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole provisioning file. ``wifi`` and ``service`` are settings of the operating system."""

    station: StationPart
    terminal: TerminalPart = TerminalPart()
    wifi: WifiPart | None = None
    service: ServicePart = ServicePart()

    def without_system(self) -> "Provisioning":
        """Return the parts that the terminal program needs, which exclude Wi-Fi password and SSH key."""
        return Provisioning(self.station, self.terminal)


def read_provisioning(path: Path) -> Provisioning:
    """Read a provisioning file. Raises Unavailable if it can't be read, WrongFile if it is invalid."""
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from error
    return provisioning_from(content, str(path))


def provisioning_from(content: bytes, where: str) -> Provisioning:
    """Parse a provisioning file, possibly with a byte order mark from an editor. Raises WrongFile."""
    if len(content) > LONGEST_FILE:
        raise WrongFile(where, FileLine(), Fault.TOO_LONG)
    try:
        return provisioning_of(content.removeprefix(codecs.BOM_UTF8).decode(), where)
    except UnicodeDecodeError as error:
        raise WrongFile(where, FileLine(), Fault.NO_TEXT) from error


def provisioning_of(text: str, where: str) -> Provisioning:
    """Parse the text of a provisioning file. Raises WrongFile naming ``where``, the line and the key."""
    if len(text) > LONGEST_FILE or text.count("\n") > _MOST_LINES:
        raise WrongFile(where, FileLine(), Fault.TOO_LONG)
    provisioning = msgspec.convert(parse_provisioning_toml(text, where), Provisioning)
    station = msgspec.structs.replace(
        provisioning.station, certificate=pem_of(der_of(provisioning.station.certificate))
    )
    return msgspec.structs.replace(provisioning, station=station)


def provisioning_text(station: StationPart, table: TableNo | None, token: str, serial: str = "") -> str:
    return text_of(Provisioning(station, TerminalPart(token, table, serial)))


def text_of(provisioning: Provisioning) -> str:
    """Return the text of a provisioning file, omitting default values."""
    station, terminal, wifi = provisioning.station, provisioning.terminal, provisioning.wifi
    lines = [
        "# Saloon: what a terminal needs to find its station and be believed. Valid once; keep it secret.",
        "[station]",
        f"addresses = [{', '.join(map(_toml_string, station.addresses))}]",
        f"certificate = '''\n{station.certificate.strip()}\n'''",
        "",
        "[terminal]",
        *_set("table", terminal.table),
        f"token = {_toml_string(terminal.token)}",
    ]
    for key in ("serial", "taken_from", "panel", "language", "rotation", "inches", "bus", "rts"):
        lines += _set(key, getattr(terminal, key))
    if wifi is not None:
        lines += ["", "[wifi]", f"name = {_toml_string(wifi.name)}"]
        for key in ("password", "country", "hidden"):
            lines += _set(key, getattr(wifi, key))
    if provisioning.service.ssh_key:
        lines += ["", "[service]", *_set("ssh_key", provisioning.service.ssh_key)]
    return "\n".join(lines) + "\n"


def _set(key: str, value: object) -> tuple[str, ...]:
    """Return the line that sets a key, or no line for an empty value."""
    if value is None or value is False or value == "":
        return ()
    if value is True:
        return (f"{key} = true",)
    return (f"{key} = {_toml_string(value) if isinstance(value, str) else value}",)


def _toml_string(text: str) -> str:
    """Quote a TOML string. JSON strings are valid TOML except for one character."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
