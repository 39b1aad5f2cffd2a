"""The base class of the structs in an edition, which check themselves, and errors that list all faults."""

import enum
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

import msgspec
from msgspec.structs import fields

from base.errors import BadData
from base.toml_lines import Key, nearest_line, positions


class EditionFault(msgspec.Struct, frozen=True):
    """A fault in an edition: its path of keys, and the value found with the values allowed."""

    keys: tuple[Key, ...]
    problem: str

    def below(self, *keys: Key) -> "EditionFault":
        return EditionFault((*keys, *self.keys), self.problem)

    def __str__(self) -> str:
        return f"{format_steps(self.keys)}: {self.problem}" if self.keys else self.problem


class PartIsFaulty(ValueError):
    """A part of an edition has faults."""

    def __init__(self, faults: Iterable[EditionFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of an edition. Its constructor raises ``PartIsFaulty`` if ``faults`` yields any."""

    def __post_init__(self) -> None:
        faults = tuple(self.faults())
        if faults:
            raise PartIsFaulty(faults)

    def faults(self) -> Iterator[EditionFault]:
        """Yield the faults of this part, excluding those of nested parts."""
        return iter(())


def format_steps(keys: Sequence[Key]) -> str:
    """Return a path of keys as text, such as ``winnings[3].dollars[1]``; rows count from 1."""
    text = ""
    for key in keys:
        text += f"[{key + 1}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def range_faults(name: str, ranges: Sequence[tuple[int, int | None]]) -> Iterator[EditionFault]:
    """Yield a fault if ranges have gaps or overlap, or the last one has an upper limit."""
    if not ranges:
        yield EditionFault((name,), "is empty; it needs its rows")
        return
    for row, ((_, last), (following, _)) in enumerate(pairwise(ranges), start=1):
        if last is None or following != last + 1:
            yield EditionFault(
                (name, row), f"a row from {following} follows a row to {last}; no gap, no overlap"
            )
    for row, (first, last) in enumerate(ranges):
        if last is not None and last < first:
            yield EditionFault((name, row), f"ends at {last}, before it starts at {first}")
    if ranges[-1][1] is not None:
        yield EditionFault((name, len(ranges) - 1), "the last row must be open (no players_to)")


def find_repeated(name: str, listed: Sequence[object], what: str) -> Iterator[EditionFault]:
    """Yield a fault for each repeated entry of a list. ``what`` is the English word for an entry."""
    for row, entry in enumerate(listed):
        if entry in listed[:row]:
            yield EditionFault((name, row), f"names a {what} twice")


def negative_faults(fields: Iterable[tuple[str, int]]) -> Iterator[EditionFault]:
    """Yield a fault for each negative amount."""
    for name, amount in fields:
        if amount < 0:
            yield EditionFault((name,), f"is {amount}; allowed is 0 or more")


_NAME: Mapping[object, str] = {int: "a whole number", str: "a text", bool: "true or false"}
MOST_FAULTS: Final = 20
"""The most faults that are listed; fixing the first ones often fixes others."""
_LONGEST_VALUE: Final = 80


class FaultyRules(BadData):
    """All faults of a rules file.

    faults: the first ones, each with line and key, in the order of the file.
    more: number of others.
    """

    def __init__(self, where: str, faults: tuple[BadData, ...], more: int = 0) -> None:
        self.faults = faults
        self.more = more
        if len(faults) == 1:
            super().__init__(faults[0].where, faults[0].problem)
        else:
            listed = "".join(f"\n  {_after(fault.where, where)}{fault.problem}" for fault in faults)
            rest = f"\n  and {more} more" if more else ""
            super().__init__(where, f"{len(faults) + more} faults{listed}{rest}")


def explain_faults(
    *, where: str, text: str, data: dict[str, object], kind: type[msgspec.Struct]
) -> FaultyRules | None:
    """Return an error with all faults of a rules file, or None if it has none.

    text, data: the file's content before and after parsing.
    kind: the struct that it should have been.
    """
    faults = [*_faults(data, kind)]
    if not faults:
        return None
    lines = positions(text)
    ordered = sorted(((nearest_line(lines, *fault.keys) or 0, fault) for fault in faults), key=itemgetter(0))
    listed = tuple(
        BadData(f"{where}, line {line}" if line else where, str(fault))
        for line, fault in ordered[:MOST_FAULTS]
    )
    return FaultyRules(where, listed, len(ordered) - len(listed))


def _value_text(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _after(where: str, file: str) -> str:
    place = where.removeprefix(file).removeprefix(", ")
    return f"{place}: " if place else ""


def _faults(value: object, kind: object) -> Iterator[EditionFault]:
    """Yield the faults of a value that should have this type, those of nested parts first."""
    if typing.get_origin(kind) in {typing.Union, types.UnionType}:
        kind = next(member for member in typing.get_args(kind) if member is not types.NoneType)
    if typing.get_origin(kind) is tuple:
        item, _ = typing.get_args(kind)
        if isinstance(value, list):
            for number, entry in enumerate(value):
                yield from (fault.below(number) for fault in _faults(entry, item))
        else:
            yield EditionFault((), f"expected a list; found {_value_text(value)}")
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if isinstance(value, dict):
            yield from _table_faults(value, kind)
        else:
            yield EditionFault((), f"expected a table; found {_value_text(value)}")
    else:
        yield from _leaf_faults(value, kind)


def _table_faults(table: dict[str, object], kind: type[msgspec.Struct]) -> Iterator[EditionFault]:
    known = {field.encode_name: field for field in fields(kind)}
    faults = [
        EditionFault((key,), f"unknown key; allowed: {', '.join(known)}") for key in table if key not in known
    ]
    faults += [
        EditionFault((), f"the key {name} is missing")
        for name, field in known.items()
        if field.required and name not in table
    ]
    for key, value in table.items():
        if key in known:
            faults += [fault.below(key) for fault in _faults(value, known[key].type)]
    if not faults:
        faults += _own_faults(table, kind)
    yield from faults


def _own_faults(table: dict[str, object], kind: type[msgspec.Struct]) -> tuple[EditionFault, ...]:
    try:
        msgspec.convert(table, kind, strict=True)
    except msgspec.ValidationError as error:
        cause = error.__cause__
        return cause.faults if isinstance(cause, PartIsFaulty) else (EditionFault((), str(cause or error)),)
    return ()


def _leaf_faults(value: object, kind: object) -> Iterator[EditionFault]:
    try:
        msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError:
        allowed = ", ".join(map(str, _values(kind)))
        if allowed:
            yield EditionFault((), f"found {_value_text(value)}; allowed: {allowed}")
        else:
            base = getattr(kind, "__supertype__", kind)
            yield EditionFault((), f"expected {_NAME.get(base, str(base))}; found {_value_text(value)}")


def _values(kind: object) -> tuple[object, ...]:
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return tuple(member.value for member in kind)
    return typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()


def list_sizes(sizes: Iterable[int]) -> str:
    return ", ".join(str(size) for size in sizes)
