"""The tables to make cards for, as typed: ``1-50, 60``."""

from typing import Final

from saloon.base.errors import Refused
from saloon.core.terms import TableNo
from saloon.station.terminals.enrolments import LAST_TABLE
from saloon.station.web.text.reasons import FormReason

MOST_SPARES: Final = 50
_LONGEST: Final = 4000
"""In characters: every second table alone takes less."""


def tables_of(text: str) -> tuple[TableNo, ...]:
    """Return the tables' numbers, each once, from the lowest. Raises Refused for anything else."""
    found: set[int] = set()
    if len(text) > _LONGEST:
        raise Refused(FormReason.NO_TABLES, text=text[:40], last=LAST_TABLE)
    for piece in text.replace("–", "-").split(","):
        first, dash, last = (side.strip() for side in piece.partition("-"))
        if not first and not dash:
            continue
        found.update(range(_number(first, text), _number(last if dash else first, text) + 1))
    return tuple(TableNo(number) for number in sorted(found))


def format_table_ranges(tables: tuple[TableNo, ...]) -> str:
    """Return the shortest text for these tables."""
    runs: list[list[int]] = []
    for table in tables:
        if runs and runs[-1][-1] == table - 1:
            runs[-1][1:] = [table]
        else:
            runs.append([table])
    return ", ".join("-".join(map(str, run)) for run in runs)


def _number(text: str, whole: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LAST_TABLE)) else 0
    if not 1 <= number <= LAST_TABLE:
        raise Refused(FormReason.NO_TABLES, text=whole[:40], last=LAST_TABLE)
    return number
