"""Set the turn back to a player who just had it: undo to that turn, or continue for a whole round."""

from core.game.commands import GameCommand
from core.game.events import GameStep, TurnEvent
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.reshuffles import DeckReshuffled, HighNoonArmed, Reshuffle
from core.game.play.turns import HighNoonBegan, TurnStarted
from core.game.play.wounds import LastLifeSaved, LoseLife, RegainLife, SaveLastLife
from core.game.rebel.comebacks import PlayerCameBack
from core.game.rebel.revolution import RevealRebel
from core.game.state.causes import Cause
from core.game.state.game import GameState, Phase
from core.game.state.seats import seats_after
from core.game.timeline import Timeline
from core.terms import SeatNo


def steps_back_to_turn(timeline: Timeline | None, seat: SeatNo) -> int | None:
    """Return the number of steps to undo to get back to a seat's last turn.

    None unless the seat had the turn just before, or more than half of the table would be passed up to its
    next one; in other cases turns were probably forgotten. None if turns are not recorded.
    A turn that was passed at once counts: the undo then leads to the turn before the passed ones.
    """
    if timeline is None or not _is_far_on(timeline.state, seat):
        return None
    oldest = timeline.state.turns - len(timeline.state.seats)
    for steps, moment in enumerate(reversed(timeline.moments)):
        state = moment.state
        if state.phase is not Phase.PLAYING or state.turns < oldest or state.is_turn_unknown:
            break
        if state.turn == seat:
            return steps
        if any(isinstance(event, TurnStarted) and event.seat == seat for event in moment.step.events):
            return steps + 1
    return None


def entries_of(step: GameStep, before: GameState) -> tuple[GameCommand, ...] | None:
    """Return the commands that enter a step again in another turn, or None if that is impossible.

    ``before`` is the state in which it was entered. Turn starts are left out, since the turns were wrong.
    """
    match step.events:
        case (LoseLife() | RegainLife() | RevealRebel() as entry,):
            return (entry,)
        case (LastLifeSaved(seat=seat, rescue=rescue), *_):
            return (SaveLastLife(seat, rescue),)
        case (PlayerEliminated() as out, *_) if out.cause is not Cause.HIGH_NOON:
            return (Eliminate(out.seat, out.by, out.role, out.cause, _answer(out, before)),)
        case (Abandon() as left, *_):
            return (left,)
        case (DeckReshuffled(),) | (DeckReshuffled(), HighNoonArmed()):
            return (Reshuffle(),)
        case events:
            only_turns = (TurnStarted, HighNoonBegan, PlayerCameBack, TurnEvent)
            return () if all(isinstance(event, only_turns) for event in events) else None


def _answer(out: PlayerEliminated, before: GameState) -> bool | None:
    """Return what the table answered on whether it was the same card, or None if it wasn't asked."""
    newest = before.eliminations[-1].effect if before.eliminations else 0
    if newest > before.effects and (out.effect > newest or out.is_earlier):
        return False
    return out.same_card or None


def _is_far_on(state: GameState, seat: SeatNo) -> bool:
    """Return whether a seat's next turn is so far off that the player probably means the last one."""
    if state.phase is not Phase.PLAYING or state.is_turn_unknown or state.turn in {None, seat}:
        return False
    order = [other.seat for other in seats_after(state, seat) if other.in_play]
    if state.turn not in order:
        return False
    since = order.index(state.turn)
    passed = len(order) - 2 - since
    return passed > 0 and (not since or passed * 2 > len(order))
