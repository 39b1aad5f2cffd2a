"""The card's file of a station, ``saloon-station.toml``: everything may be left out, the file too. Pure.

What may stand in it::

[hall]
name = "Sala Rossa"
language = "it"
time_zone = "Europe/Rome"

[judge]
name = "ada"
password = "…"

[network]
cable = "auto"
address = "10.73.0.1/24"

[wifi]
access_point = true
name = "Saloon"
password = "…"
country = "IT"
channel = 6
wpa3 = false

[copies]
every_min = 10

[cables]
serial = ["/dev/ttyUSB0"]
bus = []

[service]
ssh_key = "ssh-ed25519 AAAA… name"
"""

import codecs
import enum
import ipaddress
import re
from typing import Final

import msgspec

from saloon.station.judges import LONGEST_NAME, SHORTEST_PASSWORD
from saloon.sync.provisioning import LONGEST_FILE
from saloon.sync.provisioning_faults import Fault, WrongFile
from saloon.sync.provisioning_keys import (
    SWITCH,
    Key,
    Keys,
    is_country,
    is_public_key,
    is_wifi_name,
    is_wifi_password,
    one_of,
    said_in,
    whole,
)
from saloon.sync.shown_lines import Place, place_of

CARD_FILE: Final = "saloon-station.toml"
LANGUAGES: Final = ("en", "it")
CHANNELS: Final = (*range(1, 12), 36, 40, 44, 48)
_WIDE: Final = 36
"""From this channel on the radio asks whose rules it must keep."""
_ZONE: Final = re.compile("|[A-Z][A-Za-z]+(/[A-Z][A-Za-z_+-]+){0,2}")
_DEVICE: Final = re.compile("/dev/[0-9A-Za-z/._-]{1,80}")
_MOST_DEVICES: Final = 16
_LONGEST_HALL: Final = 60
_LARGEST: Final = 8
_SMALLEST: Final = 30
"""Of a network: so many bits are the same in all its addresses."""


class Cable(enum.Enum):
    """What the station is in the network of its cable."""

    AUTO = "auto"
    """A guest where somebody gives addresses; where nobody does, the one who gives them."""
    CLIENT = "client"
    OWN = "own"
    """The one who gives addresses, always: for a bare switch."""


class HallPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """name: on the own screen. language: of it. time_zone: empty for UTC."""

    name: str = ""
    language: str = "en"
    time_zone: str = ""


class JudgePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first account, or a new password for one."""

    name: str
    password: str


class NetworkPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """address: of the station where it gives addresses, with the length of the network."""

    cable: Cable = Cable.AUTO
    address: str = "10.73.0.1/24"


class WifiPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The own access point. name, password: made up by the station where they are empty.

    country: whose rules the radio keeps; without one only what is allowed everywhere. wpa3: for phones that
    have it, beside WPA2; not every radio can.
    """

    access_point: bool = True
    name: str = ""
    password: str = ""
    country: str = ""
    channel: int = 6
    wpa3: bool = False


class CopiesPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """every_min: minutes between two copies on a stick."""

    every_min: int = 10


class CablesPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Devices: of cables to one terminal each, and of pairs of wires that terminals share."""

    serial: tuple[str, ...] = ()
    bus: tuple[str, ...] = ()


class ServicePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ssh_key: one line of an OpenSSH public key; empty for nobody."""

    ssh_key: str = ""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    hall: HallPart = HallPart()
    judge: JudgePart | None = None
    network: NetworkPart = NetworkPart()
    wifi: WifiPart = WifiPart()
    copies: CopiesPart = CopiesPart()
    cables: CablesPart = CablesPart()
    service: ServicePart = ServicePart()


def card_from(content: bytes, where: str = CARD_FILE) -> Card:
    """What a file says. Raises WrongFile naming line and key."""
    if len(content) > LONGEST_FILE:
        raise WrongFile(where, Place(), Fault.TOO_LONG)
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise WrongFile(where, Place(), Fault.NO_TEXT) from error
    card = msgspec.convert(said_in(text, where, KEYS), Card)
    if card.wifi.channel >= _WIDE and not card.wifi.country:
        place = place_of(text, "wifi", "channel")
        raise WrongFile(where, place, Fault.CHANNEL, section="wifi", key="channel")
    return card


def _is_line(longest: int) -> "re.Pattern[str]":
    return re.compile(f"[^\\x00-\\x1f\\x7f]{{1,{longest}}}")


def _matches(pattern: "re.Pattern[str]", fault: Fault, *, is_needed: bool = False) -> Key:
    return Key(
        lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None,
        fault,
        is_needed=is_needed,
    )


def _is_network(value: object) -> bool:
    try:
        found = ipaddress.IPv4Interface(value) if isinstance(value, str) and "/" in value else None
    except ValueError:
        return False
    if found is None or not found.is_private or found.is_loopback or found.is_link_local:
        return False
    edges = {found.network.network_address, found.network.broadcast_address}
    return _LARGEST <= found.network.prefixlen <= _SMALLEST and found.ip not in edges


def _are_devices(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_DEVICES
        and all(isinstance(one, str) and _DEVICE.fullmatch(one) and ".." not in one for one in value)
    )


_DEVICES: Final = Key(_are_devices, Fault.DEVICES)
KEYS: Final[Keys] = {
    "hall": {
        "name": _matches(_is_line(_LONGEST_HALL), Fault.TEXT),
        "language": one_of(*LANGUAGES),
        "time_zone": _matches(_ZONE, Fault.ZONE),
    },
    "judge": {
        "name": _matches(_is_line(LONGEST_NAME), Fault.TEXT, is_needed=True),
        "password": _matches(re.compile(f".{{{SHORTEST_PASSWORD},200}}"), Fault.PASSWORD, is_needed=True),
    },
    "network": {
        "cable": one_of(*(kind.value for kind in Cable)),
        "address": Key(_is_network, Fault.NETWORK),
    },
    "wifi": {
        "access_point": SWITCH,
        "name": Key(is_wifi_name, Fault.WIFI_NAME),
        "password": Key(is_wifi_password, Fault.WIFI_PASSWORD),
        "country": Key(is_country, Fault.COUNTRY),
        "channel": Key(lambda value: type(value) is int and value in CHANNELS, Fault.CHANNEL),
        "wpa3": SWITCH,
    },
    "copies": {"every_min": whole(1, 240)},
    "cables": {"serial": _DEVICES, "bus": _DEVICES},
    "service": {"ssh_key": Key(is_public_key, Fault.PUBLIC_KEY)},
}
"""Everything that a file may say."""
