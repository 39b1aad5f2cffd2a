"""Every score and every rank, with the sums behind them: they are the sums that rank."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition, Scoring, TieBreak
from core.editions.loader import edition
from core.editions.readings import MarogiAverage
from core.game.ending.finished_game import FinishedGame
from core.game.state.game import Cause, Elimination
from core.terms import Dollars, Ending, PlayerId, Role, SeatNo
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.ledger import accepted_results
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import standings_of
from core.tournament.standings.why import Decided, Why, why
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import TournamentState, Waivers
from tests.core.tournament.conftest import Judge, outlaws_won, seed, time_was_up
from tests.examples import examples

EDITIONS = ("championship-2022", "championship-2010", "official-2003", "simplified-2003")


def paid(round_: Round, table: DrawnTable) -> FinishedGame:
    """Seat 2 shoots the Sheriff and has bought its character."""
    result = outlaws_won(round_, table)
    spent = tuple(Dollars(200 if seat == 2 else 0) for seat in range(1, len(table.players) + 1))
    return replace(result, spent=spent, prices=spent)


def law_won(round_: Round, table: DrawnTable) -> FinishedGame:
    """The Sheriff eliminates everybody but the Deputies, the Renegade last."""
    result = outlaws_won(round_, table)
    wanted = [number for number, role in enumerate(result.roles, start=1) if role is Role.OUTLAW]
    wanted += [number for number, role in enumerate(result.roles, start=1) if role is Role.RENEGADE]
    shots = tuple(
        Elimination(SeatNo(seat), SeatNo(1), SeatNo(1), effect, Cause.PLAYER, result.roles[seat - 1])
        for effect, seat in enumerate(wanted, start=1)
    )
    return replace(result, eliminations=shots, ending=Ending.LAW_WINS)


def whys(state: TournamentState, rules: Edition) -> list[Why]:
    return [why(state, rules, row.player) for row in standings_of(state, rules).rows]


def played(rules: Edition, plays: list[object] | None = None, players: int = 0) -> Judge:
    judge = Judge(rules).opens(players or (5 if rules.scoring is Scoring.AVERAGE else 10))
    for play in plays or [outlaws_won, time_was_up]:
        judge.plays_round(play)  # type: ignore[arg-type]  # drawn from a list of plays
    return judge


@pytest.mark.parametrize("key", EDITIONS)
def test_a_score_is_the_sum_that_is_shown(key: str) -> None:
    rules = edition(key)
    state = played(rules, [law_won, outlaws_won]).state
    rows = {row.player: row for row in standings_of(state, rules).rows}
    for explained in whys(state, rules):
        score = explained.score
        assert score.score == rows[explained.player].score
        assert score.total == score.start + sum(share.dollars for share in score.shares)
        assert score.average == (Fraction(score.total, 2) if rules.scoring is Scoring.AVERAGE else None)
        if score.average is None:
            assert score.total == score.score
        else:
            assert abs(score.average - score.score) <= Fraction(1, 2)
        for share in score.shares:
            assert share.why is not None
            assert share.dollars == share.why.net
            assert share.why.line.winnings == sum(part.dollars for part in share.why.line.parts)
            for part in share.why.line.parts:
                assert not part.terms or part.dollars == sum(term.each * term.times for term in part.terms)


@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_neighbours_tell_each_other_the_same_and_the_better_value_is_above(data: st.DataObject) -> None:
    rules = edition(data.draw(st.sampled_from(EDITIONS)))
    plays = data.draw(st.lists(st.sampled_from([outlaws_won, time_was_up, law_won]), min_size=1, max_size=3))
    judge = played(rules, list(plays))
    if rules.scoring is Scoring.SUM and data.draw(st.booleans()):
        gone = data.draw(st.sampled_from(judge.state.entrants)).player
        judge.does(WithdrawPlayer(gone, "train"))
    explained = whys(judge.state, rules)
    assert explained[0].rank.above is None
    assert explained[-1].rank.below is None
    for better, worse in pairwise(explained):
        down, up = better.rank.below, worse.rank.above
        assert down is not None
        assert up is not None
        assert (down.player, up.player) == (worse.player, better.player)
        assert (down.decided, down.key, down.equal) == (up.decided, up.key, up.equal)
        assert (down.mine, down.theirs) == (up.theirs, up.mine)
        if down.decided is Decided.SCORE:
            assert better.score.score > worse.score.score
        if down.key is not None and isinstance(down.mine, Fraction) and isinstance(down.theirs, Fraction):
            assert down.mine > down.theirs
        if down.decided is Decided.NOTHING:
            assert better.rank.row.rank == worse.rank.row.rank


PER_MATCH = replace(
    edition("championship-2022"),
    readings=replace(edition("championship-2022").readings, marogi_average=MarogiAverage.PER_MATCH),
)


@pytest.mark.parametrize(
    ("rules", "tie_break"),
    [
        pytest.param(edition("championship-2022"), TieBreak.MAROGI, id="marogi"),
        pytest.param(PER_MATCH, TieBreak.MAROGI, id="d50 marogi by matches"),
        pytest.param(edition("championship-2010"), TieBreak.BUCHHOLZ, id="buchholz"),
    ],
)
def test_opponents_are_listed_with_the_sum_that_the_tie_break_is(rules: Edition, tie_break: TieBreak) -> None:
    for explained in whys(played(rules).state, rules):
        explanation = next(one for one in explained.rank.keys if one.key is tie_break)
        encounters = sum(met.times for met in explanation.faced)
        assert encounters >= 8
        divisor = len(explained.score.shares) if rules is PER_MATCH else encounters
        assert explanation.divisor == (divisor if tie_break is TieBreak.MAROGI else 0)
        assert explanation.value == Fraction(explanation.sum_of_scores, explanation.divisor or 1)


def test_matches_that_count_are_numbered() -> None:
    rules = edition("official-2003")
    state = played(rules, [law_won, law_won, outlaws_won]).state
    for explained in whys(state, rules):
        for key in explained.rank.keys:
            if key.key is not TieBreak.TURNS_PLAYED:
                assert key.value == len(key.counted)
    assert any(key.counted for explained in whys(state, rules) for key in explained.rank.keys)


def test_a_lot_is_told_with_its_seed_and_order() -> None:
    rules = edition("championship-2022")
    judge = Judge(rules).opens(10, Waivers(rounds=1))
    judge.plays_round()

    def decided() -> set[Decided]:
        return {
            explained.rank.above.decided for explained in whys(judge.state, rules) if explained.rank.above
        }

    assert Decided.NOTHING in decided()
    judge.does(DrawLots(seed("lots")))
    assert Decided.LOT in decided()
    lots = [(explained, explained.rank.lot) for explained in whys(judge.state, rules)]
    assert {lot.seed for _, lot in lots if lot} == {seed("lots")}
    assert all(
        lot is None or lot.group[(explained.rank.row.lot or 0) - 1] == explained.player
        for explained, lot in lots
    )


def test_who_left_stands_below_for_that_reason() -> None:
    rules = edition("championship-2022")
    judge = played(rules)
    best = standings_of(judge.state, rules).rows[0].player
    judge.does(WithdrawPlayer(best, "train"))
    explained = why(judge.state, rules, best)
    assert explained.rank.row.rank is None
    assert explained.rank.above is not None
    assert explained.rank.above.decided is Decided.LEFT


def test_spending_is_told_by_what_it_bought() -> None:
    rules = edition("championship-2010")
    state = played(rules, [paid]).state
    buyer = state.rounds[0].tables[0].players[1]
    (share,) = why(state, rules, buyer).score.shares
    assert share.why is not None
    assert (share.why.spending.price, share.why.spending.cards) == (200, 0)
    assert share.dollars == share.why.line.winnings - 200


def test_a_stranger_has_no_reasons() -> None:
    rules = edition("championship-2022")
    judge = played(rules)
    with pytest.raises(Refused):
        why(judge.state, rules, PlayerId("nobody"))
    assert accepted_results(judge.state, rules)
