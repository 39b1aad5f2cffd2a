"""The numbers of Championship 2010 v1.1, written down a second time, from the document."""

import pytest

from core.editions.edition import Edition, TieBreak
from core.editions.game_rules import BidOrder, CharacterMethod, FirstNominator, HighNoonStarter, NextNominator
from core.editions.loader import edition
from core.terms import Ending, MatchKind, Role


@pytest.fixture(scope="module")
def rules() -> Edition:
    return edition("championship-2010")


def test_s1_rounds_by_players(rules: Edition) -> None:
    rows = [(row.players_from, row.players_to, row.rounds) for row in rules.rounds]
    assert rows == [(10, 12, 3), (13, 19, 4), (20, None, 5)]


def test_s1_1_the_table_chart_is_that_of_2022(rules: Edition) -> None:
    assert rules.tables == edition("championship-2022").tables


def test_s1_1_characters_are_auctioned_from_the_sheriff_on_in_hundreds(rules: Edition) -> None:
    assert rules.start_money == 5000
    assert rules.characters.method is CharacterMethod.AUCTION
    auction = rules.auction
    assert auction is not None
    assert auction.first_nominator is FirstNominator.SHERIFF
    assert auction.order is BidOrder.CLOCKWISE
    assert auction.next_nominator is NextNominator.FROM_WINNER
    assert (auction.minimum, auction.step, auction.last_pays) == (0, 100, 0)


PAID = {
    (Ending.LAW_WINS, Role.SHERIFF, "always"): (3000, 4500, 4500),
    (Ending.LAW_WINS, Role.DEPUTY, "alive"): (2200, 3300, 3300),
    (Ending.LAW_WINS, Role.DEPUTY, "eliminated"): (1400, 2100, 2100),
    (Ending.LAW_WINS, Role.RENEGADE, "lost_final_duel"): (2000, 2400, 2800),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "alive"): (2000, 3000, 3000),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "eliminated"): (1400, 2100, 2100),
    (Ending.OUTLAWS_WIN, Role.RENEGADE, "alive"): (500, 600, 700),
    (Ending.RENEGADE_WINS, Role.RENEGADE, "always"): (6500, 7800, 9100),
    (Ending.RENEGADE_WINS, Role.SHERIFF, "always"): (500, 600, 700),
}


def test_s1_1_winnings_tables(rules: Edition) -> None:
    amounts_by_case = {(row.ending, row.role, row.case.value): row.dollars for row in rules.winnings}
    assert {key: paid for key, paid in amounts_by_case.items() if any(paid)} == PAID


def test_s1_1_high_noon_begins_with_the_sheriff(rules: Edition) -> None:
    assert rules.high_noon is not None
    assert rules.high_noon.starter is HighNoonStarter.SHERIFF
    rows = [(row.players_from, row.players_to, row.reshuffles) for row in rules.high_noon.thresholds]
    assert rows == [(4, 6, 3), (7, None, 2)]


def test_s1_2_buchholz_duels_and_prizes(rules: Edition) -> None:
    assert rules.tie_breaks == (TieBreak.BUCHHOLZ, TieBreak.LOT)
    assert rules.bonus == ()
    assert rules.finals is not None
    assert rules.finals.modes == (MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL)
    prizes = {row.rounds: row.dollars for row in rules.finals.prizes}
    assert prizes == {
        3: (6000, 3000, 1500, 1500),
        4: (8000, 4000, 2000, 2000),
        5: (10000, 5000, 2500, 2500),
    }


def test_s1_only_the_base_game_is_played(rules: Edition) -> None:
    assert rules.offered == ()
