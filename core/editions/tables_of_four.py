"""Tables of 4 in editions that exclude them: reading D44."""

from msgspec.structs import replace

from base.errors import BadData
from core.editions.edition import FOUR, Edition
from core.rule_set import TablesOfFour
from core.terms import Dollars


def with_tables_of_four(base: Edition, allowed: TablesOfFour) -> Edition:
    """Return an edition that allows tables of 4 although its document excludes them: reading D44.

    Raises BadData unless there is one non-negative amount for each row of the winnings.
    """
    if len(allowed.dollars) != len(base.winnings) or min(allowed.dollars, default=0) < 0:
        raise BadData(
            f"edition {base.key}, tables of {FOUR}",
            f"needs an amount of 0 or more for each of {len(base.winnings)} rows of the winnings",
        )
    rows = tuple(
        replace(row, dollars=(Dollars(dollars), *row.dollars)) if row.dollars else row
        for row, dollars in zip(base.winnings, allowed.dollars, strict=True)
    )
    tables = replace(base.tables, sizes=(FOUR, *base.tables.sizes))
    return replace(base, tables=tables, winnings=rows, tables_of_four=allowed.reason)
