"""Find the line of a key in a TOML text, so that an error can name it.

The standard library parses TOML without positions. Here a text is cut into its statements, and each one is
parsed by that library, so that quoted keys, dotted keys, inline tables, arrays of tables and strings of many
lines are found as well.
"""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

Key = str | int
"""A step from a table to what it contains: a key, or the index of an array's entry, from 0."""

_MOST_LINES: Final = 500
"""Lines of one statement that are parsed together. The time grows with their square."""


class _Statement(msgspec.Struct, frozen=True):
    """A header, or a key with its value. first: its line, from 1. table: its path. value: what it sets."""

    first: int
    lines: tuple[str, ...]
    table: tuple[Key, ...]
    value: Mapping[str, object]


def line_of(text: str, *path: Key) -> int | None:
    r"""Return the line, from 1, where a table begins or a key is set, in a text that is valid TOML.

    Return None where the path leads to nothing, or where its statement has more than 500 lines.

    >>> line_of('[lamp]  # above the table\ngreen = 2', "lamp", "green")
    2
    """
    return next((line for line in _lines(text, path)), None)


def nearest_line(text: str, *path: Key) -> int | None:
    """Return the line of a path, or of the innermost table or key on its way that the text has."""
    for length in range(len(path), 0, -1):
        line = line_of(text, *path[:length])
        if line is not None:
            return line
    return None


def _lines(text: str, path: tuple[Key, ...]) -> Iterator[int]:
    for statement in _statements(text):
        here = statement.table
        if not statement.value:
            if path == here[: len(path)]:
                yield statement.first
        elif here == path[: len(here)] and len(path) > len(here):
            yield from _line_within(statement, path[len(here) :])


def _line_within(statement: _Statement, path: tuple[Key, ...]) -> Iterator[int]:
    """Yield the line of a path that begins in a statement's value."""
    value: object = statement.value
    line = statement.first
    is_in_array = False
    for depth, key in enumerate(path):
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
            if not is_in_array:
                line += _lines_above_entry(statement, path[:depth], key)
                is_in_array = True
        else:
            return
    yield line


def _lines_above_entry(statement: _Statement, array: tuple[Key, ...], index: int) -> int:
    """Return how many lines of its statement are above an array's entry."""
    begins = 0
    for count in range(1, len(statement.lines)):
        entries = _entries_so_far(statement.lines[:count], array)
        if entries is not None and entries > index:
            break
        if entries == index:
            begins = count
    return begins


def _entries_so_far(lines: tuple[str, ...], array: tuple[Key, ...]) -> int | None:
    """Return the number of whole entries of an array that goes on after these lines; None within an entry."""
    try:
        value: object = tomllib.loads("\n".join((*lines, "]")))
    except tomllib.TOMLDecodeError:
        return None
    for key in array:
        value = value[str(key)] if isinstance(value, Mapping) else None
    return len(value) if isinstance(value, list) else None


def _statements(text: str) -> Iterator[_Statement]:
    lines = tuple(text.replace("\r\n", "\n").split("\n"))
    first = 0
    table: tuple[Key, ...] = ()
    newest: dict[tuple[Key, ...], int] = {}
    for last in range(1, len(lines) + 1):
        if last - first > _MOST_LINES:
            return
        try:
            value = tomllib.loads("\n".join(lines[first:last]))
        except tomllib.TOMLDecodeError:
            # A string or an array that goes on.
            continue
        if lines[first].lstrip().startswith("["):
            table = _header_path(value, newest)
            yield _Statement(first + 1, lines[first:last], table, {})
        elif value:
            yield _Statement(first + 1, lines[first:last], table, value)
        first = last


def _header_path(header: Mapping[str, object], newest: dict[tuple[Key, ...], int]) -> tuple[Key, ...]:
    """Return the path of the table that a header opens.

    newest: the last index of each array of tables so far; a new entry is counted in it.
    """
    path: tuple[Key, ...] = ()
    inner: object = header
    while isinstance(inner, Mapping) and inner:
        name, inner = next(iter(inner.items()))
        path = (*path, name)
        if isinstance(inner, list):
            newest[path] = newest.get(path, -1) + 1
            return (*path, newest[path])
        if path in newest and inner:
            path = (*path, newest[path])
    return path
