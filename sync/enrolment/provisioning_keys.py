"""The allowed values of each key of a provisioning file.

One table: section, key, a check of the value, and the message with the allowed values.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from base.languages import LANGUAGES
from sync.enrolment.provisioning_faults import Fault, FileLine, WrongFile, place_of, place_of_error
from sync.ports.addresses import is_address
from sync.tls.certificates import der_of

ROTATIONS: Final = (0, 90, 180, 270)
"""The angles by which the picture can be rotated, clockwise, in degrees."""
PANELS: Final = ("none", "bare-pi-3", "bare-pi-4", "bare-pi-5", "pi-4-rs485", "virtual")
"""The panels of buttons and lamps that come with Saloon; others are specified by their file."""
LEAST_INCHES: Final = 3
MOST_INCHES: Final = 32
LAST_TABLE: Final = 999
MOST_ADDRESSES: Final = 16
_LONGEST_SSID: Final = 32
_PASSWORD: Final = re.compile("|[ -~]{8,63}")
_COUNTRY: Final = re.compile("|[A-Z]{2}")
_PRIVATE: Final = "PRIVATE KEY"
_CURLY: Final = "“”„‟‘’‚"
_COMMA: Final = re.compile(r"=\s*\d+,\d+\s*(#|$)")


class SettingRule(msgspec.Struct, frozen=True):
    """A rule for a key.

    is_right: returns whether a value is allowed.
    fault, fields: allowed values.
    """

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
        and len(value) <= MOST_ADDRESSES
        and all(isinstance(address, str) and is_address(address) for address in value)
    )


def _is_certificate(value: object) -> bool:
    try:
        return isinstance(value, str) and _is_whole(der_of(value))
    except ValueError:
        return False


def _is_whole(der: bytes) -> bool:
    """Return whether a certificate is as long as its first bytes state, as an editor may have lost a line.

    Source: X.690, 8.1.3.5 (a sequence whose length takes two bytes).
    """
    return der[:2] == b"\x30\x82" and int.from_bytes(der[2:4], "big") == len(der) - 4


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_panel(value: object) -> bool:
    is_file = isinstance(value, str) and value.isprintable() and (value.startswith("/") or value == "")
    return is_file or value in PANELS


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


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
SWITCH: Final = SettingRule(_is_switch, Fault.SWITCH)
Keys = Mapping[str, Mapping[str, SettingRule]]
"""The keys of a file, by section and key."""
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
"""All keys of a provisioning file."""


def parse_provisioning_toml(text: str, where: str, may_say: Keys = KEYS) -> Mapping[str, object]:
    """Parse a file's text and check every key. Raises WrongFile for the first fault."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = place_of_error(text, error)
        line = text.split("\n")[place.number - 1]
        raise WrongFile(where, place, _syntax_fault(line, str(error))) from error
    except (ValueError, RecursionError) as error:
        # Very long numbers or deeply nested brackets, for which the library reports no line.
        raise WrongFile(where, FileLine(), Fault.NO_TOML) from error
    _check_keys(said, text, where, may_say)
    return said


def _syntax_fault(line: str, problem: str) -> Fault:
    """Return the fault of a line that isn't valid TOML. ``problem`` is the library's message."""
    if any(sign in line for sign in _CURLY):
        return Fault.CURLY
    if problem.startswith(("Cannot overwrite", "Cannot declare")):
        return Fault.TWICE
    return Fault.COMMA if _COMMA.search(line) else Fault.NO_TOML


def _check_keys(content: Mapping[str, object], text: str, where: str, may_say: Keys = KEYS) -> None:
    """Check a file's content key by key. Raises WrongFile for the first fault.

    ``may_say`` lists all sections and keys allowed; those of a terminal's file by default.
    """
    for section, keys in content.items():
        if section not in may_say:
            raise _no_section(section, text, where, may_say)
        if not isinstance(keys, Mapping):
            raise WrongFile(where, place_of(text, section), Fault.SECTION, key=section, home=section)
        for key, value in keys.items():
            _check(may_say, section, str(key), value, text=text, where=where)
    for section, known in may_say.items():
        values = content.get(section)
        if section == "station" and values is None:
            raise WrongFile(where, FileLine(), Fault.MISSING, section=section)
        if isinstance(values, Mapping):
            missing = next((key for key, one in known.items() if one.is_needed and key not in values), None)
            if missing is not None:
                raise WrongFile(where, place_of(text, section), Fault.MISSING, section=section, key=missing)


def _check(may_say: Keys, section: str, key: str, value: object, *, text: str, where: str) -> None:
    known = may_say[section].get(key)
    if known is None:
        raise _no_key(section, key, text, where, may_say)
    if not known.is_right(value):
        is_private = key == "ssh_key" and isinstance(value, str) and _PRIVATE in value
        fault = Fault.PRIVATE_KEY if is_private else known.fault
        place = place_of(text, section, key)
        raise WrongFile(where, place, fault, section=section, key=key, **known.fields)


def _no_section(name: str, text: str, where: str, may_say: Keys) -> WrongFile:
    place = place_of(text, name)
    home = _home_of(name, may_say)
    if home:
        return WrongFile(where, place, Fault.ELSEWHERE, key=name, home=home)
    meant = _closest_name(name, may_say)
    if meant:
        return WrongFile(where, place, Fault.NO_SECTION_BUT, key=name, meant=meant)
    return WrongFile(where, place, Fault.NO_SECTION, key=name)


def _no_key(section: str, key: str, text: str, where: str, may_say: Keys) -> WrongFile:
    place = place_of(text, section, key)
    meant, home = _closest_name(key, may_say[section]), _home_of(key, may_say)
    if home:
        return WrongFile(where, place, Fault.ELSEWHERE, section=section, key=key, home=home)
    if meant:
        return WrongFile(where, place, Fault.NO_KEY_BUT, section=section, key=key, meant=meant)
    return WrongFile(where, place, Fault.NO_KEY, section=section, key=key)


def _home_of(key: str, may_say: Keys) -> str:
    """Return the section that a misplaced key belongs to, or an empty string if there is none."""
    return next((section for section, keys in may_say.items() if key in keys), "")


def _closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt one, or an empty string if none is similar."""
    import difflib

    return next(iter(difflib.get_close_matches(name.lower(), known, 1)), "")
