"""Move players to another tournament before the first draw of both."""

import asyncio
from collections.abc import Sequence
from functools import reduce

from litestar import get, post
from litestar.params import FromQuery
from litestar.response import Redirect, Template

from base.errors import BadData, Refused, Unavailable
from core.tournament.registration import RemovePlayer, register_in_parts
from core.tournament.state.names import likeness_keys
from core.tournament.state.tournament import Entrant, TournamentState
from station.accounts.permissions import Permission
from station.audit import Audit
from station.imports.findings import PlayerRow
from station.imports.player_list import new_players
from station.players.service import Desk, DeskRecord
from station.text.reasons import FormReason
from station.web.site import notice, show_refusal
from station.web.tournament_context import AtTournament, TournamentContext, tournament_routes


@get("/move", needs=Permission.PLAYERS)
async def choose(here: AtTournament, player: FromQuery[str] = "") -> Template:
    """Show the players to tick, one of whom may be ticked, and the tournaments that they can move to."""
    return await _page(here, [one for one in here.state.contenders if one.player == player], "")


@post("/move", needs=Permission.PLAYERS, audit=Audit("Moved players to another tournament", keeps="to"))
async def move(here: AtTournament) -> Template | Redirect:
    """Move the ticked players with their presence, asking first about names that are there already."""
    fields = await here.fields()
    ticked = [one for one in here.state.contenders if fields.is_ticked(f"player-{one.player}")]
    to = next((one for one in await _targets(here) if one.tournament == fields.text("to")), None)
    if to is None or not ticked:
        show_refusal(here.request, Refused(FormReason.NOBODY_TO_MOVE))
        return await _page(here, ticked, fields.text("to"), status_code=422)
    doubles = await asyncio.to_thread(_doubles, ticked, to.entrants)
    question = {to.tournament, *(one.player for one, _ in doubles)}
    if doubles and not question <= set(fields.raw("asked").split()):
        return await _page(here, ticked, to.tournament, doubles=doubles)
    try:
        await here.service.context.run_to_completion(_move(here, ticked, to))
    except (Refused, BadData, Unavailable) as error:
        show_refusal(here.request, error)
        return await _page(here, ticked, to.tournament, status_code=422)
    text = here.words.ngettext("{n} player is now in {name}.", "{n} players are now in {name}.", len(ticked))
    notice(here.request, text.format(n=len(ticked), name=to.name), bad=False)
    return Redirect(f"{here.url}/players")


async def _move(here: TournamentContext, ticked: Sequence[Entrant], to: TournamentState) -> None:
    """Register players there and remove them here in one transaction, so that nobody is lost or doubled.

    Presence follows; should that fail, the players have to check in again.
    """
    source, desk = here.state.tournament, here.service.of(Desk)
    rows = [PlayerRow(number, one.name, one.club) for number, one in enumerate(ticked, 1)]
    players = new_players(rows, to.entrants)
    await here.service.decide_together(
        [
            *((to.tournament, command) for command in register_in_parts(players)),
            *((source, RemovePlayer(one.player)) for one in ticked),
        ],
        here.judge,
    )
    ids = {one.player: player.player for one, player in zip(ticked, players, strict=True)}
    await desk.copy(source, to.tournament, ids)
    await desk.change(source, lambda record: reduce(DeskRecord.without_player, ids, record))


def _doubles(ticked: Sequence[Entrant], there: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Return the players who may be somebody in the other tournament, each with that one."""
    known = {key: one for one in there for key in likeness_keys(one.name)}
    pairs = ((one, known.get(key)) for one in ticked for key in likeness_keys(one.name))
    return list({one.player: (one, other) for one, other in pairs if other is not None}.values())


async def _targets(here: TournamentContext) -> list[TournamentState]:
    """Return the other tournaments that have no draw yet."""
    archived = await here.service.archive.ids()
    return [
        state
        for state in here.service.tournaments()
        if not state.rounds and state.tournament not in archived | {here.state.tournament}
    ]


async def _page(
    here: TournamentContext,
    ticked: Sequence[Entrant],
    to: str,
    *,
    doubles: Sequence[tuple[Entrant, Entrant]] = (),
    status_code: int = 200,
) -> Template:
    return here.page(
        "judge/move.html",
        status_code,
        ticked={one.player for one in ticked},
        to=to,
        doubles=doubles,
        targets=await _targets(here),
    )


routes = tournament_routes(choose, move, under="/players")
