"""The rows of a spreadsheet, limited in number and size."""

from collections.abc import Mapping
from typing import Final

import msgspec

MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 200
_MOST_CELLS: Final = 500_000


class Sheet(msgspec.Struct, frozen=True):
    """A sheet with content.

    rows: the non-blank rows, each with its number, from 1.
    has_more: cells beyond the limits were ignored.
    hidden_rows: how many of the rows are hidden.
    """

    name: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    has_more: bool = False
    is_hidden: bool = False
    hidden_rows: int = 0


class SheetRows:
    """Collects the non-blank rows of a sheet, within the limits."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, tuple[str, ...]]] = []
        self.has_more = False
        self._cells = self._hidden = 0
        self._merged: dict[tuple[int, int], int] = {}

    def merge(self, first: int, last: int, column: int) -> None:
        """Record that a cell is merged with the cells below it, down to the last row."""
        if first < last and len(self._merged) < _MOST_CELLS:
            self._merged[first, column] = last

    def add(self, first: int, times: int, cells: Mapping[int, str], *, is_hidden: bool) -> None:
        """Add a row, which may be repeated. ``cells`` are its non-blank cells by column, from 0."""
        if not cells:
            return
        row = _row_of(cells)
        self.has_more |= max(cells) >= MOST_COLUMNS or first + times - 1 > MOST_ROWS
        for number in range(first, min(first + times, MOST_ROWS + 1)) if row else ():
            self._cells += len(row)
            if self._cells > _MOST_CELLS:
                self.has_more = True
                return
            self.rows.append((number, row))
            self._hidden += is_hidden

    def sheet(self, name: str, *, is_hidden: bool) -> Sheet:
        """Return the rows as a sheet. Rows with other content repeat a cell that is merged across them."""
        merged: dict[int, tuple[int, str]] = {}
        for place, (number, row) in enumerate(self.rows) if self._merged else ():
            cells = {column: cell for column, (last, cell) in merged.items() if number <= last}
            cells |= {column: cell for column, cell in enumerate(row) if cell}
            for column, cell in cells.items():
                if last := self._merged.get((number, column)):
                    merged[column] = last, cell
            self.rows[place] = number, _row_of(cells)
        return Sheet(name, tuple(self.rows), self.has_more, is_hidden, self._hidden)


def _row_of(cells: Mapping[int, str]) -> tuple[str, ...]:
    width = max((column for column in cells if column < MOST_COLUMNS), default=-1) + 1
    return tuple(cells.get(column, "") for column in range(width))
