"""The values allowed for each key of a provisioning file, and the faults of other values.

A fault names the line, the key, and the values allowed there. It is shown at the terminal, or on any computer
that has the card in it, so secrets in quoted lines are hidden.
"""

import enum
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from base.errors import BadData
from base.languages import LANGUAGES
from base.toml_lines import line_of
from sync.ports.addresses import is_address
from sync.tls.certificates import der_of

_AT_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")
SHOWN_KEYS: Final = frozenset({
    "certificate", "addresses", "table", "serial", "language", "rotation", "inches", "panel", "bus", "rts",
    "taken_from", "name", "country", "hidden", "ssh_key", "time_zone", "cable", "address", "access_point",
    "channel", "wpa3", "every_min",
})  # fmt: skip
"""Keys whose values may be shown. Others may be secrets under a misspelt name."""
_SECRET: Final = re.compile(r"(.*\b(?:password|token)\b[\"']?\s*=?\s*)\S.*", re.IGNORECASE)
_SET: Final = re.compile(r"(\s*(?:[\w-]+\s*\.\s*)*[\"']?([\w-]+)[\"']?\s*=\s*)(\S.*)")
_HARMLESS: Final = re.compile(r"[\d.]{1,5}|true|false")
_LONGEST: Final = 60
"""The most characters shown of a line."""


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file, in which secrets are hidden. Its number is 0 if unknown."""

    number: int = 0
    text: str = ""


def place_of(text: str, *path: str) -> FileLine:
    """Return the line where a section begins or a key is set, or an empty line if the TOML text has neither.

    ``path`` is the section, or the section and the key.
    """
    number = line_of(text, *path)
    return FileLine() if number is None else _redacted_line(text, number)


def _place_of_error(text: str, error: tomllib.TOMLDecodeError) -> FileLine:
    """Return the line that isn't valid TOML, or the last one if the text ends too early."""
    match = _AT_LINE.search(str(error))
    return _redacted_line(text, int(match[1]) if match else text.rstrip().count("\n") + 1)


def _redacted_line(text: str, number: int) -> FileLine:
    lines = text.split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    visible = "".join(sign if sign.isprintable() else " " for sign in _redact(line)).strip()
    return FileLine(number, visible if len(visible) <= _LONGEST else f"{visible[:_LONGEST]}…")


def _redact(line: str) -> str:
    match = _SET.fullmatch(line)
    if match is not None and match[2] not in SHOWN_KEYS and not _HARMLESS.fullmatch(match[3].strip()):
        return f"{match[1]}•••"
    return _SECRET.sub(r"\1•••", line)


class Fault(enum.Enum):
    """A fault, or the values allowed for a key, with fields in braces; also the translation key."""

    NO_TEXT = "this isn't plain UTF-8 text"
    OTHER_NAME = "the card has {found}: rename it to {name}"
    TOO_LONG = "this is too long for a provisioning file"
    NO_TOML = "not valid TOML: is a quotation mark, bracket or equals sign missing?"
    CURLY = "this line has curly quotation marks; use straight ones"
    TWICE = "this is in the file twice; delete one of the two"
    COMMA = "write a decimal point instead of the comma"

    MISSING = "this is missing"
    NO_SECTION = "unknown section"
    NO_SECTION_BUT = "unknown section; did you mean [{meant}]?"
    NO_KEY = "unknown key"
    NO_KEY_BUT = "unknown key; did you mean {meant}?"
    ELSEWHERE = "this key belongs below the line [{home}]"
    SECTION = "write [{home}] on a line of its own, with its keys below"

    ONE_OF = "one of {choices}"
    NUMBER = "a number from {least} to {most}"
    SWITCH = "true or false"
    TEXT = "text in straight quotation marks"
    PANEL = "one of {choices}, or the path to your own file, such as /var/lib/saloon/panel.toml"
    ADDRESSES = "a list of addresses, each one host:port in straight quotation marks"
    CERTIFICATE = "the station's certificate, exactly as its page gives it"
    WIFI_NAME = "the name of the network, 1 to 32 bytes"
    WIFI_PASSWORD = "8 to 63 English letters, digits and symbols; empty for an open network"  # noqa: S105 (a sentence)
    COUNTRY = "two capital letters, such as IT"
    PUBLIC_KEY = "one line of an OpenSSH public key, such as ssh-ed25519 AAAA… name"
    PRIVATE_KEY = "this is a private key: keep it to yourself, and use the line from the file ending in .pub"

    ZONE = "a time zone, such as Europe/Rome"
    PASSWORD = "a password of at least 8 characters"  # noqa: S105 (a sentence)
    NETWORK = "a private address with its prefix length, from 8 to 30, such as 10.73.0.1/24"
    DEVICES = "a list of devices in straight quotation marks, such as /dev/ttyUSB0"
    CHANNEL = "a channel from 1 to 11, or 36, 40, 44 or 48 if country is set"


