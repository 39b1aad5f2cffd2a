"""The editions that come with Saloon, written down a second time, from their documents."""

import pytest

from base.errors import BadData
from core.characters import Character
from core.editions.edition import Edition, Schedule, Scoring, TieBreak, Waiver
from core.editions.game_rules import (
    AuctionRule,
    BidOrder,
    CharacterMethod,
    FirstNominator,
    HighNoonStarter,
    NextNominator,
)
from core.editions.loader import edition, editions, rules_of
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, Ending, MatchKind, Role

OFFICIAL = {
    (Ending.LAW_WINS, Role.SHERIFF, "always"): (1500, 0, 0),
    (Ending.LAW_WINS, Role.DEPUTY, "alive"): (1000, 0, 0),
    (Ending.LAW_WINS, Role.DEPUTY, "eliminated"): (700, 0, 0),
    (Ending.LAW_WINS, Role.RENEGADE, "lost_final_duel"): (0, 400, 0),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "alive"): (1000, 0, 0),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "eliminated"): (800, 0, 0),
    (Ending.OUTLAWS_WIN, Role.RENEGADE, "alive"): (0, 300, 0),
    (Ending.RENEGADE_WINS, Role.RENEGADE, "alive"): (0, 1500, 0),
    (Ending.RENEGADE_WINS, Role.SHERIFF, "always"): (0, 100, 0),
}
SIMPLIFIED = {
    (Ending.LAW_WINS, Role.SHERIFF, "always"): (1000, 0, 500),
    (Ending.LAW_WINS, Role.DEPUTY, "always"): (500, 0, 500),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "always"): (1000, 0, 500),
    (Ending.RENEGADE_WINS, Role.RENEGADE, "alive"): (2000, 0, 500),
}


@pytest.fixture(scope="module", params=["official-2003", "simplified-2003"])
def rules(request: pytest.FixtureRequest) -> Edition:
    key: str = request.param
    return edition(key)


@pytest.mark.parametrize(("key", "paid"), [("official-2003", OFFICIAL), ("simplified-2003", SIMPLIFIED)])
def test_the_table_of_formulas(key: str, paid: dict[object, object]) -> None:
    amounts_by_case = {
        (row.ending, row.role, row.case.value): (row.per_outlaw, row.per_player, row.per_eliminated)
        for row in edition(key).winnings
    }
    assert {key: amounts for key, amounts in amounts_by_case.items() if any(amounts)} == paid


def test_one_group_the_average_and_the_list_of_six_for_ties(rules: Edition) -> None:
    assert (rules.schedule, rules.scoring) == (Schedule.ONE_GROUP, Scoring.AVERAGE)
    assert rules.tables.sizes == (4, 5, 6, 7, 8)
    assert rules.characters.method is CharacterMethod.AT_RANDOM
    assert (rules.high_noon, rules.start_money) == (None, 0)
    assert rules.penalty == (5000 if rules.key == "official-2003" else 0)
    assert [tie_break.name for tie_break in rules.tie_breaks] == [
        *(f"WON_AS_{role}" for role in ("SHERIFF", "RENEGADE", "DEPUTY", "OUTLAW")),
        *("TURNS_PLAYED", "LOT"),
    ]


def test_every_variant_is_offered_by_both_and_by_no_championship(rules: Edition) -> None:
    assert rules.offered == tuple(OptionKey)
    assert [known.offered for known in editions() if known.key.startswith("championship")] == [(), ()]
    options = rules.options
    assert options.cash_rewards is not None
    assert options.experience is not None
    assert options.ruthless_law is not None
    assert (options.cash_rewards.dollars, options.experience.dollars) == (1000, 500)
    assert "BANG!" in options.ruthless_law.reminder


def test_enlistment_gives_a_thousand_and_an_auction_from_the_right_of_the_sheriff(rules: Edition) -> None:
    chosen = rules_of(RuleSet(rules.key, (OptionKey.ENLISTMENT,)))
    assert rules.auction is None
    assert chosen.money_at_start == 1000
    assert chosen.auction == AuctionRule(
        first_nominator=FirstNominator.RIGHT_OF_SHERIFF,
        order=BidOrder.COUNTERCLOCKWISE,
        next_nominator=NextNominator.FROM_NOMINATOR,
        minimum=Dollars(100),
        step=Dollars(100),
        last_pays=Dollars(100),
    )


def test_the_rebel_enters_with_4_6_8_9_and_10_players(rules: Edition) -> None:
    chosen = rules_of(RuleSet(rules.key, (OptionKey.REBEL,)))
    with_rebel = {
        row.players: (row.sheriff, row.deputy, row.outlaw, row.renegade)
        for row in chosen.role_rows
        if row.rebel
    }
    assert with_rebel == {
        4: (1, 0, 1, 1),
        6: (1, 1, 2, 1),
        8: (1, 2, 3, 1),
        9: (1, 2, 3, 2),
        10: (1, 2, 4, 2),
    }
    assert rules.sizes == (4, 5, 6, 7, 8)
    assert chosen.sizes == (4, 5, 6, 7, 8, 9, 10)


