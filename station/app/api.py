"""The read-only HTTP API for programs, version 1: public data, and more with a token.

It is described at ``/api/openapi.json``. Money, roles and ranks are available once the ranking is published,
as on the pages; before that, only with a token whose role may see the standings. Cookies are ignored.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

import msgspec
from litestar import Router, get
from litestar.datastructures import ResponseHeader
from litestar.exceptions import NotAuthorizedException, NotFoundException, PermissionDeniedException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import FromPath
from litestar.response import ServerSentEvent, ServerSentEventMessage

from base import __version__
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.api_tokens import ApiToken, sent_token
from station.accounts.permissions import Permission, permissions_of
from station.exports import DataTable, exported, permission_for
from station.hall.changes import Change
from station.players.service import Desk
from station.projectors.hall_pages import LiveTable, live_table
from station.text.reasons import Missing
from station.web.live import BrowserStreams, changes_until
from station.web.site import PageRequest, site_of

_PATH: Final = "/api/v1"


class TournamentSummary(msgspec.Struct, frozen=True):
    """A tournament.

    date: ISO 8601.
    stage: registration, sealed, drawn, playing, between, finals, finished or published.
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
    """A registered player. ``status`` is playing, withdrawn or ejected."""

    player: str
    name: str
    club: str
    status: str


class SeatedTable(msgspec.Struct, frozen=True):
    """A table.

    players: ids by seat, Sheriff first.
    has_result: its record sheet was accepted.
    """

    table: int
    players: tuple[str, ...]
    has_result: bool


class PublishedRound(msgspec.Struct, frozen=True):
    """A published round.

    seal: SHA-256 of the seed.
    attempt: how often it was drawn.
    """

    round: int
    attempt: int
    seal: str
    seed: str
    hall_word: str
    tables: tuple[SeatedTable, ...]


class ResultCells(msgspec.Struct, frozen=True):
    """A line of a record sheet, as in the exported table.

    ``by_seat`` is the seat that eliminated the player.
    """

    round: int
    table: int
    seat: int
    player: str
    name: str
    role: str
    character: str | None
    fate: str
    by_seat: int | None
    cause: str | None
    won: int
    ending: str
    winnings: int
    spent: int


class RankingCells(msgspec.Struct, frozen=True):
    """A player in the ranking, as in the exported table.

    ``rank`` and ``rank_to`` are null for a player who left.
    """

    rank: int | None
    rank_to: int | None
    player: str
    name: str
    games: int
    score: int
    bonus: int
    prize: int
    total: int
    tie_breaks: str


class PrizeCells(msgspec.Struct, frozen=True):
    """A winner of one of the organiser's prizes, as in the exported table.

    players: names; for a club, those of the players whose figures count.
    club: "" for a player.
    """

    prize: str
    place: int
    players: str
    club: str
    figure: int


class PenaltyCells(msgspec.Struct, frozen=True):
    """A warning or an ejection, as in the exported table. ``round`` is null if it was not in a round."""

    player: str
    name: str
    penalty: str
    round: int | None
    category: str | None
    reason: str


class ResultRow(msgspec.Struct, frozen=True):
    """A row of the results."""

    cells: ResultCells


class RankingRow(msgspec.Struct, frozen=True):
    """A row of the ranking."""

    cells: RankingCells


class PrizeRow(msgspec.Struct, frozen=True):
    """A row of the prizes."""

    cells: PrizeCells


class PenaltyRow(msgspec.Struct, frozen=True):
    """A row of the penalties."""

    cells: PenaltyCells


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


@get("/tournaments", needs=Permission.PUBLIC_PAGES)
async def list_tournaments(request: PageRequest) -> tuple[TournamentSummary, ...]:
    """List all tournaments, newest first."""
    return tuple(map(_summary, site_of(request).service.tournaments()))


