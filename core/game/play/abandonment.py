"""Warnings, and players who leave in the middle of a game."""

from base.errors import Refused
from core.editions.edition import Edition
from core.game.auction.automatic_steps import without_leaver
from core.game.auction.opening import require_auction
from core.game.commands import Abandon, WarnPlayer
from core.game.events import GameEvent, PlayerAbandoned, PlayerWarned
from core.game.play.turns import pass_turns
from core.game.state.decisions import Draft
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase, seat_in_play, seat_of

_OPEN = (Phase.SEATING, Phase.ROLES, Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING, Phase.DUEL)


def abandon(state: GameState, command: Abandon, edition: Edition) -> tuple[GameEvent, ...]:
    """Make the seat of a player who leaves passive; its turn ends at once. Raises Refused.

    This applies before the first turn too: a player who does not show up keeps a seat and a character.
    In an auction the seat stops bidding (``auction.course``).
    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    draft = Draft(state)
    for event in player_leaves(state, command):
        draft = draft.then(event)
    if state.phase is Phase.AUCTION:
        return without_leaver(draft, command.seat, require_auction(state, edition), edition).events
    return pass_turns(draft, edition).events


def player_leaves(state: GameState, command: Abandon) -> tuple[GameEvent, ...]:
    """Return the event of a player leaving, without its consequences. Raises Refused."""
    require_phase(state, *_OPEN)
    seat = seat_in_play(state, command.seat)
    if seat.passive:
        raise Refused(GameReason.ALREADY_PASSIVE, seat=seat.seat)
    return (PlayerAbandoned(seat.seat, command.ejected, command.offence, command.reason),)


STILL_OPEN = (*_OPEN, Phase.ENDED, Phase.SHEET)
"""Phases in which the table may still need a judge."""


def warn(state: GameState, command: WarnPlayer) -> tuple[GameEvent, ...]:
    """Warn a player, even an eliminated one. Raises Refused without a reason, or if the player has left.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    require_phase(state, *STILL_OPEN)
    seat = seat_of(state, command.seat)
    if seat.passive:
        raise Refused(GameReason.ALREADY_PASSIVE, seat=seat.seat)
    if not command.reason.strip():
        raise Refused(GameReason.WARNING_REASON)
    return (PlayerWarned(seat.seat, command.offence, command.reason.strip()),)
