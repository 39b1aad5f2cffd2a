"""Strategies: games of random commands, sensible ones and senseless ones."""

from collections.abc import Callable

from hypothesis import strategies as st

from core.characters import Character
from core.editions.readings import TimeLimit
from core.game import commands as c
from core.game.events import Rescue
from core.game.state.causes import Cause
from core.game.state.game import CallReason, Confirmation, GameState, Phase
from core.rule_set import RecordMode
from core.terms import Ending, Role, SeatNo

Move = Callable[[st.DrawFn, GameState, tuple[Role, ...]], c.GameCommand]
"""Draws the fields of one kind of command, for a state and the roles that were dealt."""
SEATS = st.integers(0, 8).map(SeatNo)
POINTS = st.integers(-1, 4)

COMMANDS: st.SearchStrategy[c.GameCommand] = st.one_of(
    st.builds(c.CheckIn, SEATS),
    st.just(c.DealRoles()),
    st.builds(
        c.ChooseCharacter,
        SEATS,
        st.sampled_from(Character),
        st.lists(st.sampled_from(Character), max_size=3).map(tuple),
    ),
    st.just(c.BeginGame()),
    st.just(c.EndTurn()),
    st.just(c.SkipTurn()),
    st.builds(c.SetTurn, SEATS),
    st.builds(c.MarkJailed, SEATS),
    st.builds(c.SurviveHighNoon, SEATS),
    st.builds(c.SetRecordMode, st.sampled_from(RecordMode)),
    st.builds(c.LoseLife, SEATS, POINTS),
    st.builds(c.RegainLife, SEATS, POINTS),
    st.builds(c.SaveLastLife, SEATS, st.sampled_from(Rescue)),
    st.builds(c.Eliminate, SEATS, st.none() | SEATS, st.sampled_from(Role), st.sampled_from(Cause)),
    st.builds(c.Abandon, SEATS, st.booleans()),
    st.just(c.Reshuffle()),
    st.just(c.CallJudge()),
    st.just(c.AnswerJudgeCall()),
    st.builds(c.GiveCallReason, st.sampled_from(CallReason)),
    st.just(c.EndByTimeLimit()),
    st.builds(c.EndByTimeLimit, st.just(TimeLimit.JUDGE), st.none() | st.sampled_from(Ending), st.text()),
    st.builds(c.RevealRebel, SEATS),
    st.builds(c.AnswerRevolution, SEATS, st.booleans()),
    st.builds(c.AgreeEnding, SEATS),
    st.builds(c.WithdrawAgreement, SEATS),
    st.builds(c.DisputeEnding, SEATS),
    st.builds(c.WaiveAgreement, SEATS),
    st.builds(c.CorrectLife, SEATS, POINTS, st.text(max_size=3)),
    st.builds(c.CorrectTurns, SEATS, st.integers(-1, 5), st.text(max_size=3)),
    st.builds(c.CorrectOrder, st.lists(SEATS, max_size=3).map(tuple), st.text(max_size=3)),
    st.builds(c.RestorePlayer, SEATS, POINTS, st.text(max_size=3)),
    st.just(c.Redo()),
    st.builds(
        c.CorrectElimination,
        SEATS,
        st.none() | SEATS,
        st.sampled_from(Cause),
        st.sampled_from(Role),
        st.text(max_size=3),
    ),
    st.builds(c.DeclareRoles, st.lists(st.sampled_from(Role), max_size=8).map(tuple)),
    st.builds(c.ConfirmSheet, st.sampled_from(Confirmation)),
    st.builds(c.RestartGame, st.text(max_size=3)),
    st.builds(c.VoidGame, st.text(max_size=3)),
    st.builds(c.Undo, st.integers(-1, 6)),
)
"""Any command but a seating, most of them refused in most states."""


@st.composite
def next_move(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> c.GameCommand:
    """Draw a command that players of these roles may well enter now; it can still be refused.

    Fields are drawn one by one: to build strategies for each state takes longer than to play the game.
    """
    if state.phase is not Phase.PLAYING:
        command: c.GameCommand = draw(COMMANDS)
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


def _eliminate(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> c.GameCommand:
    seat = draw_seat(draw, state, but_seat_1=True)
    return c.Eliminate(seat, draw_seat(draw, state), dealt[seat - 1], Cause.PLAYER)


_MOVES: tuple[Move, ...] = (
    lambda _draw, _state, _dealt: c.EndTurn(),
    lambda _draw, _state, _dealt: c.SkipTurn(),
    lambda draw, state, _: c.SetTurn(draw_seat(draw, state)),
    lambda draw, state, _: c.MarkJailed(draw_seat(draw, state)),
    lambda draw, _state, _dealt: c.SetRecordMode(draw(st.sampled_from(RecordMode))),
    _eliminate,
    lambda _draw, _state, _dealt: c.Reshuffle(),
    lambda draw, state, _: c.LoseLife(draw_seat(draw, state), draw(st.integers(1, 3))),
    # The Sheriff's end is the game's: others fall more often, so that Law wins too.
    *[lambda draw, state, _: c.LoseLife(draw_seat(draw, state, but_seat_1=True), 3)] * 4,
    lambda draw, state, _: c.RegainLife(draw_seat(draw, state), draw(st.integers(1, 2))),
    lambda draw, state, _: c.Abandon(draw_seat(draw, state)),
    lambda _draw, _state, _dealt: c.CallJudge(),
    lambda _draw, _state, _dealt: c.AnswerJudgeCall(),
)


def _answer_doubt(draw: st.DrawFn, seat: SeatNo, dealt: tuple[Role, ...]) -> c.GameCommand:
    if draw(st.integers(0, 1)):
        return c.Eliminate(seat, None, dealt[seat - 1], Cause.HIGH_NOON)
    return c.SurviveHighNoon(seat)


def _answer(draw: st.DrawFn, state: GameState, dealt: tuple[Role, ...]) -> c.GameCommand:
    seat = draw(st.sampled_from(state.pending))
    kind, other = draw(st.integers(0, 3)), st.integers(1, len(state.seats)).map(SeatNo)
    if kind == 0:
        return c.SaveLastLife(seat, draw(st.sampled_from(Rescue)))
    if kind == 1:
        return c.Eliminate(seat, draw(other), dealt[seat - 1], Cause.PLAYER)
    if kind == 2:
        cause = Cause.HIGH_NOON if state.high_noon_question else draw(st.sampled_from(Cause))
        return c.Eliminate(seat, None, dealt[seat - 1], cause)
    return c.LoseLife(draw(other))
