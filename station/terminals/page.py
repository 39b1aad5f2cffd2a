"""The judge's page of terminals: provisioning files, tables and PINs."""

import asyncio

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from base.errors import BadData, Refused, Unavailable
from station.accounts.permissions import Permission
from station.audit import Audit, AuditKind
from station.sign_in.service import PhoneSignIn
from station.terminals.admission_page import doors_now
from station.terminals.service import Terminals
from station.text.reasons import Done, Missing
from station.web.tournament_context import AtStation, station_routes
from sync.protocol.entry import TerminalId

_HERE = "/judge/terminals"


@get("/", needs=Permission.TERMINALS)
async def terminals(here: AtStation) -> Template:
    """Show all known terminals."""
    return here.page(
        "judge/terminals.html",
        terminals=here.service.terminals(),
        pairs=here.service.troubles.bus_alarms(),
        doors=await doors_now(here) if here.may(Permission.ENROLMENT) else None,
        has_passphrase=await asyncio.to_thread(here.service.sealed_backups.has_passphrase),
        sign_in=here.service.of(PhoneSignIn),
    )


@get("/{terminal:str}/link", needs=Permission.TERMINALS)
async def link(here: AtStation, terminal: FromPath[str]) -> Template:
    """Show the state and the counters of one terminal's link."""
    try:
        look = here.service.troubles.link(TerminalId(terminal))
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
    return Response(made.toml.encode(), media_type="application/toml", headers=headers, status_code=200)


@post(
    "/{terminal:str}/assign",
    needs=Permission.ENROLMENT,
    audit=Audit("Assigned a terminal to a table", keeps="table"),
)
async def assign(here: AtStation, terminal: FromPath[str]) -> Redirect:
    """Assign a terminal to a table."""
    table = (await here.fields()).table()
    work = here.service.of(Terminals).assign(TerminalId(terminal), table, here.judge, is_floor=here.is_floor)
    return await here.act(work, _HERE, Done.ASSIGNED)


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
    """Show the PIN of each terminal that has one, for printing."""
    rows = [(card, here.service.pin(card.terminal)) for card in here.service.terminals() if card.trusted]
    return here.page("judge/pins.html", rows=rows)


@post("/pins", needs=Permission.PIN, audit=Audit("Gave all terminals new PINs"))
async def new_pins(here: AtStation) -> Redirect:
    work = here.service.of(Terminals).renew_pins(here.judge)
    return await here.act(work, f"{_HERE}/pins", Done.PINS_CHANGED)


@post("/sign-in", needs=Permission.ENROLMENT, audit=Audit("Changed the sign-in by phone", keeps="on address"))
async def sign_in(here: AtStation) -> Redirect:
    """Switch the sign-in by phone on or off, and set the address for phones."""
    fields = await here.fields()
    is_on = fields.is_ticked("on")
    address, is_judge = fields.text("address"), here.is_floor
    work = here.service.of(PhoneSignIn).choose(is_on=is_on, address=address, by=here.judge, is_judge=is_judge)
    return await here.act(work, _HERE, Done.SIGN_IN_ON if is_on else Done.SIGN_IN_OFF)


routes = station_routes(_HERE, terminals, link, enrol, assign, trust, pins, new_pins, sign_in)