def test_an_option_that_is_not_offered_is_refused_with_what_is() -> None:
    with pytest.raises(BadData, match=r"option rebel is not offered; offered: none"):
        rules_of(RuleSet("championship-2022", (OptionKey.REBEL,)))


@pytest.fixture(scope="module")
def rules_2010() -> Edition:
    return edition("championship-2010")


def test_s1_1_characters_are_auctioned_from_the_sheriff_on_in_hundreds(
    rules_2010: Edition,
) -> None:
    assert rules_2010.start_money == 5000
    assert rules_2010.characters.method is CharacterMethod.AUCTION
    assert rules_2010.auction == AuctionRule(
        first_nominator=FirstNominator.SHERIFF,
        order=BidOrder.CLOCKWISE,
        next_nominator=NextNominator.FROM_WINNER,
        minimum=Dollars(0),
        step=Dollars(100),
        last_pays=Dollars(0),
    )


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


def test_s1_2_buchholz_duels_and_prizes(rules_2010: Edition) -> None:
    assert rules_2010.tie_breaks == (TieBreak.BUCHHOLZ, TieBreak.LOT)
    assert rules_2010.bonus == ()
    assert rules_2010.finals is not None
    assert rules_2010.finals.modes == (MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL)
    prizes = {row.rounds: row.dollars for row in rules_2010.finals.prizes}
    assert prizes == {
        3: (6000, 3000, 1500, 1500),
        4: (8000, 4000, 2000, 2000),
        5: (10000, 5000, 2500, 2500),
    }


PRINTED = """
10 55  11 65  12 66  13 76  14 77  15 555  16 655  17 665  18 666  19 667
20 5555  21 6555  22 6655  23 6665  24 6666  25 55555  26 65555  27 66555  28 66655  29 66665  30 66666
31 655555  32 665555  33 666555  34 666655  35 666665  36 666666  37 6655555  38 6665555  39 6666555
40 55555555  41 65555555  42 66555555  43 66655555  44 66665555  45 66666555  46 66666655  47 66666665
48 66666666  49 666655555  50 5555555555
"""
CHART = list(zip(PRINTED.split()[::2], PRINTED.split()[1::2], strict=True))
"""Players and their tables, in turns, as printed."""


@pytest.fixture(scope="module")
def rules_2022() -> Edition:
    return edition("championship-2022")


PAID_2022 = {
    (Ending.LAW_WINS, Role.SHERIFF, "always"): (1200, 1600, 1200),
    (Ending.LAW_WINS, Role.DEPUTY, "always"): (1200, 1600, 1200),
    (Ending.LAW_WINS, Role.RENEGADE, "lost_final_duel"): (250, 250, 250),
    (Ending.OUTLAWS_WIN, Role.OUTLAW, "always"): (1800, 1500, 1700),
    (Ending.RENEGADE_WINS, Role.RENEGADE, "always"): (2200, 2400, 2600),
}


def test_s1_1_the_table_chart_row_by_row(rules_2010: Edition, rules_2022: Edition) -> None:
    assert [(str(row.players), "".join(map(str, row.tables))) for row in rules_2022.tables.chart] == CHART
    assert len(CHART) == 41
    assert rules_2022.tables.sheriff_once
    assert rules_2010.tables == rules_2022.tables


def test_s1_characters_ties_bonus_and_waivers_of_2022(rules_2022: Edition) -> None:
    assert rules_2022.start_money == 0
    assert (rules_2022.characters.method, rules_2022.characters.dealt) == (CharacterMethod.DEAL_AND_CHOOSE, 2)
    assert set(rules_2022.characters.deck) == set(Character)
    assert rules_2022.tie_breaks == (TieBreak.MAROGI, TieBreak.MATCHES_WON, TieBreak.LOT)
    assert rules_2022.bonus == (100, 100, 100, 100)
    assert rules_2022.waivers == (Waiver.FEWER_ROUNDS, Waiver.TIME_LIMIT)


@pytest.mark.parametrize(
    ("key", "rounds", "paid", "starter"),
    [
        ("championship-2010", [(10, 12, 3), (13, 19, 4), (20, None, 5)], PAID, HighNoonStarter.SHERIFF),
        ("championship-2022", [(10, 14, 3), (15, 24, 4), (25, None, 5)], PAID_2022,
         HighNoonStarter.AFTER_SHERIFF),
    ],
    ids=["2010", "2022"],
)  # fmt: skip
def test_s1_rounds_winnings_and_high_noon(
    key: str, rounds: list[object], paid: dict[object, object], starter: HighNoonStarter
) -> None:
    rules = edition(key)
    assert [(row.players_from, row.players_to, row.rounds) for row in rules.rounds] == rounds
    amounts_by_case = {(row.ending, row.role, row.case.value): row.dollars for row in rules.winnings}
    assert {case: dollars for case, dollars in amounts_by_case.items() if any(dollars)} == paid
    assert rules.high_noon is not None
    assert rules.high_noon.starter is starter
    rows = [(row.players_from, row.players_to, row.reshuffles) for row in rules.high_noon.thresholds]
    assert rows == [(4, 6, 3), (7, None, 2)]
