"""The judge's control of the round's clock on the floor page, for all tables or for one."""

from litestar import post
from litestar.response import Redirect

from base.errors import Refused
from core.terms import Seconds, TableNo
from core.tournament.round_clock import (
    ClockDecision,
    ExtendRoundClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
)
from station.accounts.permissions import Permission
from station.audit.actions import Audit
from station.text.reasons import FormReason
from station.web.forms import Fields
from station.web.tournament_context import AtTournament, tournament_routes


@post(
    "/clock", needs=Permission.FLOOR, audit=Audit("Changed the round clock", keeps="do table minutes reason")
)
async def clock(here: AtTournament) -> Redirect:
    """Start, stop or resume the clock, or add time.

    Fields: do, table (empty for all), pause, minutes, reason.
    """
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


routes = tournament_routes(clock)
