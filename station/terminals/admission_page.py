"""Enrolment of new terminals at a cable or by join code, and revoking terminals."""

import datetime as dt
import hashlib
import time

import msgspec
from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from station.accounts.permissions import Permission
from station.audit import Audit
from station.projections.terminal_cards import JoinCodeState, NewTerminal
from station.terminals.admission import TerminalAdmission
from station.terminals.service import Terminals
from station.text.reasons import Done, Missing
from station.web.tournament_context import AtStation, PageContext, station_routes
from sync.protocol.entry import TerminalId

_HERE = "/judge/terminals"
_UNCHANGED = 204


class PendingEnrolments(msgspec.Struct, frozen=True):
    """The terminals waiting at a cable, and the join code with the time when it expires.

    ``key`` changes with any of them.
    """

    waiting: tuple[NewTerminal, ...]
    code: JoinCodeState | None
    until: str
    key: str


@get("/doors", needs=Permission.ENROLMENT)
async def doors(here: AtStation, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show waiting terminals and the code's state, as polled; return nothing if ``seen`` is current."""
    state = await doors_now(here)
    if state.key == seen:
        return Response(None, status_code=_UNCHANGED)
    return here.page("judge/_doors.html", doors=state)


async def doors_now(here: PageContext) -> PendingEnrolments:
    """Return the current content of this part of the page."""
    admission = here.service.of(TerminalAdmission)
    waiting, code = admission.waiting(), await admission.code_shown(is_floor=here.is_floor)
    ends = dt.datetime.fromtimestamp(time.time() + code.left_s, dt.UTC).astimezone() if code else None
    until = ends.strftime("%H:%M:%S") if ends is not None else ""
    return PendingEnrolments(waiting, code, until, _key(waiting, code))


def _key(waiting: tuple[NewTerminal, ...], code: JoinCodeState | None) -> str:
    said = [one.check_code for one in waiting] + ([code.state.value, code.code] if code else [])
    return hashlib.sha256("/".join(said).encode()).hexdigest()[:16]


@post("/code", needs=Permission.ENROLMENT, audit=Audit("Created a code to enrol a terminal", keeps="table"))
async def show_code(here: AtStation) -> Redirect:
    """Show a join code for three minutes."""
    work = here.service.of(TerminalAdmission).show_code(
        (await here.fields()).table(), here.judge, is_floor=here.is_floor
    )
    return await here.act(work, _HERE)


@post("/take-in", needs=Permission.ENROLMENT, audit=Audit("Enrolled a terminal at a cable", keeps="table"))
async def take_in(here: AtStation) -> Redirect:
    """Enrol the terminal waiting at a cable."""
    fields = await here.fields()
    work = here.service.of(TerminalAdmission).take_in(
        fields.text("check-code"), fields.table(), here.judge, is_floor=here.is_floor
    )
    return await here.act(work, _HERE, Done.TAKEN_IN)


@post("/refuse", needs=Permission.ENROLMENT, audit=Audit("Refused a terminal at a cable"))
async def refuse(here: AtStation) -> Redirect:
    """Refuse the terminal waiting at a cable."""
    work = here.service.of(TerminalAdmission).refuse((await here.fields()).text("check-code"), here.judge)
    return await here.act(work, _HERE, Done.SENT_AWAY)


@get("/{terminal:str}/revoke", needs=Permission.ENROLMENT)
async def ask_to_revoke(here: AtStation, terminal: FromPath[str]) -> Template:
    """Ask for confirmation before revoking a terminal, which cannot be undone."""
    card = next((card for card in here.service.terminals() if card.terminal == terminal), None)
    if card is None:
        raise NotFoundException(Missing.GONE.value)
    return here.page("judge/revoke.html", c=card)


@post("/{terminal:str}/revoke", needs=Permission.ENROLMENT, audit=Audit("Revoked a terminal"))
async def revoke(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Revoke a terminal, which is refused from now on."""
    work = here.service.of(Terminals).revoke(TerminalId(terminal), here.judge, is_floor=here.is_floor)
    return await here.act(work, _HERE, Done.REVOKED)


routes = station_routes(_HERE, doors, show_code, take_in, refuse, ask_to_revoke, revoke)
