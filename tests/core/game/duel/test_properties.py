"""Any duel has one winner, life within bounds and an undo; and which results from paper can be true."""

from contextlib import nullcontext
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, why_not
from core.game.duel.fight import (
    CarryWounds,
    ChooseLine,
    EnterCharacter,
    HealCharacter,
    RuleDuel,
    WoundCharacter,
)
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.judge_calls import CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.result import FinishedDuel, check_finished_duel, finished_duel
from core.game.setup import CheckIn
from core.game.state.decisions import Undo
from core.game.state.duel import (
    CHARACTERS,
    Advantage,
    DuelBecause,
    DuelPhase,
    DuelState,
    Remedy,
    winner_by_score,
)
from core.game.state.game import Phase
from core.game.state.reasons import GameReason
from core.game.timeline import fold, undoable
from core.terms import MatchKind, PlayerId, RoundNo, SeatNo, TableNo
from tests.core.game.conftest import refused
from tests.core.game.duel.conftest import LONG, ONE, SHORT, TWO, WITH_DUELS, DuelTable
from tests.examples import examples

SEATS = st.integers(0, 3).map(SeatNo)
CHARACTERS_ANY = st.sampled_from(Character)
POINTS = st.integers(-1, 9)
SENSELESS: st.SearchStrategy[GameCommand] = st.one_of(
    st.builds(TurnUpCharacters, st.lists(CHARACTERS_ANY, max_size=11).map(tuple)),
    st.builds(TakeAdvantage, st.sampled_from(Advantage)),
    st.builds(PickCharacter, SEATS, CHARACTERS_ANY),
    st.builds(ShowLine, SEATS, CHARACTERS_ANY, CHARACTERS_ANY),
    st.builds(DrawStarter, SEATS),
    st.builds(EnterCharacter, SEATS, CHARACTERS_ANY),
    st.builds(ChooseLine, SEATS, CHARACTERS_ANY, st.none() | CHARACTERS_ANY),
    st.builds(WoundCharacter, SEATS, CHARACTERS_ANY, POINTS),
    st.builds(HealCharacter, SEATS, CHARACTERS_ANY, POINTS, st.sampled_from(Remedy)),
    st.builds(CarryWounds, SEATS, POINTS),
    st.builds(CheckIn, SEATS),
    st.just(EndTurn()),
    st.just(CallJudge()),
    st.just(Reshuffle()),
    st.just(EndByTimeLimit()),
    st.builds(Undo, st.integers(0, 4)),
)


def sensible(duel: DuelState) -> list[GameCommand]:
    """Return commands that players may enter now."""
    match duel.phase:
        case DuelPhase.FACE_UP:
            return [TurnUpCharacters(tuple(Character)[:10])]
        case DuelPhase.CHOICE:
            return [TakeAdvantage(advantage) for advantage in Advantage]
        case DuelPhase.DRAFT:
            assert duel.picker is not None
            return [PickCharacter(duel.picker, character) for character in duel.free]
        case DuelPhase.LINES:
            return [ShowLine(side.seat, *side.picks[1:3]) for side in duel.sides if not side.shown]
        case _:
            return [
                *(DrawStarter(seat) for seat in (ONE, TWO)),
                *(EnterCharacter(side.seat, duel.may_enter(side.seat)[0]) for side in duel.sides
                  if duel.entering(side.seat)),
                *(WoundCharacter(side.seat, fighter.character, points) for side in duel.sides
                  for fighter in side.in_play for points in (1, 3)),
                *(HealCharacter(side.seat, f.character) for side in duel.sides for f in side.in_play),
                EndTurn(),
            ]  # fmt: skip


def held(table: DuelTable) -> None:
    """Assert the invariants of a duel."""
    duel = table.duel()
    for side in duel.sides:
        for fighter in side.in_play:
            assert 0 < fighter.life <= fighter.max_life
        assert len(set(side.shown)) == len(side.shown) == len(side.lost) + len(side.in_play)
        assert duel.reserve(side.seat) >= 0
        assert (side.front is not None) or (side.rear is None)
    by_score = winner_by_score(duel.kind, duel.score)
    assert by_score in {None, duel.winner}
    assert (duel.winner is not None) == (table.now().phase in {Phase.SHEET, Phase.CONFIRMED})


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None)
@given(st.data(), st.sampled_from((LONG, SHORT)))
def test_every_sequence_of_commands_ends_in_exactly_one_winner(
    data: st.DataObject, match_kind: MatchKind
) -> None:
    table = DuelTable(WITH_DUELS).here(match_kind)
    for _ in range(150):
        for seat in table.now().seats:
            if not seat.checked_in and table.now().phase is Phase.SEATING:
                table.ask(CheckIn(seat.seat))
        if table.now().phase is not Phase.DUEL:
            break
        random = data.draw(st.integers(0, 5)) == 0
        command = data.draw(SENSELESS) if random else data.draw(st.sampled_from(sensible(table.duel())))
        before, timeline = table.now(), table.timeline
        allowed = why_not(before, command, table.rules, may_undo=undoable(timeline)) is None
        try:
            table.ask(command)
        except Refused:
            assert not allowed
            assert table.timeline == timeline
            continue
        assert allowed
        held(table)
        if not isinstance(command, Undo | CallJudge):
            table.ask(Undo(1))
            called = {"judge_called": before.judge_called, "call_reason": before.call_reason}
            assert msgspec.structs.replace(table.now(), **called) == before
            table.ask(command)
    if table.now().phase in {Phase.SEATING, Phase.DUEL}:
        table.ask(RuleDuel(ONE, "the test's time is over"))
    duel = finished_duel(table.now())
    check_finished_duel(duel, table.rules)
    assert duel.winner in {ONE, TWO}
    assert max(duel.score) <= CHARACTERS[match_kind]
    assert fold(table.log) == table.timeline


