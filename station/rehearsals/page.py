"""Rehearsals: start one, cause faults, act at a table and read the final report."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import msgspec
from litestar import Router, get, post
from litestar.response import Redirect, Response, Template

from base.errors import Refused, SaloonError
from core.tournament.state.tournament import Stage as TournamentStage
from station.accounts.permissions import Permission
from station.audit import Audit, Unrecorded
from station.rehearsals.contract import (
    FaultKind,
    JudgeAction,
    MakeFault,
    PerformAction,
    RehearsalStage,
    RehearsalState,
    RehearsalStep,
    Request,
    SetPace,
)
from station.rehearsals.runner import RehearsalOptions, RehearsalReason, RehearsalRunner
from station.rehearsals.text import ADVICE, AT_TABLE
from station.text.i18n import Words
from station.web.forms import Fields, form_of
from station.web.site import PageRequest, notice, page, show_refusal, site_of, words_of

_HERE: Final = "/judge/rehearsal"
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_FEWEST_TABLES: Final = 2
_MOST_TABLES: Final = 50
_SPEEDS: Final = (1, 2, 5, 10, 20)
_RATES: Final = (0, 6, 20, 60)
_Choice = TypeVar("_Choice", FaultKind, JudgeAction)


def _runner(request: PageRequest) -> RehearsalRunner:
    runner: RehearsalRunner = request.app.state.rehearsals
    return runner


@get("/", needs=Permission.REHEARSALS)
async def rehearsal(request: PageRequest) -> Template:
    """Show the state of a running rehearsal, or the form for a new one and the last one's report."""
    return await _page(request, "judge/rehearsal.html")


@get("/live", needs=Permission.REHEARSALS)
async def live(request: PageRequest) -> Template | Response[str]:
    """Show the live part of the page; reload the whole page on a new stage."""
    state = await asyncio.to_thread(_runner(request).now)
    if state is None or state.stage.value != request.query_params.get("stage"):
        return Response("", headers={"HX-Refresh": "true"})
    return await _page(request, "judge/_rehearsal_live.html", is_fragment=True)


@post("/start", needs=Permission.REHEARSALS, audit=Audit("Began a rehearsal"))
async def start(request: PageRequest) -> Redirect:
    """Start a rehearsal, unless a round of a real tournament is running."""
    fields = await form_of(request)
    with _show_refusals(request):
        _may_start(request)
        wanted = _requested_options(fields, request.url.hostname or "127.0.0.1")
        await asyncio.to_thread(_runner(request).start, wanted)
    return Redirect(_HERE)


@post("/fault", needs=Permission.REHEARSALS, audit=Unrecorded("a rehearsal counts for nothing"))
async def fault(request: PageRequest) -> Redirect:
    """Cause a fault."""
    return await _request_at_table(request, "kind", FaultKind, MakeFault)


@post("/hand", needs=Permission.REHEARSALS, audit=Unrecorded("a rehearsal counts for nothing"))
async def hand(request: PageRequest) -> Redirect:
    """Perform an action at a table."""
    return await _request_at_table(request, "hand", JudgeAction, PerformAction)


@post("/pace", needs=Permission.REHEARSALS, audit=Unrecorded("a rehearsal counts for nothing"))
async def pace(request: PageRequest) -> Redirect:
    """Set the speed of play and the rate of random faults."""
    fields = await form_of(request)
    with _show_refusals(request):
        speed, rate = _offered_number(fields, "speed", _SPEEDS), _offered_number(fields, "rate", _RATES)
        await _ask(request, SetPace(None if speed is None else float(speed), rate), 0)
    return Redirect(_back(fields))


@post("/end", needs=Permission.REHEARSALS, audit=Audit("Ended a rehearsal"))
async def end(request: PageRequest) -> Redirect:
    """End the rehearsal, keeping only its final report."""
    await asyncio.to_thread(_runner(request).end)
    return Redirect(_HERE)


