"""The card's file of a station, ``saloon-station.toml``: the file and everything in it are optional.

All possible keys::

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

from base.languages import LANGUAGES
from station.accounts.judges import LONGEST_NAME, SHORTEST_PASSWORD
from sync.enrolment.provisioning import LONGEST_FILE
from sync.enrolment.provisioning_keys import (
    SWITCH,
    Fault,
    FileLine,
    Keys,
    SettingRule,
    WrongFile,
    is_country,
    is_public_key,
    is_wifi_name,
    is_wifi_password,
    one_of,
    parse_provisioning_toml,
    place_of,
    whole,
)

CARD_FILE: Final = "saloon-station.toml"
CHANNELS: Final = (*range(1, 12), 36, 40, 44, 48)
_WIDE: Final = 36
"""The first channel that needs a country."""
_ZONE: Final = re.compile("|[A-Z][A-Za-z]+(/[A-Z][A-Za-z_+-]+){0,2}")
_DEVICE: Final = re.compile("/dev/[0-9A-Za-z/._-]{1,80}")
_MOST_DEVICES: Final = 16
_LONGEST_HALL: Final = 60
_LARGEST: Final = 8
_SMALLEST: Final = 30
"""The longest prefix length of the cable's network."""


class Cable(enum.Enum):
    """The station's role on its cable's network."""

    AUTO = "auto"
    """A DHCP client if there is a server, else a server."""
    CLIENT = "client"
    OWN = "own"
    """A DHCP server at all times, for a bare switch."""


class HallPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[hall]`` section. ``language`` is the screen's, and an empty ``time_zone`` is UTC."""

    name: str = ""
    language: str = "en"
    time_zone: str = ""


class JudgePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[judge]`` section: the first account, or a new password for an existing one."""

    name: str
    password: str


class NetworkPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[network]`` section. ``address`` is the station's as DHCP server, with the prefix length."""

    cable: Cable = Cable.AUTO
    address: str = "10.73.0.1/24"


class CardWifi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[wifi]`` section: the station's access point.

    name, password: generated if empty.
    country: decides the radio's channels and power; without one, only those allowed everywhere are used.
    wpa3: offered in addition to WPA2; not every radio supports it.
    """

    access_point: bool = True
    name: str = ""
    password: str = ""
    country: str = ""
    channel: int = 6
    wpa3: bool = False


class CopiesPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[copies]`` section. ``every_min`` is the number of minutes between two copies on a stick."""

    every_min: int = 10


class CablesPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[cables]`` section: cables to one terminal each, and shared RS-485 buses."""

    serial: tuple[str, ...] = ()
    bus: tuple[str, ...] = ()


class CardService(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ``[service]`` section. ``ssh_key`` is one line of an OpenSSH public key, or empty for no access."""

    ssh_key: str = ""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings in a card's file."""

    hall: HallPart = HallPart()
    judge: JudgePart | None = None
    network: NetworkPart = NetworkPart()
    wifi: CardWifi = CardWifi()
    copies: CopiesPart = CopiesPart()
    cables: CablesPart = CablesPart()
    service: CardService = CardService()


def card_from(content: bytes, where: str = CARD_FILE) -> Card:
    """Parse the content of a card file. Raises WrongFile with line and key."""
    if len(content) > LONGEST_FILE:
        raise WrongFile(where, FileLine(), Fault.TOO_LONG)
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise WrongFile(where, FileLine(), Fault.NO_TEXT) from error
    card = msgspec.convert(parse_provisioning_toml(text, where, KEYS), Card)
    if card.wifi.channel >= _WIDE and not card.wifi.country:
        place = place_of(text, "wifi", "channel")
        raise WrongFile(where, place, Fault.CHANNEL, section="wifi", key="channel")
    return card


def _is_line(longest: int) -> "re.Pattern[str]":
    return re.compile(f"[^\\x00-\\x1f\\x7f]{{1,{longest}}}")


def _matches(pattern: "re.Pattern[str]", fault: Fault, *, is_needed: bool = False) -> SettingRule:
    return SettingRule(
        lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None,
        fault,
        is_needed=is_needed,
    )


def _is_network(value: object) -> bool:
    try:
        interface = ipaddress.IPv4Interface(value) if isinstance(value, str) and "/" in value else None
    except ValueError:
        return False
    if interface is None or not interface.is_private or interface.is_loopback or interface.is_link_local:
        return False
    edges = {interface.network.network_address, interface.network.broadcast_address}
    return _LARGEST <= interface.network.prefixlen <= _SMALLEST and interface.ip not in edges


def _are_devices(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_DEVICES
        and all(isinstance(one, str) and _DEVICE.fullmatch(one) and ".." not in one for one in value)
    )


_DEVICES: Final = SettingRule(_are_devices, Fault.DEVICES)
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
        "address": SettingRule(_is_network, Fault.NETWORK),
    },
    "wifi": {
        "access_point": SWITCH,
        "name": SettingRule(is_wifi_name, Fault.WIFI_NAME),
        "password": SettingRule(is_wifi_password, Fault.WIFI_PASSWORD),
        "country": SettingRule(is_country, Fault.COUNTRY),
        "channel": SettingRule(lambda value: type(value) is int and value in CHANNELS, Fault.CHANNEL),
        "wpa3": SWITCH,
    },
    "copies": {"every_min": whole(1, 240)},
    "cables": {"serial": _DEVICES, "bus": _DEVICES},
    "service": {"ssh_key": SettingRule(is_public_key, Fault.PUBLIC_KEY)},
}
"""All keys that a file may contain, with their checks."""