_replace = msgspec.structs.replace


def result(kind: MatchKind, first: int, second: int, winner: int) -> FinishedDuel:
    return FinishedDuel(
        round=RoundNo(4),
        table=TableNo(1),
        kind=kind,
        players=(PlayerId("p1"), PlayerId("p2")),
        winner=SeatNo(winner),
        score=(first, second),
        because=DuelBecause.ELIMINATIONS,
    )


def _read_word_by_word(order: tuple[int, ...]) -> tuple[tuple[int, int], int | None]:
    """The paragraph as a person follows it: a target that every tie from four all moves up."""
    score, target = [0, 0], 5
    for who in order:
        score[who] += 1
        if score[who] == target:
            return (score[0], score[1]), who + 1
        if score[0] == score[1] and score[0] >= 4:
            target = min(score[0] + 2, 8)
    return (score[0], score[1]), None


def test_s1_2_every_order_of_eliminations_in_a_short_duel_is_won_as_the_paragraph_says() -> None:
    scores = set()
    for order in product((0, 1), repeat=15):
        score, winner = _read_word_by_word(order)
        assert winner is not None
        assert winner_by_score(SHORT, score) == winner
        scores.add(score)
    assert max(scores) == (8, 7)
    for first, second in product(range(9), repeat=2):
        if winner_by_score(SHORT, (first, second)) is not None:
            reached = result(SHORT, first, second, 1 if first > second else 2)
            with nullcontext() if (first, second) in scores else pytest.raises(Refused):
                check_finished_duel(reached, WITH_DUELS)


def test_s1_2_a_long_duel_is_won_when_all_five_are_out() -> None:
    assert [winner_by_score(LONG, (5, lost)) for lost in range(5)] == [SeatNo(1)] * 5
    assert [winner_by_score(LONG, (lost, 4)) for lost in range(5)] == [None] * 5


def test_a_result_from_paper_is_accepted_with_the_characters_in_order(rules: Edition) -> None:
    deck = tuple(Character)
    duel = _replace(result(SHORT, 5, 2, 1), characters=(deck[:3], deck[8:13]))
    check_finished_duel(duel, rules)
    assert (duel.winning_player, duel.losing_player) == ("p1", "p2")


@pytest.mark.parametrize(
    ("duel", "reason"),
    [
        (result(MatchKind.GAME, 5, 3, 1), GameReason.NO_SUCH_DUEL),
        (result(SHORT, 5, 3, 3), GameReason.NO_SEAT),
        (result(SHORT, 5, 3, 2), GameReason.DUEL_WINNER_DIFFERS),
        (result(SHORT, 5, 4, 1), GameReason.DUEL_NOT_OVER),
        (result(SHORT, 6, 2, 1), GameReason.DUEL_SCORE_IMPOSSIBLE),
        (result(SHORT, 9, 7, 1), GameReason.DUEL_SCORE_IMPOSSIBLE),
        (result(LONG, 5, 5, 1), GameReason.DUEL_SCORE_IMPOSSIBLE),
        (result(LONG, -1, 5, 2), GameReason.DUEL_SCORE_IMPOSSIBLE),
        (_replace(result(LONG, 5, 1, 1), because=DuelBecause.OPPONENT_LEFT), GameReason.DUEL_WAS_OVER),
        (
            _replace(result(LONG, 2, 1, 1), because=DuelBecause.RULING, ruling=" "),
            GameReason.RULING_WITHOUT_REASON,
        ),
        (_replace(result(LONG, 5, 1, 1), players=(PlayerId("p"), PlayerId("p"))), GameReason.SEATED_TWICE),
        (
            _replace(result(LONG, 5, 1, 1), characters=((Character.BLACK_JACK,), (Character.BLACK_JACK,))),
            GameReason.CHARACTER_TAKEN,
        ),
        (
            _replace(result(LONG, 5, 1, 1), characters=((), (Character.BLACK_JACK,))),
            GameReason.DUEL_CHARACTERS,
        ),
    ],
)
def test_a_result_that_cannot_have_happened_is_refused_with_its_reason(
    duel: FinishedDuel, reason: GameReason, rules: Edition
) -> None:
    assert refused(check_finished_duel, duel, rules) is reason


def test_leaving_and_a_ruling_need_no_score(rules: Edition) -> None:
    check_finished_duel(_replace(result(LONG, 0, 4, 1), because=DuelBecause.OPPONENT_EJECTED), rules)
    check_finished_duel(
        _replace(result(SHORT, 4, 4, 2), because=DuelBecause.RULING, ruling="time is over"), rules
    )


def test_an_edition_without_finals_has_no_duels() -> None:
    assert (
        refused(check_finished_duel, result(LONG, 5, 0, 1), edition("championship-2022"))
        is GameReason.NO_SUCH_DUEL
    )
    assert set(CHARACTERS) == {LONG, SHORT}
