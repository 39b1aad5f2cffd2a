"""Games of random commands: strategies of sensible and senseless ones, and whole games from a seed."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from core.characters import Character
from core.editions.loader import edition
from core.editions.readings import TimeLimit
from core.game.clock import EndByTimeLimit
from core.game.correction import (
    CorrectElimination,
    CorrectLife,
    CorrectOrder,
    CorrectTurns,
    RestorePlayer,
)
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason
from core.game.ending.rebel import RevealRebel
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    VoidGame,
    WaiveAgreement,
    WithdrawAgreement,
)
from core.game.events import GameStep
from core.game.play.abandonment import Abandon
from core.game.play.effects import AnswerRevolution, SurviveHighNoon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, MarkJailed, SetRecordMode, SetTurn, SkipTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, RestartGame, SeatTable
from core.game.state.decisions import Redo, Undo
from core.game.state.game import CallReason, Cause, Confirmation, GameState, Phase, SeatedPlayer
from core.game.state.seats import role_counts
from core.game.timeline import Timeline, extend, undoable
from core.rule_set import RecordMode, RuleSet
from core.terms import Ending, GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId

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


_MOST_MOVES = 160


def random_game(seed: int, players: int, key: str = "championship-2022") -> Timeline:
    """The steps that count of a game by chance."""
    chance, rules = Random(seed), edition(key)
    row = role_counts(players, rules)
    roles = [role for role in Role if role is not Role.SHERIFF for _ in range(row.count(role))]
    chance.shuffle(roles)
    deal = (Role.SHERIFF, *roles)
    seats = tuple(SeatNo(n) for n in range(1, players + 1))
    seated = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in seats)
    game = GameId("g")
    opening: list[GameCommand] = [
        SeatTable(game, TournamentId("t"), "Open", RuleSet(key), RoundNo(1), TableNo(1), seated),
        *(CheckIn(seat) for seat in seats),
        DealRoles(),
        *map(ChooseCharacter, seats, chance.sample(rules.characters.deck, players)),
        BeginGame(),
    ]
    timeline: Timeline | None = None
    for number in range(len(opening) + _MOST_MOVES):
        state = None if timeline is None else timeline.state
        move = opening[number] if number < len(opening) or state is None else _move(chance, state, deal)
        may_undo = undoable(timeline)
        if why_not(state, move, rules, may_undo=may_undo) is None:
            timeline = extend(timeline, GameStep(game, decide(state, move, rules, may_undo=may_undo)))
    assert timeline is not None
    return timeline


def _move(chance: Random, state: GameState, deal: tuple[Role, ...]) -> GameCommand:
    seat = SeatNo(chance.randint(1, len(deal)))
    if state.pending:
        out = state.pending[0]
        by = None if state.high_noon_question else state.turn
        cause = Cause.HIGH_NOON if by is None else Cause.PLAYER
        saved = SaveLastLife(out, Rescue.BEER)
        return saved if chance.random() < 0.2 else Eliminate(out, by, deal[out - 1], cause)
    return chance.choice(
        [
            EndTurn(),
            EndTurn(),
            LoseLife(seat),
            LoseLife(seat),
            RegainLife(seat),
            RegainLife(seat),
            Reshuffle() if chance.random() < 0.3 else EndTurn(),
            Undo(1) if state.turns > 1 and chance.random() < 0.3 else EndTurn(),
            CallJudge(),
            AnswerJudgeCall(),
        ]
    )
