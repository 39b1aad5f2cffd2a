"""The judge's control of the round's clock, from the floor page: for all tables, or for one."""

from litestar import Router, post
from litestar.params import FromPath
from litestar.response import Redirect

from saloon.base.errors import Refused
from saloon.core.terms import Seconds, TableNo
from saloon.core.tournament.clock.hall_clock import (
    ClockCommand,
    ExtendRoundClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
)
from saloon.station.web.forms import Fields, form_of
from saloon.station.web.site import PageRequest, run_command, show_refusal
from saloon.station.web.text.reasons import FormReason


@post("/clock")
async def clock(request: PageRequest, tournament: FromPath[str]) -> Redirect:
    """Start, stop or resume the clock, or give time.

    Fields: do, table (empty for all), pause, minutes, reason.
    """
    then = f"/judge/t/{tournament}/floor"
    try:
        command = _command(await form_of(request))
    except Refused as refusal:
        show_refusal(request, refusal)
        return Redirect(then)
    return await run_command(request, tournament, command, then)


def _command(fields: Fields) -> ClockCommand:
    number = fields.number("table")
    table = None if number is None else TableNo(number)
    reason = fields.text("reason")
    match fields.text("do"):
        case "start":
            return StartRoundClock()
        case "stop":
            return PauseRoundClock(table, reason)
        case "run":
            return ResumeRoundClock(table, reason, fields.number("pause") or 0)
        case "give":
            return ExtendRoundClock(Seconds(60 * (fields.number("minutes") or 0)), table, reason)
        case _:
            raise Refused(FormReason.NO_ACTION)


routes = Router("/judge/t/{tournament:str}", route_handlers=[clock])
