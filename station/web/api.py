"""The HTTP interface for programs, version 1: read-only, and only what is public.

Its description is at ``/api/openapi.json``. Money, roles and ranks appear with the ranking, as on the pages.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import Router, get
from litestar.datastructures import ResponseHeader
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath
from litestar.response import Response

from saloon import __version__
from saloon.core.tournament.state import Round, Stage, TournamentState
from saloon.station.exports.tables import DataTable, exported
from saloon.station.web.projector import LiveTable, live_table
from saloon.station.web.site import PageRequest, site_of
from saloon.station.web.text.reasons import Missing

_PATH: Final = "/api/v1"


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament.

    date: ISO 8601. stage: registration, sealed, drawn, playing, between, finals, finished or published.
    """

    id: str
    name: str
    date: str
    edition: str
    stage: str
    players: int
    rounds_planned: int | None
    rounds_published: int


class RegisteredPlayer(msgspec.Struct, frozen=True):
    """A registered player. status: playing, withdrawn or ejected."""

    player: str
    name: str
    club: str
    status: str


class SeatedTable(msgspec.Struct, frozen=True):
    """A table. players: ids by seat, the Sheriff first. has_result: its record sheet is accepted."""

    table: int
    players: tuple[str, ...]
    has_result: bool


class PublishedRound(msgspec.Struct, frozen=True):
    """A published round. seal: SHA-256 of the seed. attempt: how often it was drawn."""

    round: int
    attempt: int
    seal: str
    seed: str
    hall_word: str
    tables: tuple[SeatedTable, ...]


class Record(msgspec.Struct, frozen=True):
    """A row of a table of data: its cells by the names of the columns."""

    cells: dict[str, str | int | None]


def _summary(state: TournamentState) -> TournamentSummary:
    return TournamentSummary(
        id=state.tournament,
        name=state.name,
        date=state.date,
        edition=state.edition,
        stage=state.stage.value,
        players=len(state.contenders),
        rounds_planned=state.rounds_planned,
        rounds_published=len(state.published_rounds),
    )


def _state(request: PageRequest, tournament: str) -> TournamentState:
    return site_of(request).tournament(tournament)


@get("/tournaments")
async def list_tournaments(request: PageRequest) -> tuple[TournamentSummary, ...]:
    """List all tournaments, the newest first."""
    return tuple(map(_summary, site_of(request).service.tournaments()))


@get("/tournaments/{tournament:str}", raises=[NotFoundException])
async def show_tournament(request: PageRequest, tournament: FromPath[str]) -> TournamentSummary:
    """Show one tournament."""
    return _summary(_state(request, tournament))


@get("/tournaments/{tournament:str}/players", raises=[NotFoundException])
async def list_players(request: PageRequest, tournament: FromPath[str]) -> tuple[RegisteredPlayer, ...]:
    """List the players of a tournament, in the order of registration."""
    return tuple(
        RegisteredPlayer(
            player=one.player,
            name=one.name,
            club=one.club,
            status="ejected" if one.ejected else "withdrawn" if one.withdrawn else "playing",
        )
        for one in _state(request, tournament).entrants
    )


@get("/tournaments/{tournament:str}/rounds", raises=[NotFoundException])
async def list_rounds(request: PageRequest, tournament: FromPath[str]) -> tuple[PublishedRound, ...]:
    """List the published rounds with their draws and seats."""
    return tuple(map(_round, _state(request, tournament).published_rounds))


def _round(drawn: Round) -> PublishedRound:
    done = {sheet.game for sheet in drawn.sheets}
    tables = tuple(SeatedTable(one.table, one.players, one.game in done) for one in drawn.tables)
    return PublishedRound(drawn.round, drawn.attempt, drawn.seal, drawn.seed, drawn.hall_word, tables)


@get("/tournaments/{tournament:str}/tables", raises=[NotFoundException])
async def list_live_tables(request: PageRequest, tournament: FromPath[str]) -> tuple[LiveTable, ...]:
    """List the tables in play: turn, players in play, High Noon. Empty between rounds."""
    cards = site_of(request).service.live_floor.cards(_state(request, tournament))
    return tuple(map(live_table, cards))


@get("/tournaments/{tournament:str}/results", raises=[NotFoundException])
async def list_results(request: PageRequest, tournament: FromPath[str]) -> tuple[Record, ...]:
    """List the lines of all record sheets. Not found until the ranking is published."""
    return await asyncio.to_thread(_records, request, tournament, DataTable.RESULTS)


@get("/tournaments/{tournament:str}/ranking", raises=[NotFoundException])
async def show_ranking(request: PageRequest, tournament: FromPath[str]) -> tuple[Record, ...]:
    """Show the ranking, best first. Not found until it is published."""
    return await asyncio.to_thread(_records, request, tournament, DataTable.RANKING)


def _records(request: PageRequest, tournament: str, table: DataTable) -> tuple[Record, ...]:
    state = _state(request, tournament)
    if state.stage is not Stage.PUBLISHED:
        raise NotFoundException(Missing.NOT_PUBLIC.value)
    found = exported(table, state, site_of(request).service.rules(state.tournament))
    return tuple(Record(dict(zip(found.head, row, strict=True))) for row in found.rows)


def _error(_request: PageRequest, error: HTTPException) -> Response[Mapping[str, str | int]]:
    """Return an error for programs."""
    content: Mapping[str, str | int] = {"status_code": error.status_code, "detail": error.detail}
    return Response(content, status_code=error.status_code)


routes = Router(
    _PATH,
    route_handlers=[
        list_tournaments,
        show_tournament,
        list_players,
        list_rounds,
        list_live_tables,
        list_results,
        show_ranking,
    ],
    include_in_schema=True,
    exception_handlers={HTTPException: _error},
    response_headers=[ResponseHeader(name="Access-Control-Allow-Origin", value="*")],
)
description = OpenAPIConfig(
    title="Saloon",
    version=__version__,
    description="Tournaments of the card game BANG!, as everybody may see them. Unofficial.",
    path="/api",
    render_plugins=[JsonRenderPlugin(path="/openapi.json")],
)