@get("/tournaments/{tournament:str}", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def show_tournament(request: PageRequest, tournament: FromPath[str]) -> TournamentSummary:
    """Show one tournament."""
    return _summary(_state(request, tournament))


@get("/tournaments/{tournament:str}/players", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def list_players(request: PageRequest, tournament: FromPath[str]) -> tuple[RegisteredPlayer, ...]:
    """List the players of a tournament in order of registration."""
    return tuple(
        RegisteredPlayer(
            player=one.player,
            name=one.name,
            club=one.club,
            status="ejected" if one.ejected else "withdrawn" if one.withdrawn else "playing",
        )
        for one in _state(request, tournament).entrants
    )


@get("/tournaments/{tournament:str}/rounds", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def list_rounds(request: PageRequest, tournament: FromPath[str]) -> tuple[PublishedRound, ...]:
    """List the published rounds with their draws and seats."""
    return tuple(map(_round, _state(request, tournament).published_rounds))


def _round(drawn: Round) -> PublishedRound:
    done = {sheet.game for sheet in drawn.sheets}
    tables = tuple(SeatedTable(one.table, one.players, one.game in done) for one in drawn.tables)
    return PublishedRound(drawn.round, drawn.attempt, drawn.seal, drawn.seed, drawn.hall_word, tables)


@get("/tournaments/{tournament:str}/tables", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def list_live_tables(request: PageRequest, tournament: FromPath[str]) -> tuple[LiveTable, ...]:
    """List the running tables: turn, players in play and High Noon. Empty between rounds."""
    cards = site_of(request).service.live_floor.cards(_state(request, tournament))
    return tuple(map(live_table, cards))


@get("/tournaments/{tournament:str}/results", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def list_results(request: PageRequest, tournament: FromPath[str]) -> tuple[ResultRow, ...]:
    """List the lines of all record sheets. Without a token, 404 until the ranking is published."""
    rows = await _rows(request, tournament, DataTable.RESULTS)
    return msgspec.convert(rows, tuple[ResultRow, ...])


@get("/tournaments/{tournament:str}/ranking", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def show_ranking(request: PageRequest, tournament: FromPath[str]) -> tuple[RankingRow, ...]:
    """Show the ranking, best first. Without a token, 404 until it is published."""
    rows = await _rows(request, tournament, DataTable.RANKING)
    return msgspec.convert(rows, tuple[RankingRow, ...])


@get("/tournaments/{tournament:str}/prizes", needs=Permission.PUBLIC_PAGES, raises=[NotFoundException])
async def list_prizes(request: PageRequest, tournament: FromPath[str]) -> tuple[PrizeRow, ...]:
    """List the winners of the organiser's prizes. Without a token, 404 until the ranking is published."""
    rows = await _rows(request, tournament, DataTable.PRIZES)
    return msgspec.convert(rows, tuple[PrizeRow, ...])


@get(
    "/tournaments/{tournament:str}/penalties",
    needs=Permission.PUBLIC_PAGES,
    raises=[NotAuthorizedException, NotFoundException],
)
async def list_penalties(request: PageRequest, tournament: FromPath[str]) -> tuple[PenaltyRow, ...]:
    """List warnings and ejections with their reasons. Requires a token."""
    await _required_token(request)
    rows = await _rows(request, tournament, DataTable.PENALTIES)
    return msgspec.convert(rows, tuple[PenaltyRow, ...])


async def _rows(request: PageRequest, tournament: str, table: DataTable) -> list[dict[str, object]]:
    """Return a table's rows for the response. Raises an HTTP error if they are secret from the caller."""
    state, token = _state(request, tournament), await _token_of(request)
    is_public = table is not DataTable.PENALTIES and state.stage is Stage.PUBLISHED
    if not is_public:
        if token is None:
            raise NotFoundException(Missing.NOT_PUBLIC.value)
        if permission_for(table, state) not in permissions_of(token.role):
            raise PermissionDeniedException(Missing.NOT_FOR_THIS_PROGRAM.value)
    service = site_of(request).service
    rules, state = service.rules(state.tournament), await service.of(Desk).with_newcomers(state)
    content = await asyncio.to_thread(exported, table, state, rules)
    return [{"cells": dict(zip(content.head, row, strict=True))} for row in content.rows]


@get(
    "/tournaments/{tournament:str}/changes",
    needs=Permission.PUBLIC_PAGES,
    media_type="text/event-stream",
    raises=[NotAuthorizedException, NotFoundException],
)
async def follow_changes(request: PageRequest, tournament: FromPath[str]) -> ServerSentEvent:
    """Stream notifications of changes as server-sent events. Requires a token.

    Events: ``tournament``, and ``table`` with the table's number; a program then requests the data that it
    needs.
    """
    await _required_token(request)
    _state(request, tournament)
    return ServerSentEvent(_changes(request, site_of(request).service.context.feed.changes()))


async def _changes(
    request: PageRequest, changes: AsyncIterator[Change]
) -> AsyncGenerator[ServerSentEventMessage, None]:
    streams: BrowserStreams = request.app.state.streams
    yield ServerSentEventMessage(event="tournament", data="")
    token = hashlib.sha256(sent_token(request.headers["authorization"]).encode()).hexdigest()
    with streams.begin(f"token {token}") as must_end:
        async for change in changes_until(changes, must_end):
            if change is None:
                if await _is_refused(request):
                    return
                # Comments keep proxies from closing an idle stream.
                yield ServerSentEventMessage(comment="")
            elif change.what == "tournament":
                yield ServerSentEventMessage(event="tournament", data="")
            elif change.table is not None:
                yield ServerSentEventMessage(event="table", data=str(change.table))


async def _is_refused(request: PageRequest) -> bool:
    try:
        return await _token_of(request) is None
    except NotAuthorizedException:
        return True


async def _token_of(request: PageRequest) -> ApiToken | None:
    """Return the record of the API token in a request, or None without one. Raises NotAuthorizedException."""
    if "authorization" not in request.headers:
        return None
    token = sent_token(request.headers["authorization"])
    record = await asyncio.to_thread(site_of(request).api_tokens.find, token)
    if record is None:
        raise NotAuthorizedException(Missing.UNKNOWN_PROGRAM.value, headers={"WWW-Authenticate": "Bearer"})
    return record


async def _required_token(request: PageRequest) -> None:
    if await _token_of(request) is None:
        raise NotAuthorizedException(Missing.UNKNOWN_PROGRAM.value, headers={"WWW-Authenticate": "Bearer"})


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
        list_prizes,
        list_penalties,
        follow_changes,
    ],
    security=[{}, {"token": []}],
    include_in_schema=True,
    response_headers=[
        ResponseHeader(name="Access-Control-Allow-Origin", value="*"),
        ResponseHeader(name="Access-Control-Allow-Headers", value="Authorization"),
    ],
)


def describe() -> OpenAPIConfig:
    """Return an app's OpenAPI configuration."""
    return OpenAPIConfig(
        title="Saloon",
        version=__version__,
        description="Tournaments of the card game BANG!, as everybody may see them; a head judge makes "
        "tokens that open more. Unofficial.",
        components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
        openapi_router=Router(
            "/api", route_handlers=[], include_in_schema=False, opt={"needs": Permission.PUBLIC_PAGES}
        ),
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )
