"""The judge's pages of terminals: enrolment, tables, PINs, remote control, and problems with journals."""

import datetime as dt
import time
from typing import Final

import msgspec
from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import BadData, Refused, Unavailable
from core.terms import TableNo
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind
from station.hall.problems import JournalProblem
from station.projections.cards import JoinCodeState, NewTerminal, TimedGameStep
from station.sign_in.service import PhoneSignIn
from station.terminals.admission import TerminalAdmission
from station.terminals.service import RemoteControl, Terminals
from station.text.i18n import Words
from station.text.reasons import Done, Missing
from station.text.story_in_words import StoryRow, story_lines
from station.web.page_keys import shown_key
from station.web.site import referring_page
from station.web.tournament_context import AtStation, PageContext, station_routes, unchanged
from sync.protocol.entry import TerminalId

_HERE: Final = "/judge/terminals"


@get("/", needs=Permission.TERMINALS)
async def terminals(here: AtStation) -> Template:
    """Show all known terminals."""
    return here.page(
        "judge/terminals.html",
        terminals=here.service.terminals(),
        pairs=here.service.problems.bus_alarms(),
        doors=await _doors_now(here) if here.may(Permission.ENROLMENT) else None,
        sign_in=here.service.of(PhoneSignIn),
    )


@get("/{terminal:str}/link", needs=Permission.TERMINALS)
async def link(here: AtStation, terminal: FromPath[str]) -> Template:
    """Show the state and the counters of one terminal's link."""
    try:
        look = here.service.problems.link(TerminalId(terminal))
    except KeyError as error:
        raise NotFoundException(Missing.GONE.value) from error
    words = here.words.gettext(look.finding.value).format(**look.fields)
    return here.page("judge/link.html", look=look, words=words)


@post("/enrol", needs=Permission.ENROLMENT, audit=Audit("Created a provisioning file", keeps="table"))
async def enrol(here: AtStation) -> Response[bytes] | Redirect:
    """Return a new provisioning file for one terminal."""
    fields = await here.fields()
    try:
        table = fields.table()
        made = await here.service.of(Terminals).enrol(table, here.judge, is_floor=here.is_floor)
    except (BadData, Refused, Unavailable) as error:
        return here.refuse(error, _HERE)
    name = f"saloon-table-{table}.toml" if table is not None else "saloon.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made.encode(), media_type="application/toml", headers=headers, status_code=200)


