"""D44: with 8 or 9 players left, a championship ends, or the judge allows tables of 4 and what they pay."""

from importlib import resources
from itertools import product

import pytest
from msgspec.structs import replace

from base.errors import BadData
from core.editions.edition import Edition, with_tables_of_four
from core.editions.loader import edition, read_edition, rules_of
from core.game.ending.winnings import winnings
from core.game.play.high_noon import reshuffles_to_high_noon
from core.rule_set import TablesOfFour
from core.terms import Dollars, PlayerId, Role
from core.tournament.draw.drawing import AllowTablesOfFour, SealDraw
from core.tournament.draw.rounds import table_sizes
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.reasons import TournamentReason
from tests.core.tournament.conftest import Judge, one_group, outlaws_won

FORMULAS = tuple(row.four for row in edition("championship-2010").winnings)


def amounts(rules: Edition, won: int = 1700) -> tuple[Dollars, ...]:
    """Only winning Outlaws are paid."""
    return tuple(
        Dollars(won if (row.role, row.ending.value) == (Role.OUTLAW, "outlaws_win") else 0)
        for row in rules.winnings
    )


def left(judge: Judge, count: int) -> Judge:
    """Play one of three rounds with 12 players, and withdraw players until only ``count`` are left."""
    judge.opens(12)
    judge.plays_round()
    for number in range(12, count, -1):
        judge.does(WithdrawPlayer(PlayerId(f"p{number:03}"), "the last train"))
    return judge


@pytest.mark.parametrize(("count", "sizes"), [(8, [4, 4]), (9, [5, 4])])
def test_d44_the_judge_allows_tables_of_four(judge: Judge, count: int, sizes: list[int]) -> None:
    left(judge, count)
    assert judge.refuses(SealDraw(seed="a" * 64)) is TournamentReason.NO_TABLES
    allow = AllowTablesOfFour(amounts(judge.rules), "everybody wants to play on")
    judge.does(allow)
    assert judge.decides_again()
    judge.rules = rules_of(judge.state.rules)
    drawn = judge.plays_round(play=outlaws_won)
    assert sorted((len(table.players) for table in drawn.tables), reverse=True) == sizes
    four = next(table for table in drawn.tables if len(table.players) == 4)
    row = {one.player: one for one in rounds_standings(judge.state, judge.rules).rows}[four.players[1]]
    assert row.score >= 1700


def test_other_numbers_of_players_need_no_table_of_four(judge: Judge) -> None:
    left(judge, 10)
    allow = AllowTablesOfFour(amounts(judge.rules), "why not")
    assert judge.refuses(allow) is TournamentReason.FOUR_NOT_NEEDED
    judge.does(WithdrawPlayer(PlayerId("p010"), "the last train"))
    assert judge.refuses(replace(allow, reason=" ")) is TournamentReason.EMPTY_REASON
    judge.does(allow)
    judge.rules = rules_of(judge.state.rules)
    assert judge.refuses(allow) is TournamentReason.FOUR_ALLOWED_ALREADY


def test_a_group_by_itself_has_no_tables_to_allow() -> None:
    judge = Judge(one_group()).opens(8)
    judge.plays_round()
    assert judge.refuses(AllowTablesOfFour((), "why not")) is TournamentReason.NO_TABLES_OF_FOUR


@pytest.mark.parametrize("dollars", [(), (Dollars(1),) * 3, (Dollars(-1),) * 17])
def test_there_is_one_amount_for_each_row(judge: Judge, dollars: tuple[Dollars, ...]) -> None:
    left(judge, 8)
    with pytest.raises(BadData, match="an amount of 0 or more for each of 17 rows"):
        judge.does(AllowTablesOfFour(dollars, "everybody wants to play on"))


def test_in_2010_a_table_of_four_is_paid_by_the_formulas_with_two_outlaws() -> None:
    known = edition("championship-2010")
    rules = with_tables_of_four(known, TablesOfFour("all want to", FORMULAS))
    each = {(row.ending.value, row.role.value, row.case.value): row for row in rules.winnings}
    paid = {key: row.dollars[0] for key, row in each.items() if row.dollars[0]}
    assert paid == {
        ("law_wins", "sheriff", "always"): 1500 * 2,
        ("law_wins", "deputy", "alive"): 1100 * 2,
        ("law_wins", "deputy", "eliminated"): 700 * 2,
        ("law_wins", "renegade", "lost_final_duel"): 400 * 4,
        ("outlaws_win", "outlaw", "alive"): 1000 * 2,
        ("outlaws_win", "outlaw", "eliminated"): 700 * 2,
        ("outlaws_win", "renegade", "alive"): 100 * 4,
        ("renegade_wins", "renegade", "always"): 1300 * 4,
        ("renegade_wins", "sheriff", "always"): 100 * 4,
    }
    for row, before in zip(rules.winnings, known.winnings, strict=True):
        assert row.dollars[1:] == before.dollars


def test_the_printed_rules_stay_as_they_are() -> None:
    for key, players in product(("championship-2010", "championship-2022"), range(5, 120)):
        known = edition(key)
        allowed = with_tables_of_four(known, TablesOfFour("-", tuple(Dollars(0) for _ in known.winnings)))
        if players not in {8, 9}:
            assert table_sizes(players, allowed, below_minimum=True) == table_sizes(
                players, known, below_minimum=True
            )
        assert reshuffles_to_high_noon(4, allowed) == 3


def test_other_tables_are_paid_as_before(judge: Judge) -> None:
    judge.opens(12)
    drawn = judge.plays_round(play=outlaws_won)
    rules = with_tables_of_four(judge.rules, TablesOfFour("-", amounts(judge.rules)))
    assert drawn.sheets
    for sheet in drawn.sheets:
        assert winnings(sheet.result, rules) == winnings(sheet.result, judge.rules)


def test_no_file_of_rules_allows_them() -> None:
    file = resources.files("core.editions").joinpath("championship-2022.toml")
    text = 'tables_of_four = "all want to"\n' + file.read_text("utf-8")
    with pytest.raises(BadData, match="the judge allows them"):
        read_edition(text, "ours.toml")
