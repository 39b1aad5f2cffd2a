"""The base class of the structs in an edition: strict keys, and faults that name their key."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from base.toml_lines import Key


class EditionFault(msgspec.Struct, frozen=True):
    """A fault in an edition.

    keys: path to it.
    problem: the value found, and the values allowed.
    """

    keys: tuple[Key, ...]
    problem: str

    def below(self, *keys: Key) -> "EditionFault":
        """Return the same fault with an outer key prepended."""
        return EditionFault((*keys, *self.keys), self.problem)

    def __str__(self) -> str:
        return f"{format_steps(self.keys)}: {self.problem}" if self.keys else self.problem


class PartIsFaulty(ValueError):
    """A part of an edition contradicts itself. Contains all faults, in the order of the keys."""

    def __init__(self, faults: Iterable[EditionFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of an edition. Unknown keys in a file are errors.

    It checks itself when it is created, and raises ``PartIsFaulty`` if ``faults`` yields anything.
    """

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
    """Yield a fault where ranges (from, to or None) don't follow each other, or the last isn't open-ended."""
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
    """Yield a fault for each repeated entry of a list. ``what`` names the entry in the message."""
    for row, entry in enumerate(listed):
        if entry in listed[:row]:
            yield EditionFault((name, row), f"names a {what} twice")


def negative(fields: Iterable[tuple[str, int]]) -> Iterator[EditionFault]:
    """Yield a fault for each negative amount, by its key."""
    for name, amount in fields:
        if amount < 0:
            yield EditionFault((name,), f"is {amount}; allowed is 0 or more")
