"""Decide commands: return the events that each one causes, or refuse it. No state is changed."""

from typing import TypeGuard, assert_never

from base.errors import Refused
from core.editions.edition import Edition
from core.game import commands as c
from core.game.auction.bidding import nominate, pass_bid, raise_bid, take_character
from core.game.auction.opening import keep_character, leave_character, reveal_characters
from core.game.clock.clock import ClockCommand, decide_at_clock
from core.game.clock.time_limit import end_by_time_limit
from core.game.commands import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.correction.correction import correct
from core.game.duel.commands import DuelCommand
from core.game.duel.decide import decide_at_duel
from core.game.ending.agreement import decide_agreement
from core.game.ending.sheet import confirm_sheet, declare_roles, restart_game, void_game
from core.game.events import CallReasonGiven, GameEvent, JudgeAnswered, JudgeCalled, StepsRedone, StepsUndone
from core.game.play.abandonment import STILL_OPEN, abandon, warn
from core.game.play.eliminations import eliminate, survive_high_noon
from core.game.play.turns import end_turn, mark_jailed, reshuffle, set_record_mode, set_turn, skip_turn
from core.game.play.wounds import lose_life, regain_life, save_last_life
from core.game.rebel.comebacks import show_event_card
from core.game.rebel.rebel import answer_revolution, reveal_rebel
from core.game.setup.character_choice import begin_game, choose_character, keep_cards
from core.game.setup.seating import check_in, check_in_all, deal_roles, seat_table
from core.game.state.game import GameState
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase


def call_judge(state: GameState, _command: CallJudge) -> tuple[GameEvent, ...]:
    """Record that the table called the judge. Raises Refused if it already did, or the game is closed.

    Source: Championship 2022/23 v1.4, 2 "Tournament behavior".
    """
    require_phase(state, *STILL_OPEN)
    if state.judge_called:
        raise Refused(GameReason.JUDGE_CALLED)
    return (JudgeCalled(),)


def give_call_reason(state: GameState, command: GiveCallReason) -> tuple[GameEvent, ...]:
    """Record why the table called the judge. Raises Refused if it didn't, or the game is closed."""
    require_phase(state, *STILL_OPEN)
    if not state.judge_called:
        raise Refused(GameReason.JUDGE_NOT_CALLED)
    return (CallReasonGiven(command.reason),)


def answer_judge_call(state: GameState, _command: AnswerJudgeCall) -> tuple[GameEvent, ...]:
    """Record that the judge came or is no longer needed. Raises Refused if the table didn't call."""
    if not state.judge_called:
        raise Refused(GameReason.JUDGE_NOT_CALLED)
    return (JudgeAnswered(),)


_NeedsRoles = (
    c.DealRoles
    | c.ChooseCharacter
    | c.BeginGame
    | c.TurnCommand
    | c.Reshuffle
    | c.LoseLife
    | c.RegainLife
    | c.SaveLastLife
    | c.Eliminate
    | c.RevealRebel
    | c.AnswerRevolution
    | c.ShowEventCard
    | c.DeclareRoles
)


