"""The two score systems of 2003 and their variants, written down a second time, from the document."""

import pytest

from base.errors import BadData
from core.editions.edition import Edition, Schedule, Scoring, TieBreak
from core.editions.game_rules import BidOrder, CharacterMethod, FirstNominator, NextNominator
from core.editions.loader import edition, editions, rules_of
from core.rule_set import OptionKey, RuleSet
from core.terms import Ending, Role

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


def test_one_group_and_the_average(rules: Edition) -> None:
    assert rules.schedule is Schedule.ONE_GROUP
    assert rules.scoring is Scoring.AVERAGE
    assert rules.tables.sizes == (4, 5, 6, 7, 8)
    assert rules.characters.method is CharacterMethod.AT_RANDOM
    assert rules.high_noon is None
    assert rules.start_money == 0


def test_the_list_of_six_for_ties(rules: Edition) -> None:
    assert rules.tie_breaks == (
        TieBreak.WON_AS_SHERIFF,
        TieBreak.WON_AS_RENEGADE,
        TieBreak.WON_AS_DEPUTY,
        TieBreak.WON_AS_OUTLAW,
        TieBreak.TURNS_PLAYED,
        TieBreak.LOT,
    )


def test_the_penalty_belongs_to_the_official_table() -> None:
    assert edition("official-2003").penalty == 5000
    assert edition("simplified-2003").penalty == 0


def test_every_variant_is_offered_by_both_and_by_no_championship(rules: Edition) -> None:
    assert rules.offered == tuple(OptionKey)
    assert [known.offered for known in editions() if known.key.startswith("championship")] == [(), ()]


def test_amounts_of_the_variants(rules: Edition) -> None:
    options = rules.options
    assert options.cash_rewards is not None
    assert options.cash_rewards.dollars == 1000
    assert options.experience is not None
    assert options.experience.dollars == 500
    assert options.ruthless_law is not None
    assert "BANG!" in options.ruthless_law.reminder


def test_enlistment_gives_a_thousand_and_an_auction_from_the_right_of_the_sheriff(rules: Edition) -> None:
    chosen = rules_of(RuleSet(rules.key, (OptionKey.ENLISTMENT,)))
    assert rules.auction is None
    assert chosen.money_at_start == 1000
    auction = chosen.auction
    assert auction is not None
    assert auction.first_nominator is FirstNominator.RIGHT_OF_SHERIFF
    assert auction.order is BidOrder.COUNTERCLOCKWISE
    assert auction.next_nominator is NextNominator.FROM_NOMINATOR
    assert (auction.minimum, auction.step, auction.last_pays) == (100, 100, 100)


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
