"""Warnings and ejections by the judge: a page for each player, opened from *Players* or from a table."""

import re
from collections.abc import Mapping

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from base.errors import Refused
from core.game.state.offences import Offence, is_ejected_by, offence_rule
from core.text.ejections import warning_in_words
from core.tournament.penalties import EjectPlayer, WarnPlayer
from core.tournament.state.tournament import Entrant
from station.accounts.permissions import Permission
from station.audit import PREVIEW, Audit
from station.text.reasons import Done, FormReason
from station.tournaments.what_if_page import show_consequences
from station.web.forms import Fields
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes

_TABLE = re.compile(r"[0-9]{1,4}/[0-9]{1,4}")
"""The round and table from which the judge came."""


@get("/penalty", needs=Permission.WARNINGS)
async def penalty(here: AtTournament, player: FromPath[str], *, at: FromQuery[str] = "") -> Template:
    """Show a player's warnings, and the forms to warn or eject.

    at: the round and table from which the judge came.
    """
    entrant = here.player(player)
    return here.page(
        "judge/penalty.html",
        e=entrant,
        warnings=[warning_in_words(warning, here.rules, here.words) for warning in entrant.warnings],
        is_last=is_ejected_by(len(entrant.warnings) + 1),
        choices=_offence_choices(here),
        at=at if _TABLE.fullmatch(at) else "",
    )


@post("/warn", needs=Permission.WARNINGS, audit=Audit("Warned a player", keeps="offence reason"))
async def warn(here: AtTournament, player: FromPath[str]) -> Template | Redirect:
    """Warn a player, first asking for confirmation if the warning would eject the player."""
    fields, entrant = await here.fields(), here.player(player)
    command = WarnPlayer(entrant.player, fields.text("reason"), offence=_offence(fields))
    refused = here.service.why_not(here.state.tournament, command)
    if refused is not None:
        return here.refuse(refused, _back(here, entrant, fields))
    is_last = is_ejected_by(len(entrant.warnings) + 1)
    if is_last and not here.may(Permission.EJECTIONS):
        return here.refuse(Refused(FormReason.LAST_WARNING, name=entrant.name), _back(here, entrant, fields))
    if is_last and not fields.is_ticked("ejects"):
        ejection = EjectPlayer(entrant.player, command.reason)
        action = f"{here.url}/players/{entrant.player}/warn"
        return await show_consequences(here, ejection, action, is_warning=True)
    return await here.run(command, _back(here, entrant, fields), Done.WARNED)


@post("/eject", needs=Permission.EJECTIONS, audit=Audit("Ejected a player", keeps="offence reason"))
async def eject(here: AtTournament, player: FromPath[str]) -> Redirect:
    """Eject a player."""
    fields, entrant = await here.fields(), here.player(player)
    command = EjectPlayer(entrant.player, fields.text("reason"), offence=_offence(fields))
    return await here.run(command, _back(here, entrant, fields), Done.EJECTED)


@post("/eject/what-if", needs=Permission.STANDINGS, audit=PREVIEW, status_code=200)
async def show_ejection(here: AtTournament, player: FromPath[str]) -> Template:
    """Show what would change if a player were ejected."""
    entrant = here.player(player)
    command = EjectPlayer(entrant.player, (await here.fields()).text("reason"))
    return await show_consequences(here, command, f"{here.url}/players/{entrant.player}/eject")


def _offence_choices(here: TournamentContext) -> Mapping[str, str]:
    """Return the labels of the conduct list's categories by value, each with the rule for it."""
    rules = ((offence, offence_rule(offence, here.rules)) for offence in Offence)
    return {
        offence.value: f"{here.words.label(offence)} ({rule})" if rule else here.words.label(offence)
        for offence, rule in rules
    }


def _offence(fields: Fields) -> Offence:
    try:
        return Offence(fields.text("offence"))
    except ValueError as error:
        raise Refused(FormReason.NO_OFFENCE) from error


def _back(here: TournamentContext, entrant: Entrant, fields: Fields) -> str:
    at = fields.text("at")
    return f"{here.url}/tables/{at}/" if _TABLE.fullmatch(at) else f"{here.url}/players#{entrant.player}"


routes = tournament_routes(penalty, warn, eject, show_ejection, under="/players/{player:str}")
