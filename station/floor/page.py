"""The floor page: live tables in order of need, the round's clock, and the swap of a table's terminal."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from typing import Final, TypeVar

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, ServerSentEventMessage, Stream, Template

from base.errors import Refused
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.terms import Ending, RoundNo, Seconds, TableNo
from core.tournament.round_clock import (
    ClockDecision,
    ExtendRoundClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
)
from core.tournament.state.names import name_filter
from station.accounts.permissions import Permission
from station.audit import Audit
from station.floor.attention import (
    Attention,
    FloorLook,
    TablePictures,
    attention_of,
    place_of,
    silent_minutes,
)
from station.hall.changes import Change
from station.plan.service import HallPlans
from station.projections.cards import FloorCard
from station.terminals.service import Terminals
from station.text.reasons import Done, FormReason, Missing
from station.text.times import round_clock
from station.tournaments.next_step import next_step_of
from station.web.forms import Fields
from station.web.http_rules import COMPRESSED
from station.web.live import farewell, followed_batches
from station.web.site import csrf_input_of
from station.web.tournament_context import (
    AtTable,
    AtTournament,
    TournamentContext,
    table_routes,
    tournament_routes,
)
from sync.protocol.entry import TerminalId

_LOOK_COOKIE: Final = "floor"
_LOOK_COOKIE_S: Final = 365 * 24 * 3600
_LONGEST_SEARCH: Final = 80
_SHORTEST_ID: Final = 4
_FEW_TABLES: Final = 12
"""The largest hall shown as cards by default."""
_AT_A_TIME: Final = 20
"""The number of tables to process before yielding to other pages and terminals."""
_T = TypeVar("_T")


@get("/floor", needs=Permission.FLOOR, middleware=[COMPRESSED])
async def floor(here: AtTournament) -> Template:
    """Show the tables of the requested round, the running one or else the last one.

    The browser remembers ``?look=rows``, ``cards`` or ``plan``.
    """
    state, service = here.state, here.service
    running = [card async for card in _in_steps(service.live_floor.each_card(state))]
    round_no = _round_asked_for(here)
    if round_no is None and not running and state.published_rounds:
        round_no = state.published_rounds[-1].round
    is_live = bool(running) and (round_no is None or round_no == running[0].round)
    cards = running if is_live else service.floor(state.tournament, round_no=round_no) if round_no else ()
    chosen = here.request.query_params.get("look", "")
    look = _look(chosen or here.request.cookies.get(_LOOK_COOKIE, ""), len(cards))
    now_ms = service.live_floor.now_ms()
    ordered = sorted(cards, key=lambda card: place_of(card, now_ms))
    plan = None
    if look is FloorLook.PLAN:
        plan = (await service.of(HallPlans).plan()).with_tables(sorted(card.table for card in cards))
    answer = here.page(
        "judge/floor.html",
        cards=cards,
        on_paper=sum(card.is_on_paper for card in cards),
        plan=plan,
        tables=[(card.table, _html_of(here, card, look)) async for card in _in_steps(ordered)],
        calls=service.live_floor.calls(state),
        is_live=is_live,
        step=None if is_live or round_no not in {None, state.last_round} else next_step_of(here, cards),
        look=look.value,
        clock=round_clock(state, service.history(state.tournament), now_ms),
    )
    if chosen:
        answer.set_cookie(_LOOK_COOKIE, look.value, max_age=_LOOK_COOKIE_S, samesite="lax", httponly=True)
    return answer


async def _in_steps(things: Iterable[_T]) -> AsyncGenerator[_T, None]:
    """Yield items, letting other tasks run from time to time."""
    for number, thing in enumerate(things, start=1):
        yield thing
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)


def _look(name: str, tables: int) -> FloorLook:
    try:
        return FloorLook(name)
    except ValueError:
        return FloorLook.ROWS if tables > _FEW_TABLES else FloorLook.CARDS


def _html_of(here: TournamentContext, card: FloorCard, look: FloorLook) -> str:
    pictures: TablePictures = here.request.app.state.table_pictures
    return pictures.html(here, card, look, csrf_input_of(here.request))


def _round_asked_for(here: TournamentContext) -> RoundNo | None:
    asked_for = here.request.query_params.get("round", "")
    if not asked_for:
        return None
    for drawn in here.state.published_rounds:
        if str(drawn.round) == asked_for:
            return drawn.round
    raise NotFoundException(Missing.TABLE.value)


@get("/floor/calls", needs=Permission.FLOOR)
async def calls(here: AtTournament) -> Template:
    """Show the calling tables, as requested by the floor page after a change."""
    return here.page("judge/_calls.html", cards=here.service.live_floor.calls(here.state))


@get("/floor/events", needs=Permission.FLOOR)
async def events(here: AtTournament) -> Stream:
    """Stream the floor's changes: ``table-N`` with the table's HTML, and others as ``/judge/events`` does.

    A table is also sent when it has been silent for too long. ``?look=`` is as for the floor.
    """
    # Include changes made while the floor is read, as the page loads it at the same time.
    changes = followed_batches(here.request)
    batches = _batches(here, _look(here.request.query_params.get("look", ""), 0), changes)
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return Stream(_joined(batches), media_type="text/event-stream", headers=headers)


async def _joined(
    batches: AsyncGenerator[Sequence[ServerSentEventMessage], None],
) -> AsyncGenerator[bytes, None]:
    """Send simultaneous events together, as a large hall has many."""
    async with contextlib.aclosing(batches):
        # Without a first byte, a browser would not consider the stream open.
        yield b": open\r\n\r\n"
        async for batch in batches:
            if batch:
                yield b"".join(event.encode() for event in batch)


async def _batches(
    here: TournamentContext, look: FloorLook, followed: AsyncIterator[tuple[Change, ...] | None]
) -> AsyncGenerator[Sequence[ServerSentEventMessage], None]:
    floor = here.service.live_floor
    cards = _in_steps(floor.each_card(here.state))
    sent = {card.table: _state_by_time(card, floor.now_ms()) async for card in cards}
    async for changes in followed:
        now_ms, others = floor.now_ms(), list[ServerSentEventMessage]()
        if changes is None:
            cards = _in_steps(floor.each_card(here.state))
            changed = [card async for card in cards if sent.get(card.table) != _state_by_time(card, now_ms)]
        else:
            others = [
                ServerSentEventMessage(event=change.what, data=str(change.number))
                for change in changes
                if change.table is None
            ]
            if any(change.what == "tournament" for change in changes):
                here = TournamentContext(here.request, here.state.tournament)
            candidates = (
                floor.card(here.state, change.table) for change in changes if change.table is not None
            )
            changed = [card for card in candidates if card is not None]
            if changed:
                others.append(ServerSentEventMessage(event="floor", data=""))
        sent.update({card.table: _state_by_time(card, now_ms) for card in changed})
        tables = [
            ServerSentEventMessage(event=f"table-{card.table}", data=_html_of(here, card, look))
            async for card in _in_steps(changed)
        ]
        yield [*tables, *others]
    yield farewell(here.request)


def _state_by_time(card: FloorCard, now_ms: int) -> tuple[Attention, int | None]:
    return attention_of(card, now_ms), silent_minutes(card, now_ms)


@get("/find", needs=Permission.FLOOR)
async def find(here: AtTournament) -> Template:
    """Show the tables of all rounds that match ``?q=``: a player's name, a number, or a terminal's id."""
    wanted = " ".join(here.request.query_params.get("q", "").split())[:_LONGEST_SEARCH]
    seats = [(drawn, table) for drawn in here.state.published_rounds for table in drawn.tables]
    is_found = name_filter(wanted)
    players = {
        entrant: [(drawn.round, table.table) for drawn, table in seats if entrant.player in table.players]
        for entrant in here.state.entrants
        if is_found(here.names[entrant.player])
    }
    terminals = [
        one
        for one in here.service.terminals()
        if len(wanted) >= _SHORTEST_ID and one.terminal.startswith(wanted)
    ]
    numbers = {wanted, *(str(one.table) for one in terminals)}
    tables = [(drawn.round, table.table) for drawn, table in seats if str(table.table) in numbers]
    return here.page("judge/find.html", wanted=wanted, players=players, tables=tables, terminals=terminals)


@post(
    "/time", needs=Permission.FLOOR, audit=Audit("Ended a game at the time limit", keeps="how ending reason")
)
async def time_is_up(here: AtTable) -> Redirect:
    """Apply the consequence of the time limit: nobody wins, High Noon, or the judge's ruling."""
    fields = await here.fields()
    try:
        how = TimeLimit(fields.text("how")) if fields.text("how") else None
        ending = Ending(fields.text("ending")) if fields.text("ending") else None
    except ValueError:
        return here.refuse(FormReason.NO_ACTION, here.table_url)
    call = EndByTimeLimit(how, ending if how is TimeLimit.JUDGE else None, fields.text("reason"))
    work = here.service.of(Terminals).call_time(here.card.game_id, call, here.judge)
    return await here.act(work, here.table_url, Done.TIME_CALLED)