class WrongFile(BadData):
    """An invalid provisioning file. Section and key are empty if the whole line or file is wrong."""

    def __init__(
        self,
        where: str,
        place: FileLine,
        fault: Fault,
        *,
        section: str = "",
        key: str = "",
        **fields: str | int,
    ) -> None:
        self.place = place
        self.section = section
        self.key = key
        self.fault = fault
        self.fields = fields
        wrote = key if fault is Fault.MISSING else place.text or key
        line = f"line {place.number}: " if place.number else ""
        quoted = " ".join(filter(None, (f"[{section}]" if section else "", wrote)))
        super().__init__(where, f"{line}{quoted}{': ' if quoted else ''}{fault.value.format(**fields)}")


ROTATIONS: Final = (0, 90, 180, 270)
"""The rotations of the picture, clockwise, in degrees."""
PANELS: Final = ("none", "bare-pi-3", "bare-pi-4", "bare-pi-5", "pi-4-rs485", "virtual")
"""The panels of buttons and lamps that come with Saloon; others are described by a file."""
LEAST_INCHES: Final = 3
MOST_INCHES: Final = 32
LAST_TABLE: Final = 999
_MOST_ADDRESSES: Final = 16
_LONGEST_SSID: Final = 32
_PASSWORD: Final = re.compile("|[ -~]{8,63}")
_COUNTRY: Final = re.compile("|[A-Z]{2}")
_PRIVATE: Final = "PRIVATE KEY"
_CURLY: Final = "“”„‟‘’‚"
_COMMA: Final = re.compile(r"=\s*\d+,\d+\s*(#|$)")


class SettingRule(msgspec.Struct, frozen=True):
    """A rule for a key: the check of a value, and the fault of a wrong one, with its fields."""

    is_right: Callable[[object], bool]
    fault: Fault
    fields: Mapping[str, str | int] = {}
    is_needed: bool = False


def is_wifi_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 1 <= len(value.encode()) <= _LONGEST_SSID


def is_wifi_password(value: object) -> bool:
    """Return whether the value can be a WPA password, or is empty for an open network."""
    return isinstance(value, str) and _PASSWORD.fullmatch(value) is not None


def is_country(value: object) -> bool:
    """Return whether the value is a country code as used for Wi-Fi, or empty."""
    return isinstance(value, str) and _COUNTRY.fullmatch(value) is not None


