"""The page of the hall plan, where tables are dragged to their places or arranged in rows."""

from typing import Final

from litestar import get, post
from litestar.response import Redirect, Response, Template

from base.errors import BadData, Refused, Unavailable
from core.terms import TableNo
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind, Unrecorded
from station.cards.service import format_table_ranges, tables_of
from station.hall.published import running_tables
from station.plan.service import HallPlace, HallPlans
from station.text.reasons import Done, FormReason
from station.web.tournament_context import AtStation, PageContext, station_routes

_HERE: Final = "/judge/plan"
_USUAL_PER_ROW: Final = 10
_MOST_PER_ROW: Final = 30


def _tables_in_play(here: PageContext) -> tuple[TableNo, ...]:
    states = here.service.tournaments()
    return tuple(sorted({table.drawn.table for state in states for table in running_tables(state)}))


@get("/", needs=Permission.SET_UP)
async def hall_plan(here: AtStation) -> Template:
    """Show the plan with all running tables."""
    plan = (await here.service.of(HallPlans).plan()).with_tables(_tables_in_play(here))
    tables = sorted(plan.places.items())
    typed = format_table_ranges(tuple(table for table, _ in tables))
    return here.page("judge/hall_plan.html", plan=plan, tables=tables, typed=typed, per_row=_USUAL_PER_ROW)


@post(
    "/move",
    needs=Permission.SET_UP,
    audit=Unrecorded("a drag on the hall plan, which shows where every table is"),
)
async def move(here: AtStation) -> Response[None] | Redirect:
    """Move a table, swapping places with a table at the destination."""
    fields = await here.fields()
    try:
        table = fields.table()
        if table is None:
            return here.refuse(FormReason.NO_TABLE, _HERE)
        column, row = fields.number("column") or 0, fields.number("row") or 0
        await here.service.of(HallPlans).move(_tables_in_play(here), table, HallPlace(column, row))
    except (Refused, BadData, Unavailable) as error:
        return here.refuse(error, _HERE)
    return Response(None, status_code=204)


@post(
    "/arrange",
    needs=Permission.SET_UP,
    audit=Audit("Arranged the hall plan in rows", keeps="tables", kind=AuditKind.STATION),
)
async def arrange(here: AtStation) -> Redirect:
    """Arrange tables in rows."""
    fields = await here.fields()
    tables = tables_of(fields.text("tables"))
    per_row = min(fields.number("per-row") or _USUAL_PER_ROW, _MOST_PER_ROW)
    return await here.act(here.service.of(HallPlans).arrange(tables, per_row), _HERE, Done.ARRANGED)


routes = station_routes(_HERE, hall_plan, move, arrange)
