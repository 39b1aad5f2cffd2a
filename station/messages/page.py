"""Messages to tables: one form for any number of tables, and a live list of their delivery."""

from typing import Final

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from base.errors import Refused
from core.terms import MessageId, Seconds, TournamentId
from core.tournament.state.tournament import Stage
from station.accounts.permissions import Permission
from station.audit import Audit
from station.cards.service import format_table_ranges, tables_of
from station.messages.service import (
    LONGEST_TEXT,
    Addressees,
    Messages,
    ToAll,
    ToTables,
    ToTournament,
)
from station.text.reasons import Done, FormReason
from station.web.forms import Fields
from station.web.tournament_context import AtStation, station_routes

_HERE: Final = "/judge/messages"
LASTS_MIN: Final = (5, 10, 30, 60, 120, 240)
USUAL_MIN: Final = 60
_MINUTE_S: Final = 60
_TOURNAMENT: Final = "tournament-"
_MOST_SHOWN: Final = 50
"""The most messages on the page, more than one day has."""


@get("/", needs=Permission.MESSAGES)
async def messages(here: AtStation) -> Template:
    """Show the form, filled in from the query, and the messages sent so far."""
    return here.page(
        "judge/messages.html",
        sent=here.service.of(Messages).sent()[:_MOST_SHOWN],
        tournaments=[one for one in here.service.tournaments() if one.stage is not Stage.PUBLISHED],
        tables=here.request.query_params.get("tables", "")[:40],
        minutes=LASTS_MIN,
        usual=USUAL_MIN,
        longest=LONGEST_TEXT,
        ranges=format_table_ranges,
    )


@post("/", needs=Permission.MESSAGES, audit=Audit("Sent a message to tables", keeps="to tables text"))
async def write(here: AtStation) -> Redirect:
    """Send a message. Fields: text, to, tables, minutes."""
    fields = await here.fields()
    try:
        to, lasts = _addressees(fields), _lasts(fields)
    except Refused as refused:
        return here.refuse(refused, _HERE)
    work = here.service.of(Messages).write(fields.text("text"), to, lasts, here.judge)
    return await here.act(work, _HERE, Done.MESSAGE_SENT)


@post("/{message:str}/withdraw", needs=Permission.MESSAGES, audit=Audit("Withdrew a message"))
async def withdraw(here: AtStation, message: FromPath[str]) -> Redirect:
    """Withdraw a message from the tables that have not confirmed it."""
    sent = here.service.context.projections.messages.messages.get(MessageId(message))
    if sent is not None:
        here.recorded.known |= {"text": sent.written.text}
    work = here.service.of(Messages).withdraw(MessageId(message), here.judge)
    return await here.act(work, _HERE, Done.MESSAGE_WITHDRAWN)


def _addressees(fields: Fields) -> Addressees:
    to = fields.text("to")
    if to == "all":
        return ToAll()
    if to.startswith(_TOURNAMENT):
        return ToTournament(TournamentId(to.removeprefix(_TOURNAMENT)))
    tables = tables_of(fields.text("tables"))
    if to != "tables" or not tables:
        raise Refused(FormReason.NO_RECIPIENT)
    return ToTables(tables)


def _lasts(fields: Fields) -> Seconds:
    minutes = fields.number("minutes") or USUAL_MIN
    if minutes not in LASTS_MIN:
        raise Refused(FormReason.NUMBER_RANGE, number=minutes, least=LASTS_MIN[0], most=LASTS_MIN[-1])
    return Seconds(minutes * _MINUTE_S)


routes = station_routes(_HERE, messages, write, withdraw)
