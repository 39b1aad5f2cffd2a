"""The organiser's plan of the hall: where each table is, on a grid."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.terms import TableNo
from station.hall.station_context import StationContext
from station.store.settings import Settings

_SETTING: Final = "hall-plan"
MOST_COLUMNS: Final = 60
MOST_ROWS: Final = 60
_USUAL_PER_ROW: Final = 10


class HallPlace(msgspec.Struct, frozen=True):
    """A place on the plan. Columns and rows start at 1."""

    column: int
    row: int


class HallPlan(msgspec.Struct, frozen=True):
    """A grid with at most one table in each place."""

    columns: int = 2 * _USUAL_PER_ROW
    rows: int = 6
    places: Mapping[TableNo, HallPlace] = {}

    def moved(self, table: TableNo, to: HallPlace) -> "HallPlan":
        """Return the plan with a table moved, or two swapped. Raises BadData outside the grid."""
        if not (1 <= to.column <= self.columns and 1 <= to.row <= self.rows):
            raise BadData(
                "place", f"{to.column}, {to.row} is outside a plan of {self.columns} by {self.rows}"
            )
        places = dict(self.places)
        former = places.pop(table, None)
        other = next((there for there, place in places.items() if place == to), None)
        if other is not None and former is not None:
            places[other] = former
        elif other is not None:
            del places[other]
        places[table] = to
        return replace(self, places=places)

    def with_tables(self, tables: Iterable[TableNo]) -> "HallPlan":
        """Return the plan with these tables added in the first free places, extending it if needed."""
        missing = [table for table in tables if table not in self.places]
        if not missing:
            return self
        places, free = dict(self.places), self._free_places()
        for table in missing:
            places[table] = next(free)
        rows = max(self.rows, *(place.row for place in places.values()))
        return replace(self, places=places, rows=rows)

    def _free_places(self) -> Iterator[HallPlace]:
        taken, row = set(self.places.values()), 1
        while True:
            for column in range(1, self.columns + 1):
                if (place := HallPlace(column, row)) not in taken:
                    yield place
            row += 1


def arranged(tables: Sequence[TableNo], per_row: int) -> HallPlan:
    """Return a plan with tables in rows and aisles between all of them. Raises BadData for too many."""
    rows = -(-len(tables) // per_row) if tables else 1
    plan = HallPlan(
        columns=2 * per_row,
        rows=2 * rows,
        places={
            table: HallPlace(2 * (number % per_row) + 1, 2 * (number // per_row) + 1)
            for number, table in enumerate(tables)
        },
    )
    if plan.columns > MOST_COLUMNS or plan.rows > MOST_ROWS:
        raise BadData("plan", f"at most {MOST_COLUMNS // 2} tables in a row, and {MOST_ROWS // 2} rows")
    return plan


def read_plan(settings: Settings) -> HallPlan:
    """Return the stored plan, or an empty one. Blocks."""
    return settings.read(_SETTING, HallPlan, "{}")


class HallPlans:
    """The stored plan of the hall, shared by all tournaments and stations."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def plan(self) -> HallPlan:
        return await asyncio.to_thread(read_plan, self._context.parts.settings)

    async def move(self, tables: Sequence[TableNo], table: TableNo, to: HallPlace) -> None:
        """Move one of these tables. Raises BadData."""
        async with self._context.lock:
            plan = (await self.plan()).with_tables(sorted({*tables, table}))
            await self._keep(plan.moved(table, to))

    async def arrange(self, tables: Sequence[TableNo], per_row: int) -> None:
        """Replace the plan by tables in rows. Raises BadData."""
        async with self._context.lock:
            await self._keep(arranged(tables, per_row))

    async def _keep(self, plan: HallPlan) -> None:
        text = msgspec.json.encode(plan).decode()
        await asyncio.to_thread(self._context.parts.settings.set, _SETTING, text)
        self._context.feed.publish("tournament")
