"""The calls of all tables: one queue for all judges, response times, and notifications on devices."""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Final

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Response, Template

from station.accounts.permissions import Permission, permissions_of
from station.audit import Audit
from station.calls.service import JudgeCalls
from station.text.names import round_title
from station.text.reasons import Done, Missing
from station.web.page_certificate import format_fingerprint, installable_certificate
from station.web.site import referring_page
from station.web.tournament_context import (
    AtStation,
    AtTable,
    PageContext,
    TableContext,
    station_routes,
    table_routes,
)

_HERE: Final = "/judge/calls"


@get("/", needs=Permission.FLOOR)
async def calls(here: AtStation) -> Template:
    """Show the queue, the response times, and how this device can notify the judge."""
    fingerprint = await asyncio.to_thread(_fingerprint, here)
    return await _queue_page(here, "judge/calls.html", fingerprint=fingerprint)


@get("/queue", needs=Permission.FLOOR)
async def queue(here: AtStation) -> Template:
    """Show the open calls, as requested by the page after a change."""
    return await _queue_page(here, "judge/_call_queue.html")


@get("/badge", needs=Permission.FLOOR)
async def badge(here: AtStation) -> Template:
    """Show the number of waiting calls, as requested by every judge's page after a change."""
    return here.page("judge/_call_badge.html")


@get("/report", needs=Permission.FLOOR)
async def report(here: AtStation) -> Template:
    reports = here.service.of(JudgeCalls).day_reports()
    return here.page("judge/call_report.html", reports=reports, t_names=_names(here), with_days=True)


@get("/certificate", needs=Permission.FLOOR)
async def certificate(here: AtStation) -> Response[bytes]:
    """Return the pages' certificate as a download, for installing it on a phone or computer."""
    file = here.site.page_certificate
    if file is None or not file.exists():
        raise NotFoundException(Missing.CERTIFICATE.value)
    content = await asyncio.to_thread(installable_certificate, file)
    headers = {"content-disposition": 'attachment; filename="saloon-station.crt"'}
    return Response(content, media_type="application/x-x509-ca-cert", headers=headers)


@post("/answer", needs=Permission.FLOOR, audit=Audit("Answered a table's call"))
async def claim(here: AtTable) -> Redirect:
    """Record that the judge is on the way."""
    is_head_judge = here.may(Permission.HEAD_CALLS)
    work = here.service.of(JudgeCalls).claim(here.card.game_id, here.judge, is_head_judge=is_head_judge)
    return await _act(here, work, Done.COMING, here.judge)


@post("/call/release", needs=Permission.FLOOR, audit=Audit("Released a call"))
async def release(here: AtTable) -> Redirect:
    work = here.service.of(JudgeCalls).release(here.card.game_id, here.judge)
    return await _act(here, work, Done.CALL_RELEASED, "")


@post("/call/hand-over", needs=Permission.FLOOR, audit=Audit("Handed a call over"))
async def hand_over(here: AtTable) -> Redirect:
    """Send another judge to a table."""
    to, judges = (await here.fields()).text("to"), await _judges(here)
    work = here.service.of(JudgeCalls).hand_over(here.card.game_id, here.judge, to, judges)
    return await _act(here, work, Done.CALL_HANDED_OVER, to)


@post("/call/escalate", needs=Permission.FLOOR, audit=Audit("Asked for the head judge at a table"))
async def escalate(here: AtTable) -> Redirect:
    work = here.service.of(JudgeCalls).escalate(here.card.game_id, here.judge)
    return await _act(here, work, Done.CALL_ESCALATED)


@post("/call/end", needs=Permission.FLOOR, audit=Audit("Closed a call"))
async def end_call(here: AtTable) -> Redirect:
    work = here.service.of(JudgeCalls).end(here.card.game_id, here.judge)
    return await _act(here, work, Done.CALL_ENDED)


async def _act(
    here: TableContext, work: Awaitable[object], done: Done, coming: str | None = None
) -> Redirect:
    """Act on a table's call, recording who was on the way before and who is now."""
    calls = here.service.of(JudgeCalls).open_calls()
    call = next((one for one in calls if one.game == here.card.game_id), None)
    if call is not None:
        here.recorded.note_change("coming", call.coming, call.coming if coming is None else coming)
    return await here.act(work, referring_page(here.request, f"{here.url}/floor"), done)


async def _queue_page(here: PageContext, template: str, **values: object) -> Template:
    service, words = here.service, here.words
    reports = service.of(JudgeCalls).day_reports()
    titles = {
        call.game: round_title(call.table.tournament, call.table.round, words)
        for call in service.of(JudgeCalls).open_calls()
    }
    return here.page(
        template,
        200,
        round_titles=titles,
        now_ms=service.context.parts.clock.wall_ms(),
        judges=await _judges(here),
        reports=[report for report in reports if report.day == reports[0].day],
        t_names=_names(here),
        with_days=False,
        **values,
    )


async def _judges(here: PageContext) -> tuple[str, ...]:
    known = await asyncio.to_thread(here.site.judges.all)
    return tuple(judge.name for judge in known if Permission.FLOOR in permissions_of(judge.role))


def _names(here: PageContext) -> dict[str, str]:
    return {state.tournament: state.name for state in here.service.tournaments()}


def _fingerprint(here: PageContext) -> str:
    file = here.site.page_certificate
    if file is not None and here.request.url.scheme == "https":
        with contextlib.suppress(OSError, ValueError):
            return format_fingerprint(file)
    return ""


routes = station_routes(_HERE, calls, queue, badge, report, certificate)
routes_of_one = table_routes(claim, release, hand_over, escalate, end_call)
