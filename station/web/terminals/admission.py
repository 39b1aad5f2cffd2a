"""Admission of new terminals: the one at the cable, the code that admits one, and revoking."""

import datetime as dt
import hashlib
import time

import msgspec
from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from saloon.station.terminals.terminal_cards import JoinCodeState, NewTerminal
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, judge_of, page, run_action, site_of
from saloon.station.web.text.reasons import Done, Missing
from saloon.sync.protocol.entry import TerminalId

_HERE = "/judge/terminals"
_UNCHANGED = 204


class PendingEnrolments(msgspec.Struct, frozen=True):
    """The terminals waiting at a cable, and the code with the time of day when it ends.

    key: changes with any of them.
    """

    waiting: tuple[NewTerminal, ...]
    code: JoinCodeState | None
    until: str
    key: str


@get("/doors")
async def doors(request: PageRequest, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show waiting terminals and the code's state, as polled; return nothing if it equals ``seen``."""
    shown = await doors_now(request)
    if shown.key == seen:
        return Response(None, status_code=_UNCHANGED)
    return page(request, "judge/_doors.html", doors=shown)


async def doors_now(request: PageRequest) -> PendingEnrolments:
    """Return the present content of this part of the page."""
    admission = site_of(request).office.admission
    waiting, code = admission.waiting(), await admission.code_shown()
    ends = dt.datetime.fromtimestamp(time.time() + code.left_s, dt.UTC).astimezone() if code else None
    until = ends.strftime("%H:%M:%S") if ends is not None else ""
    return PendingEnrolments(waiting, code, until, _key(waiting, code))


def _key(waiting: tuple[NewTerminal, ...], code: JoinCodeState | None) -> str:
    said = [one.check_code for one in waiting] + ([code.state.value, code.code] if code else [])
    return hashlib.sha256("/".join(said).encode()).hexdigest()[:16]


@post("/code")
async def show_code(request: PageRequest) -> Redirect:
    """Show a code for three minutes."""
    table = (await form_of(request)).table()
    work = site_of(request).office.admission.show_code(table, judge_of(request))
    return await run_action(request, work, _HERE)


@post("/take-in")
async def take_in(request: PageRequest) -> Redirect:
    """Enrol the terminal at a cable."""
    fields = await form_of(request)
    admission = site_of(request).office.admission
    work = admission.take_in(fields.text("check-code"), fields.table(), judge_of(request))
    return await run_action(request, work, _HERE, Done.TAKEN_IN)


@post("/refuse")
async def refuse(request: PageRequest) -> Redirect:
    """Refuse the terminal at a cable."""
    check_code = (await form_of(request)).text("check-code")
    work = site_of(request).office.admission.refuse(check_code, judge_of(request))
    return await run_action(request, work, _HERE, Done.SENT_AWAY)


@get("/{terminal:str}/revoke")
async def ask_to_revoke(request: PageRequest, terminal: FromPath[str]) -> Template:
    """Show the terminal to be revoked and ask for confirmation: revoking cannot be undone."""
    cards = site_of(request).office.terminals()
    card = next((card for card in cards if card.terminal == terminal), None)
    if card is None:
        raise NotFoundException(Missing.GONE.value)
    since = dt.datetime.fromtimestamp(card.enrolled_ms / 1000, dt.UTC).astimezone()
    return page(request, "judge/revoke.html", c=card, since=since.strftime("%Y-%m-%d %H:%M"))


@post("/{terminal:str}/revoke")
async def revoke(request: PageRequest, terminal: FromPath[str]) -> Redirect:
    """Refuse a terminal from now on."""
    work = site_of(request).office.revoke(TerminalId(terminal), judge_of(request))
    return await run_action(request, work, _HERE, Done.REVOKED)


routes = Router(
    _HERE,
    before_request=only_judges,
    route_handlers=[doors, show_code, take_in, refuse, ask_to_revoke, revoke],
)
