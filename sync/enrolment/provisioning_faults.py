"""Faults of a provisioning file: the line, the key, and the values allowed there.

They are shown at the terminal, or on any computer with the card in it. Secrets in quoted lines are hidden.
"""

import enum
import re
import tomllib
from typing import Final

import msgspec

from base.errors import BadData
from base.toml_lines import line_of

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
"""The most characters of a line that are shown."""


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file.

    number: its line number, from 1, or 0 if unknown.
    text: the line without secrets.
    """

    number: int = 0
    text: str = ""


def place_of(text: str, *path: str) -> FileLine:
    """Return the line where a section begins, or a key in it is set, in a valid TOML text.

    ``path`` is the section, or the section and the key. The line is empty if the text has neither.
    """
    number = line_of(text, *path)
    return FileLine() if number is None else redacted_line(text, number)


def place_of_error(text: str, error: tomllib.TOMLDecodeError) -> FileLine:
    """Return the line that isn't valid TOML; the last one if the text ends too early."""
    match = _AT_LINE.search(str(error))
    return redacted_line(text, int(match[1]) if match else text.rstrip().count("\n") + 1)


def redacted_line(text: str, number: int) -> FileLine:
    """Return a line with its secrets hidden, to be shown on a screen."""
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
    """An invalid provisioning file.

    place: the line, if known.
    section, key: the part that is wrong, or empty for the whole line or file.
    fault, fields: the fault and its fields.
    """

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
        said = " ".join(filter(None, (f"[{section}]" if section else "", wrote)))
        super().__init__(where, f"{line}{said}{': ' if said else ''}{fault.value.format(**fields)}")
