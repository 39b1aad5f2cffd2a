"""Where a key stands in a TOML text: the line that somebody has to mend.

The standard library reads TOML and forgets the lines. Here a text is read statement by statement, each by
that library, so that keys in quotation marks, dotted keys and strings of many lines are found as well.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

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
"""How much of a line is shown, in characters."""


class Place(msgspec.Struct, frozen=True):
    """A line of a file. number: from 1; 0 for none. text: what stands there, without secrets."""

    number: int = 0
    text: str = ""


def place_of(text: str, *path: str) -> Place:
    """Where a section begins, or a key of it is set, in a text that is TOML; no line where it is not there.

    path: the section, or the section and the key. The time grows with the square of a string's lines.
    """
    for number, begun, found in _statements(text):
        if begun == path[: len(begun)] and _holds(found, path[len(begun) :]):
            return line_of(text, number)
    return Place()


def place_of_error(text: str, error: tomllib.TOMLDecodeError) -> Place:
    """The line that is no TOML; the last one where the text ends too early."""
    found = _AT_LINE.search(str(error))
    return line_of(text, int(found[1]) if found else text.rstrip().count("\n") + 1)


def line_of(text: str, number: int) -> Place:
    """A line as it can be shown to whoever stands there: what is secret is covered."""
    lines = text.split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    shown = "".join(sign if sign.isprintable() else " " for sign in _covered(line)).strip()
    return Place(number, shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…")


def _covered(line: str) -> str:
    found = _SET.fullmatch(line)
    if found is not None and found[2] not in SHOWN_KEYS and not _HARMLESS.fullmatch(found[3].strip()):
        return f"{found[1]}•••"
    return _SECRET.sub(r"\1•••", line)


def _statements(text: str) -> Iterator[tuple[int, tuple[str, ...], Mapping[str, object]]]:
    """Each statement's first line, the section that it stands in, and what it says."""
    lines = text.split("\n")
    first = 0
    begun: tuple[str, ...] = ()
    for last in range(1, len(lines) + 1):
        try:
            found = tomllib.loads("\n".join(lines[first:last]))
        except tomllib.TOMLDecodeError:
            # A string or a list that goes on.
            continue
        if lines[first].lstrip().startswith("["):
            begun = _names(found)
            yield first + 1, (), found
        else:
            yield first + 1, begun, found
        first = last


def _names(found: Mapping[str, object]) -> tuple[str, ...]:
    """The names of nested tables of one entry each."""
    names: list[str] = []
    inner: object = found
    while isinstance(inner, list | dict) and inner:
        if isinstance(inner, list):
            inner = inner[0]
        else:
            name, inner = next(iter(inner.items()))
            names.append(name)
    return tuple(names)


def _holds(found: object, path: tuple[str, ...]) -> bool:
    for name in path:
        if isinstance(found, list):
            found = found[0] if found else None
        if not isinstance(found, Mapping) or name not in found:
            return False
        found = found[name]
    return True
