"""Rounds beside each other agree with the ranking and with the money that was paid."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.loader import edition, editions
from core.game.ending.finished_game import FinishedGame
from core.terms import Dollars
from core.tournament.finals import PublishRoundsRanking
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.ledger import accepted_results, is_money_spent, nearest_dollar
from core.tournament.standings.round_by_round import round_by_round
from core.tournament.standings.standings import rounds_standings, standings_of
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import Waivers
from tests.core.tournament.conftest import Judge, outlaws_won, time_was_up


def test_no_round_has_no_columns() -> None:
    judge = Judge(edition("championship-2022")).opens(10)
    data = round_by_round(judge.state, judge.rules)
    assert data.rounds == ()
    assert {row.places for row in data.rows} <= {()}


def test_winnings_and_places_are_those_of_each_round() -> None:
    judge = Judge(edition("championship-2022")).opens(17, Waivers(rounds=3))
    after = []
    for play in (outlaws_won, time_was_up, outlaws_won):
        judge.plays_round(play)
        after.append({row.player: row.rank for row in rounds_standings(judge.state, judge.rules).rows})
    judge.draws_lots()
    data = round_by_round(judge.state, judge.rules)
    final = standings_of(judge.state, judge.rules)
    assert [(row.player, row.rank, row.total) for row in data.rows] == [
        (row.player, row.rank, row.final_score) for row in final.rows
    ]
    paid = sum(sum(result.payout) for result in accepted_results(judge.state, judge.rules))
    assert sum(amount or 0 for row in data.rows for amount in row.winnings) == paid
    for row in data.rows:
        assert row.places[:2] == (after[0][row.player], after[1][row.player])
        assert row.places[2] == row.rank


def test_a_player_who_left_has_no_place_and_no_game_afterwards() -> None:
    judge = Judge(edition("championship-2022")).opens(12, Waivers(rounds=2))
    judge.plays_round()
    left = judge.state.rounds[0].tables[0].players[1]
    judge.does(WithdrawPlayer(left, "ill"))
    judge.plays_round()
    row = round_by_round(judge.state, judge.rules).rows[-1]
    assert (row.player, row.rank, row.places, row.winnings[1]) == (left, None, (None, None), None)


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
@settings(max_examples=5)
@given(st.randoms(use_true_random=False))
def test_each_row_adds_up_to_its_total(rules: Edition, chance: Random) -> None:
    def play(round_no: Round, table: DrawnTable) -> FinishedGame:
        result = chance.choice((outlaws_won, time_was_up))(round_no, table)
        paid = tuple(Dollars(chance.choice((100, 700))) for _ in table.players)
        return replace(result, spent=paid, prices=paid) if is_money_spent(rules) else result

    judge = Judge(rules).opens(5 if rules.is_one_group else 12)
    judge.plays_rounds(play=play)
    judge.draws_lots()
    if rules.finals is not None:
        judge.does(PublishRoundsRanking())
        first, second, third, _fourth = judge.finals.finalists
        for player in (first, second, third):
            judge.does(WithdrawPlayer(player, "train"))
    data = round_by_round(judge.state, rules)
    assert data.has_prize is (rules.finals is not None)
    assert data.has_spent is is_money_spent(rules)
    for row in data.rows:
        won = [amount for amount in row.winnings if amount is not None]
        assert data.start + sum(won) - row.spent == row.money
        assert row.score == (nearest_dollar(Fraction(row.money, len(won))) if data.is_average else row.money)
        assert row.score + row.bonus + row.prize == row.total
        assert data.has_bonus or not row.bonus
