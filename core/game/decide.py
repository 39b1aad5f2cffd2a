"""Every command of a game, and the events that each one causes, unless it is refused.

Each command is defined beside its rule. No state is changed.
"""

from typing import cast

from base.errors import Refused
from core.editions.edition import Edition
from core.game.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.clock import ClockEvent, EndByTimeLimit
from core.game.correction import (
    CorrectElimination,
    CorrectLife,
    CorrectOrder,
    CorrectReshuffles,
    CorrectTurn,
    CorrectTurns,
    RestorePlayer,
)
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
    end_by_leaving,
    end_duel_turn,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.sheet import AgreementEvent, ConfirmSheet, DeclareRoles, VoidGame
from core.game.events import GameEvent
from core.game.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason, WarnPlayer
from core.game.play.abandonment import Abandon, check_leaving
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetRecordMode, SetTurn, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, SaveLastLife
from core.game.rebel import RevealRebel, ShowEventCard
from core.game.setup import (
    BeginGame,
    CheckIn,
    CheckInAll,
    ChooseCharacter,
    DealRoles,
    KeepCards,
    RestartGame,
    SeatTable,
)
from core.game.state.decisions import Command, Event
from core.game.state.duel import DuelState
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase
from core.game.undo import Redo, Undo

TurnCommand = SkipTurn | SetTurn | MarkJailed | SurviveHighNoon | SetRecordMode
AuctionCommand = KeepCharacter | LeaveCharacter | RevealCharacters | Nominate | Raise | Pass | TakeCharacter
CorrectionCommand = (
    CorrectLife
    | CorrectElimination
    | CorrectTurns
    | CorrectReshuffles
    | CorrectTurn
    | CorrectOrder
    | RestorePlayer
)
DuelMove = (
    TurnUpCharacters
    | TakeAdvantage
    | PickCharacter
    | ShowLine
    | DrawStarter
    | EnterCharacter
    | ChooseLine
    | WoundCharacter
    | HealCharacter
    | CarryWounds
    | RuleDuel
)
GameCommand = (
    SeatTable
    | CheckIn
    | CheckInAll
    | DealRoles
    | ChooseCharacter
    | AuctionCommand
    | KeepCards
    | BeginGame
    | EndTurn
    | TurnCommand
    | LoseLife
    | RegainLife
    | SaveLastLife
    | Eliminate
    | WarnPlayer
    | Abandon
    | Reshuffle
    | RevealRebel
    | AnswerRevolution
    | ShowEventCard
    | CallJudge
    | GiveCallReason
    | AnswerJudgeCall
    | EndByTimeLimit
    | AgreementEvent
    | CorrectionCommand
    | DeclareRoles
    | ConfirmSheet
    | VoidGame
    | RestartGame
    | ClockEvent
    | Undo
    | Redo
    | DuelMove
)


def decide(
    state: GameState | None, command: GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> tuple[GameEvent, ...]:
    """Return the events of the step that a command causes.

    state: None before the first game.
    may_undo: number of steps that may be undone, from ``timeline.undoable``.
    may_redo: number of undone steps that may be restored, from ``timeline.redoable``.

    Raises Refused with a member of ``GameReason``.
    """
    if isinstance(command, SeatTable):
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
    """Return the events of a command in a duel, where a turn and a departure have another sense."""
    if command.refused_in_duel is not None:
        raise Refused(command.refused_in_duel)
    match command:
        case EndTurn():
            require_phase(state, Phase.DUEL)
            return end_duel_turn(duel)
        case Abandon():
            lost = end_by_leaving(duel, command.seat, ejected=command.ejected)
            check_leaving(state, command.seat)
            return (command, *lost)
        case _:
            return command.decide(state, edition)


def why_not(
    state: GameState | None, command: GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> Refused | None:
    """Return the refusal that ``decide`` would raise for a command, or None if it accepts it."""
    try:
        decide(state, command, edition, may_undo=may_undo, may_redo=may_redo)
    except Refused as refusal:
        return refusal
    return None