def is_public_key(value: object) -> bool:
    """Return whether the value is one line of an OpenSSH public key, or empty."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_ssh_public_key

    if value == "":
        return True
    if not isinstance(value, str) or not value.isprintable() or value != value.strip():
        return False
    try:
        load_ssh_public_key(value.encode())
    except (ValueError, UnsupportedAlgorithm):
        return False
    return True


def _are_addresses(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_ADDRESSES
        and all(isinstance(address, str) and is_address(address) for address in value)
    )


def _is_certificate(value: object) -> bool:
    try:
        return isinstance(value, str) and _is_whole(der_of(value))
    except ValueError:
        return False


def _is_whole(der: bytes) -> bool:
    """Return whether a certificate is as long as it states, as an editor may have lost a line.

    Source: X.690, 8.1.3.5 (a sequence whose length takes two bytes).
    """
    return der[:2] == b"\x30\x82" and int.from_bytes(der[2:4], "big") == len(der) - 4


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_panel(value: object) -> bool:
    return value in PANELS or (_is_text(value) and str(value)[:1] in {"", "/"})


def one_of(*choices: str | int) -> SettingRule:
    """Return a rule that allows only these values."""

    def is_right(value: object) -> bool:
        return isinstance(value, str | int) and not isinstance(value, bool) and value in choices

    return SettingRule(is_right, Fault.ONE_OF, {"choices": ", ".join(map(str, choices))})


def whole(least: int, most: int) -> SettingRule:
    """Return a rule that allows whole numbers in this range."""

    def is_right(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return SettingRule(is_right, Fault.NUMBER, {"least": least, "most": most})


def _are_inches(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return LEAST_INCHES <= value <= MOST_INCHES


TEXT: Final = SettingRule(_is_text, Fault.TEXT)
SWITCH: Final = SettingRule(lambda value: isinstance(value, bool), Fault.SWITCH)
Keys = Mapping[str, Mapping[str, SettingRule]]
"""The rules of a file, by section and key."""
KEYS: Final[Keys] = {
    "station": {
        "certificate": SettingRule(_is_certificate, Fault.CERTIFICATE, is_needed=True),
        "addresses": SettingRule(_are_addresses, Fault.ADDRESSES),
    },
    "terminal": {
        "table": whole(1, LAST_TABLE),
        "token": TEXT,
        "language": one_of(*LANGUAGES),
        "rotation": one_of(*ROTATIONS),
        "inches": SettingRule(_are_inches, Fault.NUMBER, {"least": LEAST_INCHES, "most": MOST_INCHES}),
        "panel": SettingRule(_is_panel, Fault.PANEL, {"choices": ", ".join(PANELS)}),
        "serial": TEXT,
        "bus": SWITCH,
        "rts": SWITCH,
        "taken_from": TEXT,
    },
    "wifi": {
        "name": SettingRule(is_wifi_name, Fault.WIFI_NAME, is_needed=True),
        "password": SettingRule(is_wifi_password, Fault.WIFI_PASSWORD),
        "country": SettingRule(is_country, Fault.COUNTRY),
        "hidden": SWITCH,
    },
    "service": {"ssh_key": SettingRule(is_public_key, Fault.PUBLIC_KEY)},
}


def parse_provisioning_toml(text: str, where: str, allowed: Keys = KEYS) -> Mapping[str, object]:
    """Parse a file's text and check every key. Raises WrongFile for the first fault."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _place_of_error(text, error)
        line = text.split("\n")[place.number - 1]
        raise WrongFile(where, place, _syntax_fault(line, str(error))) from error
    except (ValueError, RecursionError) as error:
        # Very long numbers or deeply nested brackets, for which the library reports no line.
        raise WrongFile(where, FileLine(), Fault.NO_TOML) from error
    _check_keys(content, text, where, allowed)
    return content


def _syntax_fault(line: str, problem: str) -> Fault:
    if any(sign in line for sign in _CURLY):
        return Fault.CURLY
    if problem.startswith(("Cannot overwrite", "Cannot declare")):
        return Fault.TWICE
    return Fault.COMMA if _COMMA.search(line) else Fault.NO_TOML


def _check_keys(content: Mapping[str, object], text: str, where: str, allowed: Keys) -> None:
    for section, keys in content.items():
        if section not in allowed:
            raise _unknown("", section, text, where, allowed)
        if not isinstance(keys, Mapping):
            raise WrongFile(where, place_of(text, section), Fault.SECTION, key=section, home=section)
        for key, value in keys.items():
            _check(allowed, section, str(key), value, text=text, where=where)
    for section, known in allowed.items():
        values = content.get(section)
        if section == "station" and values is None:
            raise WrongFile(where, FileLine(), Fault.MISSING, section=section)
        if isinstance(values, Mapping):
            missing = next((key for key, one in known.items() if one.is_needed and key not in values), None)
            if missing is not None:
                raise WrongFile(where, place_of(text, section), Fault.MISSING, section=section, key=missing)


def _check(allowed: Keys, section: str, key: str, value: object, *, text: str, where: str) -> None:
    known = allowed[section].get(key)
    if known is None:
        raise _unknown(section, key, text, where, allowed)
    if not known.is_right(value):
        is_private = key == "ssh_key" and isinstance(value, str) and _PRIVATE in value
        fault = Fault.PRIVATE_KEY if is_private else known.fault
        place = place_of(text, section, key)
        raise WrongFile(where, place, fault, section=section, key=key, **known.fields)


def _unknown(section: str, name: str, text: str, where: str, allowed: Keys) -> WrongFile:
    """Return the fault of an unknown key, or of an unknown section if ``section`` is empty."""
    import difflib

    place = place_of(text, *filter(None, (section, name)))
    home = next((other for other, keys in allowed.items() if name in keys), "")
    if home:
        return WrongFile(where, place, Fault.ELSEWHERE, section=section, key=name, home=home)
    known: Iterable[str] = allowed[section] if section else allowed
    if meant := next(iter(difflib.get_close_matches(name.lower(), known, 1)), ""):
        fault = Fault.NO_KEY_BUT if section else Fault.NO_SECTION_BUT
        return WrongFile(where, place, fault, section=section, key=name, meant=meant)
    return WrongFile(where, place, Fault.NO_KEY if section else Fault.NO_SECTION, section=section, key=name)
