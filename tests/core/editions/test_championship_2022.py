"""The numbers of Championship 2022/23 v1.4, written down a second time, from the document."""

import pytest

from core.characters import Character
from core.editions.edition import Edition, TieBreak, Waiver
from core.editions.game_rules import CharacterMethod, HighNoonStarter
from core.editions.loader import edition
from core.terms import Ending, Role

CHART = """
10 55  11 65  12 66  13 76  14 77  15 555  16 655  17 665  18 666  19 667
20 5555  21 6555  22 6655  23 6665  24 6666  25 55555  26 65555  27 66555  28 66655  29 66665  30 66666
31 655555  32 665555  33 666555  34 666655  35 666665  36 666666  37 6655555  38 6665555  39 6666555
40 55555555  41 65555555  42 66555555  43 66655555  44 66665555  45 66666555  46 66666655  47 66666665
48 66666666  49 666655555  50 5555555555
"""


@pytest.fixture(scope="module")
def rules() -> Edition:
    return edition("championship-2022")


def test_s1_rounds_by_players(rules: Edition) -> None:
    rows = [(row.players_from, row.players_to, row.rounds) for row in rules.rounds]
    assert rows == [(10, 14, 3), (15, 24, 4), (25, None, 5)]


def test_s1_1_the_table_chart_row_by_row(rules: Edition) -> None:
    words = CHART.split()
    printed = [
        (int(players), tuple(map(int, tables)))
        for players, tables in zip(words[::2], words[1::2], strict=True)
    ]
    assert [(row.players, row.tables) for row in rules.tables.chart] == printed
    assert len(printed) == 41
    assert rules.tables.sheriff_once


def test_s1_1_two_characters_are_dealt_of_the_sixteen(rules: Edition) -> None:
    assert rules.characters.method is CharacterMethod.DEAL_AND_CHOOSE
    assert rules.characters.dealt == 2
    assert set(rules.characters.deck) == set(Character)


PAID = {
    (Ending.LAW_WINS, Role.SHERIFF, "always"): (1200, 1600, 1200),
    (Ending.LAW_WINS, Role.DEPUTY, "always"): (1200, 1600, 1200),
    (Ending.LAW_WINS, Role.RENEGADE, "lost_final_duel"): (250, 250, 250),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "always"): (1800, 1500, 1700),
    (Ending.RENEGADE_WINS, Role.RENEGADE, "always"): (2200, 2400, 2600),
}


def test_s1_1_winnings_tables(rules: Edition) -> None:
    amounts_by_case = {(row.ending, row.role, row.case.value): row.dollars for row in rules.winnings}
    assert {key: paid for key, paid in amounts_by_case.items() if any(paid)} == PAID
    assert rules.start_money == 0


def test_s1_1_high_noon(rules: Edition) -> None:
    assert rules.high_noon is not None
    assert rules.high_noon.starter is HighNoonStarter.AFTER_SHERIFF
    rows = [(row.players_from, row.players_to, row.reshuffles) for row in rules.high_noon.thresholds]
    assert rows == [(4, 6, 3), (7, None, 2)]


def test_s1_2_tie_breaks_and_bonus(rules: Edition) -> None:
    assert rules.tie_breaks == (TieBreak.MAROGI, TieBreak.MATCHES_WON, TieBreak.LOT)
    assert rules.bonus == (100, 100, 100, 100)


def test_s1_3_waivers(rules: Edition) -> None:
    assert rules.waivers == (Waiver.FEWER_ROUNDS, Waiver.TIME_LIMIT)
