"""The entry point for commands: return the events that a command causes, or refuse it."""

from typing import cast

from base.errors import Refused
from core.editions.edition import Edition
from core.game import setup
from core.game.duel import fight
from core.game.events import GameEvent
from core.game.play import abandonment, turns
from core.game.state.decisions import Command, Event, Redo, Undo
from core.game.state.duel import DuelState
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase

GameCommand = Command | Undo | Redo
"""Every command of a game, from a table or the judge."""


def decide(
    state: GameState | None, command: GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> tuple[GameEvent, ...]:
    """Return the events that a command causes. Raises Refused with a member of ``GameReason``.

    state: None before the first game.
    may_undo: number of steps that may be undone, from ``timeline.undoable``.
    may_redo: number of undone steps that may be restored, from ``timeline.redoable``.
    """
    if isinstance(command, setup.SeatTable):
        return cast("tuple[GameEvent, ...]", command.decide(state, edition))
    if state is None:
        raise Refused(GameReason.NO_GAME)
    if isinstance(command, Undo):
        return (command.decide(may_undo),)
    if isinstance(command, Redo):
        return (command.decide(may_redo),)
    if state.duel is None:
        return cast("tuple[GameEvent, ...]", command.decide(state, edition))
    return cast("tuple[GameEvent, ...]", _decide_in_duel(state, state.duel, command, edition))


def _decide_in_duel(
    state: GameState, duel: DuelState, command: Command, edition: Edition
) -> tuple[Event, ...]:
    if command.refused_in_duel is not None:
        raise Refused(command.refused_in_duel)
    match command:
        case turns.EndTurn():
            require_phase(state, Phase.DUEL)
            return fight.end_duel_turn(duel)
        case abandonment.Abandon():
            lost = fight.end_by_leaving(duel, command.seat, ejected=command.ejected)
            abandonment.check_leaving(state, command.seat)
            return (command, *lost)
        case _:
            return command.decide(state, edition)


def why_not(
    state: GameState | None, command: GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> Refused | None:
    """Return the refusal that ``decide`` would raise for a command, or None if it would accept it."""
    try:
        decide(state, command, edition, may_undo=may_undo, may_redo=may_redo)
    except Refused as refusal:
        return refusal
    return None
