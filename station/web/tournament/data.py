"""The data of a tournament for spreadsheets: each table as CSV, all of them as a workbook; statistics."""

import asyncio

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response, Template

from saloon.station.exports.tables import (
    DataTable,
    as_csv,
    as_workbook,
    exported,
    permission_for,
)
from saloon.station.web.account.access import require
from saloon.station.web.text.reasons import Missing
from saloon.station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


@get("/")
async def data(here: AtTournament) -> Template:
    """Show what can be downloaded now."""
    return here.page("judge/data.html", tables=_allowed(here), hidden=len(DataTable) - len(_allowed(here)))


def _allowed(here: TournamentContext) -> list[DataTable]:
    return [table for table in DataTable if here.may(permission_for(table, here.state))]


@get("/{table:str}/file.csv")
async def download_csv(here: AtTournament, table: FromPath[str]) -> Response[bytes]:
    """Return one table as CSV."""
    found = next((one for one in DataTable if one.value == table), None)
    if found is None:
        raise NotFoundException(Missing.DATA.value)
    await require(here.request, permission_for(found, here.state))
    content = await asyncio.to_thread(lambda: as_csv(exported(found, here.state, here.rules)))
    return _file(here, content, f"{found.value}.csv", "text/csv; charset=utf-8")


@get("/workbook.xlsx")
async def download_workbook(here: AtTournament) -> Response[bytes]:
    """Return all tables that the person may see as a workbook."""
    tables = _allowed(here)
    content = await asyncio.to_thread(
        lambda: as_workbook({table: exported(table, here.state, here.rules) for table in tables})
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return _file(here, content, "data.xlsx", kind)


def _file(here: TournamentContext, content: bytes, name: str, kind: str) -> Response[bytes]:
    disposition = f'attachment; filename="{here.state.tournament}-{name}"'
    return Response(content, media_type=kind, headers={"Content-Disposition": disposition})


routes = tournament_routes(data, download_csv, download_workbook, under="/data")
