"""Explain what is wrong in a TOML text: the lines of its keys, and validation errors as sentences.

The standard library's parser doesn't report lines, so ``positions`` scans the text again, in linear time.
"""

import contextlib
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import inspect

Key = str | int
"""A step on the path from a table: a key, or the index of an array entry, from 0."""
Positions = Mapping[tuple[Key, ...], int]
"""The line, from 1, of each table, key and array entry."""

_MOST_PARTS: Final = 32
"""The limit for parts of a dotted key and for nested arrays, as parsing them takes quadratic time."""
_BETWEEN: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PART: Final = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*""")
_STRING: Final = re.compile(
    r'"{3}(?:\\.|(?!"{3})[^\\])*"{3,5}|' + r"'{3}(?:(?!'{3}).)*'{3,5}|"
    r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)  # fmt: skip
_BARE: Final = re.compile(r"[^\s,\]}#][^,\]}#\n]*")
_LONG_KEY: Final = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){32}""")
_LONG_NUMBER: Final = re.compile(r"(?<!\w)[0-9][0-9a-fA-Fxob_]{99}")


def load_toml(text: str) -> dict[str, object]:
    """Parse an untrusted text. Raises TOMLDecodeError, also if parsing would take too long."""
    if _LONG_KEY.search(text):
        raise tomllib.TOMLDecodeError("a key has too many parts")
    if _LONG_NUMBER.search(text):
        raise tomllib.TOMLDecodeError("a number is too long")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise tomllib.TOMLDecodeError("arrays or tables are too deep in one another") from error


def line_of(text: str, *path: Key) -> int | None:
    r"""Return the line, from 1, of a table or key in a TOML text, or None if the path doesn't exist.

    >>> line_of('[lamp]  # above the table\ngreen = 2', "lamp", "green")
    2
    """
    return positions(text).get(path)


def nearest_line(known: Positions, *path: Key) -> int | None:
    """Return the line of a path, or of the innermost table or key above it that exists."""
    lines = (known.get(path[:length]) for length in range(len(path), 0, -1))
    return next((line for line in lines if line is not None), None)


def positions(text: str) -> Positions:
    """Return the line numbers of all tables, keys and array entries, up to the first mistake in the text."""
    reader = _Reader(text)
    with contextlib.suppress(_NotToml):
        reader.read()
    return reader.positions


class _NotToml(Exception):
    pass


