"""The tables of the hall used by a tournament, as ranges in the order of the draw."""

import re
from collections.abc import Iterable
from itertools import pairwise

import msgspec

from base.errors import Refused
from core.terms import TableNo
from core.tournament.state.reasons import TournamentReason

LAST_TABLE = 999
"""The highest table number in the hall, as numbers have up to three digits."""
_LONGEST_LIST = 10_000
_RANGE = re.compile(r"(\d{1,9})\s*(?:([-–—+])\s*(\d{1,9})?)?")


class TableRange(msgspec.Struct, frozen=True):
    """Consecutive tables of the hall, from first to last."""

    first: TableNo
    last: TableNo


class TableList(msgspec.Struct, frozen=True):
    """A tournament's tables. A table has a place in the draw, from 1, and a number in the hall."""

    ranges: tuple[TableRange, ...]

    @property
    def capacity(self) -> int:
        return sum(one.last - one.first + 1 for one in self.ranges)

    @property
    def is_open(self) -> bool:
        return len(self.ranges) == 1 and self.ranges[0].last == LAST_TABLE

    def find_number(self, place: int) -> TableNo:
        """Return the number of the table at a place. Places beyond the list continue after its last table."""
        left = place
        for one in self.ranges:
            size = one.last - one.first + 1
            if left <= size:
                return TableNo(one.first + left - 1)
            left -= size
        return TableNo(self.ranges[-1].last + left)

    def find_place(self, number: TableNo) -> int:
        """Return the place of the table with a number; 0 if it is not in the list."""
        passed = 0
        for one in self.ranges:
            if one.first <= number <= one.last:
                return passed + number - one.first + 1
            passed += one.last - one.first + 1
        return max(passed + number - self.ranges[-1].last, 0) if number > self.ranges[-1].last else 0

    def describe(self, count: int | None = None) -> str:
        """Return the list, or its first tables, as a judge would type it, such as 1-12, 20."""
        parts: list[str] = []
        left = self.capacity if count is None else count
        for one in self.ranges:
            last = min(one.last, one.first + left - 1)
            if last < one.first:
                break
            if last == LAST_TABLE and count is None and last > one.first:
                parts.append(f"{one.first}-")
            else:
                parts.append(f"{one.first}" if last == one.first else f"{one.first}-{last}")
            left -= last - one.first + 1
        return ", ".join(parts)


def list_from(first: TableNo) -> TableList:
    return TableList((TableRange(first, TableNo(LAST_TABLE)),))


def list_of(numbers: Iterable[TableNo]) -> TableList:
    """Return the list of these tables, of which there must be at least one, in this order."""
    ranges: list[TableRange] = []
    for number in numbers:
        if ranges and number == ranges[-1].last + 1:
            ranges[-1] = TableRange(ranges[-1].first, number)
        else:
            ranges.append(TableRange(number, number))
    return TableList(tuple(ranges))


ALL_TABLES = list_from(TableNo(1))


def read_tables(typed: str) -> TableList:
    """Parse a judge's list of tables. Raises Refused, with the part that is wrong.

    Example: `read_tables("1-12, 20, 31-")` gives tables 1 to 12, table 20, and all from 31 on.
    """
    if len(typed) > _LONGEST_LIST:
        raise Refused(TournamentReason.TABLES_UNREADABLE, typed=f"{typed[:40]} …")
    parts = [part for part in re.split(r"[,;\s]+(?![-–—+])", re.sub(r"\s*([-–—+])\s*", r"\1", typed)) if part]
    if not parts:
        raise Refused(TournamentReason.TABLES_UNREADABLE, typed=typed.strip())
    return check_tables(TableList(tuple(_read_range(part) for part in parts)))


def _read_range(part: str) -> TableRange:
    match = _RANGE.fullmatch(part)
    if match is None:
        raise Refused(TournamentReason.TABLES_UNREADABLE, typed=part)
    first = int(match[1])
    last = first if match[2] is None else int(match[3] or LAST_TABLE)
    return TableRange(TableNo(first), TableNo(last))


def check_tables(tables: TableList) -> TableList:
    """Return the tables if valid. Raises Refused for none, a number outside the hall, or a repeated table."""
    if not tables.ranges:
        raise Refused(TournamentReason.TABLES_UNREADABLE, typed="")
    for one in tables.ranges:
        for number in (one.first, one.last):
            if not 1 <= number <= LAST_TABLE:
                raise Refused(TournamentReason.TABLE_OUT_OF_RANGE, table=number, last=LAST_TABLE)
        if one.last < one.first:
            raise Refused(TournamentReason.TABLES_BACKWARDS, first=one.first, last=one.last)
    ordered = sorted(tables.ranges, key=lambda one: one.first)
    for before, after in pairwise(ordered):
        if after.first <= before.last:
            raise Refused(TournamentReason.TABLE_TWICE, table=after.first)
    return tables