def decide(  # noqa: C901 - one exhaustive match over all commands
    state: GameState | None, command: c.GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> tuple[GameEvent, ...]:
    """Return the events of the step that a command causes.

    state: None before the first game. may_undo: number of steps that may be undone, from
    ``timeline.undoable``. may_redo: number of undone steps that may be restored, from ``timeline.redoable``.

    Raises Refused with a member of ``GameReason``.
    """
    if isinstance(command, c.SeatTable):
        return seat_table(state, command, edition)
    if state is None:
        raise Refused(GameReason.NO_GAME)
    if isinstance(command, ClockCommand):
        require_phase(state, *STILL_OPEN)
        return (decide_at_clock(state.clock, command),)
    if isinstance(command, c.AgreementCommand):
        return decide_agreement(state, command)
    if isinstance(command, c.CorrectionCommand):
        return correct(state, command, edition)
    if isinstance(command, DuelCommand) or _has_another_sense_in_a_duel(command, state):
        return decide_at_duel(state, command, edition)
    # Commands in play first, as screens check them for every frame.
    match command:
        case c.EndTurn():
            return end_turn(state, command, edition)
        case c.SkipTurn():
            return skip_turn(state, command, edition)
        case c.SetTurn():
            return set_turn(state, command, edition)
        case c.MarkJailed():
            return mark_jailed(state, command)
        case c.SurviveHighNoon():
            return survive_high_noon(state, command, edition)
        case c.SetRecordMode():
            return set_record_mode(state, command, edition)
        case c.Reshuffle():
            return reshuffle(state, command, edition)
        case c.LoseLife():
            return lose_life(state, command)
        case c.RegainLife():
            return regain_life(state, command)
        case c.SaveLastLife():
            return save_last_life(state, command, edition)
        case c.Eliminate():
            return eliminate(state, command, edition)
        case c.WarnPlayer():
            return warn(state, command)
        case c.Abandon():
            return abandon(state, command, edition)
        case c.RevealRebel():
            return reveal_rebel(state, command, edition)
        case c.AnswerRevolution():
            return answer_revolution(state, command, edition)
        case c.ShowEventCard():
            return show_event_card(state, command, edition)
        case c.CallJudge():
            return call_judge(state, command)
        case c.GiveCallReason():
            return give_call_reason(state, command)
        case c.AnswerJudgeCall():
            return answer_judge_call(state, command)
        case c.CheckIn():
            return check_in(state, command)
        case c.CheckInAll():
            return check_in_all(state, command)
        case c.DealRoles():
            return deal_roles(state, command, edition)
        case c.KeepCharacter():
            return keep_character(state, command, edition)
        case c.LeaveCharacter():
            return leave_character(state, command, edition)
        case c.RevealCharacters():
            return reveal_characters(state, command, edition)
        case c.Nominate():
            return nominate(state, command, edition)
        case c.Raise():
            return raise_bid(state, command, edition)
        case c.Pass():
            return pass_bid(state, command, edition)
        case c.TakeCharacter():
            return take_character(state, command, edition)
        case c.ChooseCharacter():
            return choose_character(state, command, edition)
        case c.KeepCards():
            return keep_cards(state, command, edition)
        case c.BeginGame():
            return begin_game(state, command, edition)
        case c.EndByTimeLimit():
            return end_by_time_limit(state, command, edition)
        case c.DeclareRoles():
            return declare_roles(state, command, edition)
        case c.ConfirmSheet():
            return confirm_sheet(state, command)
        case c.VoidGame():
            return void_game(state, command)
        case c.RestartGame():
            return restart_game(state, command)
        case c.Undo():
            return _undo(command, may_undo)
        case c.Redo():
            if may_redo < 1:
                raise Refused(GameReason.NOTHING_TO_REDO)
            return (StepsRedone(may_redo),)
        case _:
            assert_never(command)


def why_not(
    state: GameState | None, command: c.GameCommand, edition: Edition, *, may_undo: int = 0, may_redo: int = 0
) -> Refused | None:
    """Return the refusal that ``decide`` would raise for a command; None if it accepts it."""
    try:
        decide(state, command, edition, may_undo=may_undo, may_redo=may_redo)
    except Refused as refusal:
        return refusal
    return None


def _undo(command: c.Undo, may_undo: int) -> tuple[GameEvent, ...]:
    if command.steps < 1:
        raise Refused(GameReason.NO_STEPS, steps=command.steps)
    if command.steps > may_undo:
        raise Refused(GameReason.NOT_UNDOABLE, allowed=may_undo)
    return (StepsUndone(command.steps),)


def _has_another_sense_in_a_duel(
    command: c.GameCommand, state: GameState
) -> TypeGuard[c.EndTurn | c.Abandon]:
    """Return whether a duel handles this command itself. Raises Refused for commands that need roles."""
    if state.duel is None:
        return False
    if isinstance(command, c.EndByTimeLimit):
        raise Refused(GameReason.NO_TIME_LIMIT)
    if isinstance(command, _NeedsRoles):
        raise Refused(GameReason.NOT_IN_A_DUEL)
    return isinstance(command, c.EndTurn | c.Abandon)