async def _request_at_table(
    request: PageRequest, field: str, kind: type[_Choice], make: Callable[[int, _Choice], Request]
) -> Redirect:
    fields = await form_of(request)
    with _show_refusals(request):
        table, text = fields.number("table") or 0, fields.text(field)
        try:
            chosen = msgspec.convert(text, kind)
        except msgspec.ValidationError as error:
            raise Refused(RehearsalReason.NOT_POSSIBLE, what=text[:40]) from error
        await _ask(request, make(table, chosen), table)
    return Redirect(_back(fields))


@contextlib.contextmanager
def _show_refusals(request: PageRequest) -> Iterator[None]:
    try:
        yield
    except SaloonError as error:
        show_refusal(request, error)


async def _page(request: PageRequest, template: str, *, is_fragment: bool = False) -> Template:
    state = await asyncio.to_thread(_runner(request).now)
    host = request.url.hostname or "127.0.0.1"
    return page(
        request,
        template,
        told=state,
        step="" if state is None or state.step is None else _in_words(state.step, words_of(request)),
        is_fragment=is_fragment,
        runs=state is not None and state.stage in {RehearsalStage.STARTING, RehearsalStage.PLAYING},
        is_playing=state is not None and state.stage is RehearsalStage.PLAYING,
        pages="" if state is None else _pages(state, host),
        solutions=bool(request.query_params.get("solutions")),
        doors_open=host in _LOOPBACK,
        kinds=tuple(FaultKind),
        hands=tuple(JudgeAction),
        advice=ADVICE,
        at_table=AT_TABLE,
        speeds=_SPEEDS,
        rates=_RATES,
        most=_MOST_TABLES,
    )


def _in_words(step: RehearsalStep, words: Words) -> str:
    return words.label(step.doing).format(n=step.number, all=step.of)


def _pages(state: RehearsalState, host: str) -> str:
    """Return the floor page of the rehearsal's own station, at an address that this browser can reach."""
    return f"http://{host}:{state.pages.rpartition(':')[2]}/judge/t/{state.tournament}/floor"


async def _ask(request: PageRequest, wanted: Request, table: int) -> RehearsalState:
    state = await asyncio.to_thread(_runner(request).ask, wanted)
    if state.said is not None:
        notice(request, words_of(request).label(state.said).format(n=table), bad=False)
    return state


def _may_start(request: PageRequest) -> None:
    """Raise Refused if no rehearsal may start, as during a real round."""
    site = site_of(request)
    if site.is_rehearsal:
        raise Refused(RehearsalReason.IN_REHEARSAL)
    for state in site.service.tournaments():
        if state.stage is TournamentStage.PLAYING:
            raise Refused(RehearsalReason.ROUND_RUNS, name=state.name)


def _requested_options(fields: Fields, host: str) -> RehearsalOptions:
    tables = fields.number("tables") or _FEWEST_TABLES
    if not _FEWEST_TABLES <= tables <= _MOST_TABLES:
        raise Refused(RehearsalReason.NOT_POSSIBLE, what=str(tables))
    return RehearsalOptions(
        tables=tables,
        speed=float(_offered_number(fields, "speed", _SPEEDS) or 1),
        per_hour=float(_offered_number(fields, "rate", _RATES) or 0),
        judges_confirm=fields.text("confirm") != "players",
        seed=fields.number("seed") or 1,
        # Someone who starts it from another computer wants to see it there.
        host="127.0.0.1" if host in _LOOPBACK else "0.0.0.0",  # noqa: S104
    )


def _offered_number(fields: Fields, name: str, offered: tuple[int, ...]) -> int | None:
    number = fields.number(name)
    if number is not None and number not in offered:
        raise Refused(RehearsalReason.NOT_POSSIBLE, what=str(number))
    return number


def _back(fields: Fields) -> str:
    return f"{_HERE}?solutions=yes" if fields.text("solutions") else _HERE


routes = Router(_HERE, route_handlers=[rehearsal, live, start, fault, hand, pace, end])
