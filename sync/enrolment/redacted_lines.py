"""The line of a provisioning file that somebody has to fix, shown without its secrets."""

import re
import tomllib
from typing import Final

import msgspec

from saloon.base.toml_lines import line_of

_AT_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")
SHOWN_KEYS: Final = frozenset({
    "certificate", "addresses", "table", "serial", "language", "rotation", "inches", "panel", "bus", "rts",
    "taken_from", "name", "country", "hidden", "ssh_key", "time_zone", "cable", "address", "access_point",
    "channel", "wpa3", "every_min",
})  # fmt: skip
"""Keys whose values are shown. Any other may be a secret whose name was mistyped."""
_SECRET: Final = re.compile(r"(.*\b(?:password|token)\b[\"']?\s*=?\s*)\S.*", re.IGNORECASE)
_SET: Final = re.compile(r"(\s*(?:[\w-]+\s*\.\s*)*[\"']?([\w-]+)[\"']?\s*=\s*)(\S.*)")
_HARMLESS: Final = re.compile(r"[\d.]{1,5}|true|false")
_LONGEST: Final = 60
"""The most characters of a line that are shown."""


class FileLine(msgspec.Struct, frozen=True):
    """A line of a file. number: from 1; 0 for none. text: its content, without secrets."""

    number: int = 0
    text: str = ""


def place_of(text: str, *path: str) -> FileLine:
    """Return the line where a section begins, or a key of it is set, in a text that is TOML.

    path: the section, or the section and the key. Return a place without a line if the text has none.
    """
    number = line_of(text, *path)
    return FileLine() if number is None else redacted_line(text, number)


def place_of_error(text: str, error: tomllib.TOMLDecodeError) -> FileLine:
    """Return the line that is no TOML; the last one if the text ends too early."""
    found = _AT_LINE.search(str(error))
    return redacted_line(text, int(found[1]) if found else text.rstrip().count("\n") + 1)


def redacted_line(text: str, number: int) -> FileLine:
    """Return a line as it can be shown on a screen, with its secrets covered."""
    lines = text.split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    shown = "".join(sign if sign.isprintable() else " " for sign in _redact(line)).strip()
    return FileLine(number, shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…")


def _redact(line: str) -> str:
    found = _SET.fullmatch(line)
    if found is not None and found[2] not in SHOWN_KEYS and not _HARMLESS.fullmatch(found[3].strip()):
        return f"{found[1]}•••"
    return _SECRET.sub(r"\1•••", line)
