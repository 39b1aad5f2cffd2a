"""Results of duels: who has won by which score, and which sheets from paper can be true."""

from itertools import product

import msgspec
import pytest

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.tables import FinalsRule
from core.game.result import FinishedDuel, check_finished_duel
from core.game.state.duel import CHARACTERS, DuelBecause, winner_by_score
from core.game.state.reasons import GameReason
from core.terms import MatchKind, PlayerId, RoundNo, SeatNo, TableNo

LONG, SHORT = MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL
_replace = msgspec.structs.replace


@pytest.fixture
def rules() -> Edition:
    """The 2022/23 rules with the finals of 2010."""
    return _replace(edition("championship-2022"), finals=FinalsRule(modes=(LONG, SHORT), prizes=()))


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


def refusal(duel: FinishedDuel, rules: Edition) -> GameReason:
    with pytest.raises(Refused) as caught:
        check_finished_duel(duel, rules)
    reason = caught.value.reason
    assert isinstance(reason, GameReason)
    return reason


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
            possible = (first, second) in scores
            assert possible == _accepted(first, second)


def _accepted(first: int, second: int) -> bool:
    rules = _replace(edition("championship-2022"), finals=FinalsRule(modes=(SHORT,), prizes=()))
    try:
        check_finished_duel(result(SHORT, first, second, 1 if first > second else 2), rules)
    except Refused:
        return False
    return True


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
    assert refusal(duel, rules) is reason


def test_leaving_and_a_ruling_need_no_score(rules: Edition) -> None:
    check_finished_duel(_replace(result(LONG, 0, 4, 1), because=DuelBecause.OPPONENT_EJECTED), rules)
    check_finished_duel(
        _replace(result(SHORT, 4, 4, 2), because=DuelBecause.RULING, ruling="time is over"), rules
    )


def test_an_edition_without_finals_has_no_duels() -> None:
    assert refusal(result(LONG, 5, 0, 1), edition("championship-2022")) is GameReason.NO_SUCH_DUEL
    assert set(CHARACTERS) == {LONG, SHORT}
