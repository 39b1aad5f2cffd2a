"""The judge's terminals: provisioning files, tables; the PIN."""

from litestar import Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from saloon.base.errors import BadData, Refused, Unavailable
from saloon.station.web.account.login import only_judges
from saloon.station.web.forms import form_of
from saloon.station.web.site import PageRequest, judge_of, page, refused, run_action, site_of, words_of
from saloon.station.web.terminals.admission import doors_now
from saloon.station.web.text.reasons import Done, Missing
from saloon.sync.protocol.entry import TerminalId

_HERE = "/judge/terminals"


@get("/")
async def terminals(request: PageRequest) -> Template:
    """Show all terminals that the station knows."""
    office = site_of(request).office
    return page(
        request,
        "judge/terminals.html",
        terminals=office.terminals(),
        pairs=office.troubles.pair_alarms(),
        doors=await doors_now(request),
    )


@get("/{terminal:str}/link")
async def link(request: PageRequest, terminal: FromPath[str]) -> Template:
    """Show the link of one terminal, in words, and its counters."""
    try:
        look = site_of(request).office.troubles.link(TerminalId(terminal))
    except KeyError as error:
        raise NotFoundException(Missing.GONE.value) from error
    words = words_of(request).gettext(look.finding.value).format(**look.fields)
    return page(request, "judge/link.html", look=look, words=words)


@post("/enrol")
async def enrol(request: PageRequest) -> Response[bytes] | Redirect:
    """Return a provisioning file for one terminal."""
    fields = await form_of(request)
    try:
        table = fields.table()
        made = await site_of(request).office.enrol(table, judge_of(request))
    except (BadData, Refused, Unavailable) as error:
        refused(request, error)
        return Redirect(_HERE)
    name = f"saloon-table-{table}.toml" if table is not None else "saloon.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made.toml.encode(), media_type="application/toml", headers=headers, status_code=200)


@post("/{terminal:str}/assign")
async def assign(request: PageRequest, terminal: FromPath[str]) -> Redirect:
    """Assign a terminal to a table."""
    table = (await form_of(request)).table()
    work = site_of(request).office.assign(TerminalId(terminal), table, judge_of(request))
    return await run_action(request, work, _HERE, Done.ASSIGNED)


@post("/pin")
async def pin(request: PageRequest) -> Redirect:
    """Set the PIN that the judge types at tables."""
    digits = (await form_of(request)).text("pin")
    work = site_of(request).office.set_judge_pin(digits, judge_of(request))
    return await run_action(request, work, _HERE, Done.PIN_SET)


routes = Router(_HERE, before_request=only_judges, route_handlers=[terminals, link, enrol, assign, pin])
