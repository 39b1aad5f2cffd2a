"""Strategies: games of random commands, sensible ones and senseless ones."""

from collections.abc import Sequence

from hypothesis import strategies as st

from saloon.core.editions.readings import TimeLimit
from saloon.core.game import commands as c
from saloon.core.game.events import CallReason, Cause, Confirmation, Ending, Rescue
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import GameState, Phase
from saloon.core.rule_set import RecordMode
from saloon.core.terms import SeatNo

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
def next_move(draw: st.DrawFn, state: GameState, dealt: Sequence[Role]) -> c.GameCommand:
    """A command that players of these roles may well enter now; it can still be refused."""
    command: c.GameCommand = draw(_move(state, dealt))
    return command


def _move(state: GameState, dealt: Sequence[Role]) -> st.SearchStrategy[c.GameCommand]:
    if state.phase is not Phase.PLAYING:
        return COMMANDS
    if state.pending:
        return _answer(state, dealt)
    if state.doubtful:
        return _answer_doubt(state.doubtful[0], dealt)
    seats = st.sampled_from([seat.seat for seat in state.seats if seat.in_play])
    others = st.sampled_from([seat.seat for seat in state.seats[1:] if seat.in_play])
    return st.one_of(
        st.just(c.EndTurn()),
        st.just(c.SkipTurn()),
        st.builds(c.SetTurn, seats),
        st.builds(c.MarkJailed, seats),
        st.builds(c.SetRecordMode, st.sampled_from(RecordMode)),
        others.flatmap(
            lambda seat: st.builds(
                c.Eliminate, st.just(seat), seats, st.just(dealt[seat - 1]), st.just(Cause.PLAYER)
            )
        ),
        st.just(c.Reshuffle()),
        st.builds(c.LoseLife, seats, st.integers(1, 3)),
        # The Sheriff's end is the game's: others fall more often, so that Law wins too.
        *[st.builds(c.LoseLife, others, st.just(3))] * 4,
        st.builds(c.RegainLife, seats, st.integers(1, 2)),
        st.builds(c.Abandon, seats),
        st.just(c.CallJudge()),
        st.just(c.AnswerJudgeCall()),
    )


def _answer_doubt(seat: SeatNo, dealt: Sequence[Role]) -> st.SearchStrategy[c.GameCommand]:
    return st.sampled_from(
        (c.SurviveHighNoon(seat), c.Eliminate(seat, None, dealt[seat - 1], Cause.HIGH_NOON))
    )


def _answer(state: GameState, dealt: Sequence[Role]) -> st.SearchStrategy[c.GameCommand]:
    others = [seat.seat for seat in state.seats]
    cause = st.just(Cause.HIGH_NOON) if state.high_noon_question else st.sampled_from(Cause)
    return st.sampled_from(state.pending).flatmap(
        lambda seat: st.one_of(
            st.builds(c.SaveLastLife, st.just(seat), st.sampled_from(Rescue)),
            st.builds(
                c.Eliminate,
                st.just(seat),
                st.sampled_from(others),
                st.just(dealt[seat - 1]),
                st.just(Cause.PLAYER),
            ),
            st.builds(c.Eliminate, st.just(seat), st.none(), st.just(dealt[seat - 1]), cause),
            st.builds(c.LoseLife, st.sampled_from(others)),
        )
    )
