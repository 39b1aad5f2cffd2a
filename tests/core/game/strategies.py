"""Strategies: games of random commands, sensible ones and senseless ones."""

from collections.abc import Callable

from hypothesis import strategies as st

from core.characters import Character
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.correction import (
    CorrectElimination,
    CorrectLife,
    CorrectOrder,
    CorrectTurns,
    RestorePlayer,
)
from core.game.decide import GameCommand
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    VoidGame,
    WaiveAgreement,
    WithdrawAgreement,
)
from core.game.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetRecordMode, SetTurn, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.rebel import RevealRebel
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, RestartGame
from core.game.state.game import CallReason, Cause, Confirmation, GameState, Phase
from core.game.undo import Redo, Undo
from core.rule_set import RecordMode
from core.terms import Ending, Role, SeatNo

Move = Callable[[st.DrawFn, GameState, tuple[Role, ...]], GameCommand]
"""Draws the fields of one kind of command, for a state and the roles that were dealt."""
SEATS = st.integers(0, 8).map(SeatNo)
POINTS = st.integers(-1, 4)

COMMANDS: st.SearchStrategy[GameCommand] = st.one_of(
    st.builds(CheckIn, SEATS),
    st.just(DealRoles()),
    st.builds(
        ChooseCharacter,
        SEATS,
        st.sampled_from(Character),
        st.lists(st.sampled_from(Character), max_size=3).map(tuple),
    ),
    st.just(BeginGame()),
    st.just(EndTurn()),
    st.just(SkipTurn()),
    st.builds(SetTurn, SEATS),
    st.builds(MarkJailed, SEATS),
    st.builds(SurviveHighNoon, SEATS),
    st.builds(SetRecordMode, st.sampled_from(RecordMode)),
    st.builds(LoseLife, SEATS, POINTS),
    st.builds(RegainLife, SEATS, POINTS),
    st.builds(SaveLastLife, SEATS, st.sampled_from(Rescue)),
    st.builds(Eliminate, SEATS, st.none() | SEATS, st.sampled_from(Role), st.sampled_from(Cause)),
    st.builds(Abandon, SEATS, st.booleans()),
    st.just(Reshuffle()),
    st.just(CallJudge()),
    st.just(AnswerJudgeCall()),
    st.builds(GiveCallReason, st.sampled_from(CallReason)),
    st.just(EndByTimeLimit()),
    st.builds(EndByTimeLimit, st.just(TimeLimit.JUDGE), st.none() | st.sampled_from(Ending), st.text()),
    st.builds(RevealRebel, SEATS),
    st.builds(AnswerRevolution, SEATS, st.booleans()),
    st.builds(AgreeEnding, SEATS),
    st.builds(WithdrawAgreement, SEATS),
    st.builds(DisputeEnding, SEATS),
    st.builds(WaiveAgreement, SEATS),
    st.builds(CorrectLife, SEATS, POINTS, st.text(max_size=3)),
    st.builds(CorrectTurns, SEATS, st.integers(-1, 5), st.text(max_size=3)),
    st.builds(CorrectOrder, st.lists(SEATS, max_size=3).map(tuple), st.text(max_size=3)),
    st.builds(RestorePlayer, SEATS, POINTS, st.text(max_size=3)),
    st.just(Redo()),
    st.builds(
        CorrectElimination,
        SEATS,
        st.none() | SEATS,
        st.sampled_from(Cause),
        st.sampled_from(Role),
        st.text(max_size=3),
    ),
    st.builds(DeclareRoles, st.lists(st.sampled_from(Role), max_size=8).map(tuple)),
    st.builds(ConfirmSheet, st.sampled_from(Confirmation)),
    st.builds(RestartGame, st.text(max_size=3)),
    st.builds(VoidGame, st.text(max_size=3)),
    st.builds(Undo, st.integers(-1, 6)),
)
"""Any command but a seating, most of them refused in most states."""


@st.composite
def next_move(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> GameCommand:
    """Draw a command that players of these roles may well enter now; it can still be refused.

    Fields are drawn one by one: to build strategies for each state takes longer than to play the game.
    """
    if state.phase is not Phase.PLAYING:
        command: GameCommand = draw(COMMANDS)
        return command
    if state.pending:
        return _answer(draw, state, dealt)
    if state.doubtful:
        return _answer_doubt(draw, state.doubtful[0], dealt)
    return draw(st.sampled_from(_MOVES))(draw, state, dealt)


def draw_seat(draw: st.DrawFn, state: GameState, *, but_seat_1: bool = False) -> SeatNo:
    """Draw a seat that is in play."""
    seats = state.seats[1:] if but_seat_1 else state.seats
    return draw(st.sampled_from(tuple(seat.seat for seat in seats if seat.in_play)))


def _eliminate(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> GameCommand:
    seat = draw_seat(draw, state, but_seat_1=True)
    return Eliminate(seat, draw_seat(draw, state), dealt[seat - 1], Cause.PLAYER)


_MOVES: tuple[Move, ...] = (
    lambda _draw, _state, _dealt: EndTurn(),
    lambda _draw, _state, _dealt: SkipTurn(),
    lambda draw, state, _: SetTurn(draw_seat(draw, state)),
    lambda draw, state, _: MarkJailed(draw_seat(draw, state)),
    lambda draw, _state, _dealt: SetRecordMode(draw(st.sampled_from(RecordMode))),
    _eliminate,
    lambda _draw, _state, _dealt: Reshuffle(),
    lambda draw, state, _: LoseLife(draw_seat(draw, state), draw(st.integers(1, 3))),
    # The Sheriff's end is the game's: others fall more often, so that Law wins too.
    *[lambda draw, state, _: LoseLife(draw_seat(draw, state, but_seat_1=True), 3)] * 4,
    lambda draw, state, _: RegainLife(draw_seat(draw, state), draw(st.integers(1, 2))),
    lambda draw, state, _: Abandon(draw_seat(draw, state)),
    lambda _draw, _state, _dealt: CallJudge(),
    lambda _draw, _state, _dealt: AnswerJudgeCall(),
)


def _answer_doubt(draw: st.DrawFn, seat: SeatNo, dealt: tuple[Role, ...]) -> GameCommand:
    if draw(st.integers(0, 1)):
        return Eliminate(seat, None, dealt[seat - 1], Cause.HIGH_NOON)
    return SurviveHighNoon(seat)


def _answer(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> GameCommand:
    seat = draw(st.sampled_from(state.pending))
    kind, other = draw(st.integers(0, 3)), st.integers(1, len(state.seats)).map(SeatNo)
    if kind == 0:
        return SaveLastLife(seat, draw(st.sampled_from(Rescue)))
    if kind == 1:
        return Eliminate(seat, draw(other), dealt[seat - 1], Cause.PLAYER)
    if kind == 2:
        cause = Cause.HIGH_NOON if state.high_noon_question else draw(st.sampled_from(Cause))
        return Eliminate(seat, None, dealt[seat - 1], cause)
    return LoseLife(draw(other))