class _Reader:
    def __init__(self, text: str) -> None:
        self.positions: dict[tuple[Key, ...], int] = {}
        self._text = text
        self._at = 0
        self._ends = [place for place, letter in enumerate(text) if letter == "\n"]
        self._newest: dict[tuple[Key, ...], int] = {}

    def read(self) -> None:
        table: tuple[Key, ...] = ()
        self._skip(_BETWEEN)
        while self._at < len(self._text):
            if self._next_is("[["):
                table = self._header(("[[", "]]"))
                self._newest[table] = self._newest.get(table, -1) + 1
                table = (*table, self._newest[table])
                self.positions.setdefault(table, self._line())
            elif self._next_is("["):
                table = self._header(("[", "]"))
            else:
                self._pair(table, 0)
            self._skip(_BETWEEN)

    def _header(self, marks: tuple[str, str]) -> tuple[Key, ...]:
        opening, closing = marks
        self._expect(opening)
        path: tuple[Key, ...] = ()
        for part in self._key():
            if path in self._newest:
                path = (*path, self._newest[path])
            path = (*path, part)
            self.positions.setdefault(path, self._line())
        self._expect(closing)
        return path

    def _pair(self, table: tuple[Key, ...], depth: int) -> None:
        path = table
        for part in self._key():
            path = (*path, part)
            self.positions.setdefault(path, self._line())
        self._expect("=")
        self._skip(_BETWEEN)
        self._value(path, depth)

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while not parts or self._next_is("."):
            if parts:
                self._expect(".")
            written = self._take(_PART).strip()
            if written.startswith('"') and "\\" in written:
                written = next(iter(tomllib.loads(f"{written} = 0")))
            parts.append(written.strip("\"'") if written[0] in "\"'" else written)
        return tuple(parts)

    def _value(self, path: tuple[Key, ...], depth: int) -> None:
        if depth > _MOST_PARTS:
            raise _NotToml
        if self._next_is("["):
            for index in self._items("[", "]"):
                self.positions.setdefault((*path, index), self._line())
                self._value((*path, index), depth + 1)
        elif self._next_is("{"):
            for _ in self._items("{", "}"):
                self._pair(path, depth + 1)
        elif self._next_is('"') or self._next_is("'"):
            self._take(_STRING)
        else:
            self._take(_BARE)

    def _items(self, opening: str, closing: str) -> Iterator[int]:
        """Yield the index of each item of an array or inline table, at the item."""
        self._expect(opening)
        self._skip(_BETWEEN)
        index = 0
        while not self._next_is(closing):
            yield index
            self._skip(_BETWEEN)
            if not self._next_is(closing):
                self._expect(",")
                self._skip(_BETWEEN)
            index += 1
        self._expect(closing)

    def _line(self) -> int:
        return bisect_left(self._ends, self._at) + 1

    def _next_is(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _expect(self, mark: str) -> None:
        if not self._next_is(mark):
            raise _NotToml
        self._at += len(mark)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        self._at = self._at if match is None else match.end()

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _NotToml
        self._at = match.end()
        return match[0]


_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "object": "a table",
    "array": "a list",
    "null": "nothing",
}
_PLACE: Final = re.compile(r"(?P<text>.*?)(?: - at `(?:key in )?\$\.?(?P<key>.*)`)?$", re.DOTALL)
_EXPECTED: Final = re.compile(
    r"Expected `(?P<kind>[^`]+)`(?: (?P<bound>[<>]=?) (?P<limit>\S+?))?(?:, got `(?P<got>.+)`)?$"
)
_STEP: Final = re.compile(r"\[[^\]]*\]|[^.\[]+")
_BOUNDS: Final = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(?P<name>.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>.*)`$")
_VALUE: Final = re.compile(r"Invalid enum value (?P<value>.*)$")


class ValueFault(NamedTuple):
    """An invalid value. ``key`` is its dotted path, or empty for the whole file."""

    key: str
    problem: str


def explain(error: msgspec.ValidationError, file: type[msgspec.Struct] | None = None) -> ValueFault:
    """Explain a validation error. The struct of the whole file serves to list the allowed values.

    >>> explain(msgspec.ValidationError("Expected `int` <= 27 - at `$.lamp.blue`"))
    ValueFault(key='lamp.blue', problem='must be a whole number, at most 27')
    """
    place = _PLACE.match(str(error))
    assert place is not None  # matches anything
    key = place["key"] or ""
    allowed = () if file is None else _allowed(inspect.type_info(file), _STEP.findall(key))
    return ValueFault(key, _in_words(place["text"], allowed))


def _allowed(kind: inspect.Type, steps: Sequence[str]) -> Iterable[str]:
    """Yield the values that a type allows at a path, such as ``buttons``, ``[...]``, ``sound``."""
    match kind:
        case inspect.UnionType():
            for one in kind.types:
                yield from _allowed(one, steps)
        case inspect.EnumType() if not steps:
            yield from (str(one.value) for one in kind.cls)
        case inspect.LiteralType() if not steps:
            yield from (str(value) for value in kind.values if value)
        case inspect.StructType() if steps:
            for field in kind.fields:
                if field.encode_name == steps[0]:
                    yield from _allowed(field.type, steps[1:])
        case inspect.DictType() if steps:
            yield from _allowed(kind.value_type, steps[1:])
        case inspect.VarTupleType() if steps:
            yield from _allowed(kind.item_type, steps[1:])


def _in_words(text: str, allowed: Iterable[str]) -> str:
    if match := _EXPECTED.match(text):
        bound = f", {_BOUNDS[match['bound']]}{match['limit']}" if match["bound"] else ""
        got = f"; it is {_kind(match['got'])}" if match["got"] else ""
        return f"must be {_kind(match['kind'])}{bound}{got}"
    if match := _UNKNOWN.match(text):
        return f"there is no `{match['name']}` here"
    if match := _MISSING.match(text):
        return f"`{match['name']}` is missing"
    if match := _VALUE.match(text):
        return f"{match['value']} is not allowed; choose {', '.join(allowed)}"
    return text


def _kind(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))