@get("/swap", needs=Permission.FLOOR)
async def swap_page(here: AtTable) -> Template:
    """Show the spares that can replace a table's terminal, connected ones first."""
    steps = len(here.service.story(here.card.game_id))
    spares = sorted((c for c in here.service.terminals() if c.table is None), key=lambda card: card.is_away)
    return here.page("judge/swap.html", steps=steps, spares=spares)


@post("/swap", needs=Permission.FLOOR, audit=Audit("Swapped a table's terminal"))
async def swap(here: AtTable) -> Redirect:
    """Assign the chosen terminal to this table."""
    terminal = (await here.fields()).text("terminal")
    if not terminal:
        return here.refuse(FormReason.NO_SPARE, f"{here.table_url}/swap")
    former = next((one.terminal for one in here.service.terminals() if one.table == here.card.table), "")
    here.recorded.note_change("terminal", former, terminal)
    work = here.service.of(Terminals).assign(TerminalId(terminal), here.card.table, here.judge)
    return await here.act(work, here.table_url, Done.SWAPPED)


@post(
    "/clock", needs=Permission.FLOOR, audit=Audit("Changed the round clock", keeps="do table minutes reason")
)
async def clock(here: AtTournament) -> Redirect:
    """Change the clock. Fields: do, table (empty for all), pause, minutes, reason."""
    return await here.run(_command(await here.fields()), f"{here.url}/floor")


def _command(fields: Fields) -> ClockDecision:
    number = fields.number("table")
    table = None if number is None else TableNo(number)
    reason = fields.text("reason")
    match fields.text("do"):
        case "start":
            return StartRoundClock()
        case "stop":
            return PauseRoundClock(table=table, reason=reason)
        case "run":
            return ResumeRoundClock(table=table, reason=reason, pause=fields.number("pause") or 0)
        case "give":
            return ExtendRoundClock(
                seconds=Seconds(60 * (fields.number("minutes") or 0)), table=table, reason=reason
            )
        case _:
            raise Refused(FormReason.NO_ACTION)


routes = tournament_routes(floor, calls, events, find, clock)
routes_of_one = table_routes(time_is_up, swap_page, swap)