@post(
    "/{terminal:str}/assign",
    needs=Permission.ENROLMENT,
    audit=Audit("Assigned a terminal to a table"),
)
async def assign(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Assign a terminal to a table."""
    table = (await here.fields()).table()
    here.recorded.note_change("table", _table_of(here, terminal), table)
    work = here.service.of(Terminals).assign(TerminalId(terminal), table, here.judge, is_floor=here.is_floor)
    return await here.act(work, _HERE, Done.ASSIGNED)


def _table_of(here: PageContext, terminal: str) -> TableNo | None:
    """Return the table of a terminal, which is recorded, or None."""
    table = next((one.table for one in here.service.terminals() if one.terminal == terminal), None)
    here.recorded.known["table"] = "–" if table is None else str(table)
    return table


@post(
    "/trust",
    needs=Permission.FLOOR,
    audit=Audit("Trusted terminals that an organiser enrolled", keeps="terminals", kind=AuditKind.TERMINALS),
)
async def trust(here: AtStation) -> Redirect:
    """Trust the terminals that the page listed as enrolled by an organiser."""
    chosen = tuple(map(TerminalId, (await here.fields()).raw("terminals").split()))
    return await here.act(here.service.of(Terminals).trust(chosen, here.judge), _HERE, Done.TRUSTED)


@get("/pins", needs=Permission.FLOOR)
async def pins(here: AtStation) -> Template:
    """Show the PIN of each trusted terminal, for printing."""
    rows = [(card, here.service.pin(card.terminal)) for card in here.service.terminals() if card.trusted]
    return here.page("judge/pins.html", rows=rows)


@post("/pins", needs=Permission.PIN, audit=Audit("Gave all terminals new PINs"))
async def new_pins(here: AtStation) -> Redirect:
    work = here.service.of(Terminals).renew_pins(here.judge)
    return await here.act(work, f"{_HERE}/pins", Done.PINS_CHANGED)


@post("/sign-in", needs=Permission.ENROLMENT, audit=Audit("Changed the sign-in by phone"))
async def sign_in(here: AtStation) -> Redirect:
    """Switch the sign-in by phone on or off, and set the address for phones."""
    fields = await here.fields()
    is_on = fields.is_ticked("on")
    address, is_judge = fields.text("address"), here.is_floor
    former = here.service.of(PhoneSignIn).settings
    here.recorded.note_change("on", former.is_on, is_on)
    here.recorded.note_change("address", former.address, address)
    work = here.service.of(PhoneSignIn).choose(is_on=is_on, address=address, by=here.judge, is_judge=is_judge)
    return await here.act(work, _HERE, Done.SIGN_IN_ON if is_on else Done.SIGN_IN_OFF)


class PendingEnrolments(msgspec.Struct, frozen=True):
    """The terminals waiting at a cable, and the join code. ``key`` changes with any of them."""

    waiting: tuple[NewTerminal, ...]
    code: JoinCodeState | None
    until: str
    key: str


@get("/doors", needs=Permission.ENROLMENT)
async def doors(here: AtStation, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show waiting terminals and the code's state, as polled; return nothing if ``seen`` is current."""
    state = await _doors_now(here)
    if state.key == seen:
        return unchanged()
    return here.page("judge/_doors.html", doors=state)


async def _doors_now(here: PageContext) -> PendingEnrolments:
    admission = here.service.of(TerminalAdmission)
    waiting, code = admission.waiting(), await admission.code_shown(is_floor=here.is_floor)
    ends = dt.datetime.fromtimestamp(time.time() + code.left_s, dt.UTC).astimezone() if code else None
    until = ends.strftime("%H:%M:%S") if ends is not None else ""
    key = shown_key(([one.check_code for one in waiting], (code.state, code.code) if code else None))
    return PendingEnrolments(waiting, code, until, key)


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
    _table_of(here, terminal)
    work = here.service.of(Terminals).revoke(TerminalId(terminal), here.judge, is_floor=here.is_floor)
    return await here.act(work, _HERE, Done.REVOKED)


@post("/{terminal:str}/lock", needs=Permission.REMOTE_CONTROL, audit=Audit("Locked a terminal"))
async def lock(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Lock a terminal's screen."""
    _table_of(here, terminal)
    work = here.service.of(RemoteControl).lock(TerminalId(terminal), is_locked=True, by=here.judge)
    return await here.act(work, _back(here), Done.GLASS_LOCKED)


@post("/{terminal:str}/unlock", needs=Permission.REMOTE_CONTROL, audit=Audit("Unlocked a terminal"))
async def unlock(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Unlock a terminal's screen."""
    _table_of(here, terminal)
    work = here.service.of(RemoteControl).lock(TerminalId(terminal), is_locked=False, by=here.judge)
    return await here.act(work, _back(here), Done.GLASS_UNLOCKED)


@post("/{terminal:str}/restart", needs=Permission.REMOTE_CONTROL, audit=Audit("Restarted a terminal"))
async def restart(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Restart a terminal."""
    _table_of(here, terminal)
    work = here.service.of(RemoteControl).restart(TerminalId(terminal), here.judge)
    return await here.act(work, _back(here), Done.RESTARTING)


@post("/{terminal:str}/identify", needs=Permission.MESSAGES, audit=Audit("Identified a terminal"))
async def identify(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Make a terminal blink, sound and show which one it is."""
    _table_of(here, terminal)
    work = here.service.of(RemoteControl).identify(TerminalId(terminal), here.judge)
    return await here.act(work, _back(here), Done.IDENTIFIED)


@post("/lock-all", needs=Permission.REMOTE_CONTROL, audit=Audit("Locked all terminals"))
async def lock_all(here: AtStation) -> Redirect:
    work = here.service.of(RemoteControl).lock_all(is_locked=True, by=here.judge)
    return await here.act(work, _HERE, Done.GLASSES_LOCKED)


@post("/unlock-all", needs=Permission.REMOTE_CONTROL, audit=Audit("Unlocked all terminals"))
async def unlock_all(here: AtStation) -> Redirect:
    work = here.service.of(RemoteControl).lock_all(is_locked=False, by=here.judge)
    return await here.act(work, _HERE, Done.GLASSES_UNLOCKED)


@post("/identify-spares", needs=Permission.MESSAGES, audit=Audit("Identified the spares"))
async def identify_spares(here: AtStation) -> Redirect:
    """Make all terminals without a table identify themselves."""
    return await here.act(
        here.service.of(RemoteControl).identify_spares(here.judge), _back(here), Done.IDENTIFIED
    )


def _back(here: PageContext) -> str:
    return referring_page(here.request, _HERE)


@get("/{terminal:str}/trouble", needs=Permission.FLOOR)
async def trouble(here: AtStation, terminal: FromPath[str]) -> Template:
    """Show all problems found in a terminal's journal."""
    words = here.words
    problems = await here.service.problems.of_terminal(TerminalId(terminal))
    return here.page(
        "judge/trouble.html",
        terminal=terminal,
        card=next((card for card in here.service.terminals() if card.terminal == terminal), None),
        problems=problems,
        story_rows=lambda one: (_story_rows(one.stored, one, words), _story_rows(one.received, one, words)),
        unseen=any(not one.is_seen for one in problems),
    )


@get(
    "/{terminal:str}/trouble/export",
    needs=Permission.FLOOR,
    audit=Audit("Downloaded a terminal's entries", kind=AuditKind.TERMINALS),
)
async def export(here: AtStation, terminal: FromPath[str]) -> Response[bytes]:
    """Return both versions of all quarantined entries as a file."""
    content = await here.service.problems.export_of(TerminalId(terminal))
    # The address may contain anything, but a header allows only Latin-1 and no quotes.
    name = "".join(sign for sign in terminal if sign.isascii() and sign.isalnum())[:8]
    headers = {"Content-Disposition": f'attachment; filename="quarantine-{name}.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@post(
    "/{terminal:str}/trouble/seen",
    needs=Permission.FLOOR,
    audit=Audit("Marked a terminal's problem as seen", kind=AuditKind.TERMINALS),
)
async def mark_seen(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Mark the problems as seen by the judge, which ends the alarm."""
    work = here.service.problems.mark_terminal_seen(TerminalId(terminal), here.judge)
    return await here.act(work, f"{_HERE}/{terminal}/trouble", Done.SEEN)


def _story_rows(step: TimedGameStep | None, one: JournalProblem, words: Words) -> tuple[StoryRow, ...]:
    if step is None or not one.names:
        return ()
    try:
        return story_lines([step], one.names, words)
    except LookupError:  # a seat that the table does not have
        return ()


routes = station_routes(
    _HERE, terminals, link, enrol, assign, trust, pins, new_pins, sign_in,
    doors, show_code, take_in, refuse, ask_to_revoke, revoke,
    lock, unlock, restart, identify, lock_all, unlock_all, identify_spares,
    trouble, export, mark_seen,
)  # fmt: skip
