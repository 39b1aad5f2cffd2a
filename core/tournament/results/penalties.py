"""Players who leave: voluntarily, by a second warning, by ejection, or at a table."""

from typing import TypeVar

import msgspec

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.game.state.offences import is_ejected_by
from core.terms import PlayerId, RoundNo, TableNo
from core.tournament.commands import EjectPlayer, ReinstatePlayer, WarnPlayer, WithdrawPlayer
from core.tournament.draw.groups import games_of_groups
from core.tournament.events import PlayerEjected, PlayerReinstated, PlayerWarned, PlayerWithdrawn
from core.tournament.guards import require_entrant, require_reason, still_in, still_secret
from core.tournament.reasons import TournamentReason
from core.tournament.state import Entrant, TournamentState


class UnrecordedDeparture(msgspec.Struct, frozen=True):
    """A player who left according to an accepted record sheet but hasn't been withdrawn by a judge."""

    player: PlayerId
    name: str
    round: RoundNo
    table: TableNo
    ejected: bool


def leavers(state: TournamentState) -> tuple[UnrecordedDeparture, ...]:
    """Return the players who left at a table but haven't been withdrawn, by round and table.

    Source: Championship 2022/23 v1.4, 1.4: who abandons during a game plays no further games; reading D21.
    """
    inside = {entrant.player: entrant.name for entrant in state.contenders}
    found: dict[PlayerId, UnrecordedDeparture] = {}
    for drawn in state.published_rounds:
        for sheet in drawn.sheets:
            for left in sheet.result.abandonments:
                player = sheet.result.players[left.seat - 1]
                if player in inside:
                    found[player] = UnrecordedDeparture(
                        player, inside[player], drawn.round, sheet.result.table, left.ejected
                    )
    return tuple(found.values())


_Leaving = TypeVar("_Leaving", PlayerWithdrawn, PlayerEjected)


def reinstate(
    state: TournamentState, command: ReinstatePlayer, edition: Edition, by: str
) -> PlayerReinstated:
    """Return the event that reinstates a player withdrawn by mistake.

    Refused once a round without the player is published, and once finalists are known: a player who
    actually left can't return.
    Source: Championship 2022/23 v1.4, 1.4; Championship 2010 v1.1, 1.3.
    """
    still_secret(state)
    entrant, reason = require_entrant(state, command.player), require_reason(command.reason)
    if not entrant.withdrawn:
        raise Refused(TournamentReason.NOT_WITHDRAWN, name=entrant.name)
    if state.finals is not None:
        raise Refused(TournamentReason.FINALISTS_ARE_NAMED)
    if len(state.published_rounds) > (entrant.out_after_round or 0):
        raise Refused(TournamentReason.MISSED_A_ROUND, name=entrant.name)
    back = msgspec.structs.replace(entrant, withdrawn=False)
    entrants = tuple(back if one.player == entrant.player else one for one in state.entrants)
    planned = None
    if edition.schedule is Schedule.ONE_GROUP and state.rounds_planned is not None:
        planned = games_of_groups(msgspec.structs.replace(state, entrants=entrants), edition, state.waivers)
    return PlayerReinstated(command.player, reason, by, planned)


def withdraw(state: TournamentState, command: WithdrawPlayer, edition: Edition, by: str) -> PlayerWithdrawn:
    """Return the event that withdraws a player permanently.

    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    return _leave(PlayerWithdrawn, state, command, edition, by)


def warn(
    state: TournamentState, command: WarnPlayer, edition: Edition, by: str
) -> tuple[PlayerWarned | PlayerEjected, ...]:
    """Return a warning and, for the second one, the resulting ejection.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    still_secret(state)
    if command.origin is not None and command.origin in state.warnings_taken:
        raise Refused(TournamentReason.WARNING_TAKEN)
    entrant = require_entrant(state, command.player)
    warned = PlayerWarned(
        player=command.player,
        reason=require_reason(command.reason),
        by=by,
        offence=command.offence,
        origin=command.origin,
    )
    if command.origin is not None and entrant.is_out:
        # The table gave the warning before it learnt that the player had left.
        return (warned,)
    still_in(state, command.player)
    if not is_ejected_by(len(entrant.warnings) + 1):
        return (warned,)
    ejected = _leave(PlayerEjected, state, command, edition, by)
    return warned, msgspec.structs.replace(ejected, automatic=True, offence=command.offence)


def eject(state: TournamentState, command: EjectPlayer, edition: Edition, by: str) -> PlayerEjected:
    """Return the event that ejects a player, which counts as an abandonment.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    ejected = _leave(PlayerEjected, state, command, edition, by)
    return msgspec.structs.replace(ejected, offence=command.offence)


def _leave(
    kind: type[_Leaving],
    state: TournamentState,
    command: WithdrawPlayer | WarnPlayer | EjectPlayer,
    edition: Edition,
    by: str,
) -> _Leaving:
    still_secret(state)
    entrant = still_in(state, command.player)
    return kind(
        player=command.player,
        reason=require_reason(command.reason),
        by=by,
        during=_game_runs_in(state, entrant),
        rounds_planned=_rounds_without(state, entrant, edition),
    )


def _game_runs_in(state: TournamentState, entrant: Entrant) -> RoundNo | None:
    for duels, table in state.open_duels:
        if entrant.player in table.players:
            return duels.round
    running = state.running_round
    if running is None or not any(entrant.player in table.players for table in running.missing):
        return None
    return running.round


def _rounds_without(state: TournamentState, leaver: Entrant, edition: Edition) -> int | None:
    """Return the number of games of a group without one player; None if it stays the same.

    Source: Championship 2022/23 v1.4, 1.1 "Following matches"; readings D04, D43.
    """
    if edition.schedule is not Schedule.ONE_GROUP or state.rounds_planned is None:
        return None
    entrants = (one for one in state.entrants if one.player != leaver.player)
    without = msgspec.structs.replace(state, entrants=tuple(entrants))
    return games_of_groups(without, edition, state.waivers)
