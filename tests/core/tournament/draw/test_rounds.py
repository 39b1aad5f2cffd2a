"""Rounds, the table chart, and tables of 4 (D44)."""

from importlib import resources
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition, with_tables_of_four
from core.editions.loader import edition, read_edition, rules_of
from core.editions.tables import AboveChart
from core.game.ending.winnings import winnings
from core.game.play.high_noon import reshuffles_to_high_noon
from core.rule_set import TablesOfFour
from core.terms import Dollars, PlayerId, Role
from core.tournament.draw.drawing import AllowTablesOfFour, SealDraw
from core.tournament.draw.rounds import planned_rounds, printed_rounds, table_sizes
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Waivers
from tests.core.editions.test_editions import CHART
from tests.core.game.conftest import refused
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


RULES = edition("championship-2022")


@pytest.mark.parametrize(("players", "sizes"), CHART)
def test_s1_1_tables_are_those_of_the_printed_row(players: str, sizes: str) -> None:
    assert table_sizes(int(players), RULES) == tuple(map(int, sizes))


@pytest.mark.parametrize(
    ("players", "rounds"), [(10, 3), (14, 3), (15, 4), (24, 4), (25, 5), (27, 5), (50, 5), (200, 5)]
)
def test_s1_rounds_by_number_of_players(players: int, rounds: int) -> None:
    assert printed_rounds(players, RULES) == rounds


@given(st.integers(min_value=51, max_value=2000))
def test_d02_above_the_chart_there_are_as_many_fives_as_fit_in(players: int) -> None:
    sizes = table_sizes(players, RULES)
    assert len(sizes) == players // 5
    assert sum(sizes) == players
    assert set(sizes) <= {5, 6}
    assert list(sizes) == sorted(sizes, reverse=True)


@pytest.mark.parametrize("players", range(10))
def test_d01_fewer_than_ten_players_are_refused_with_the_reason(players: int) -> None:
    for call in (lambda: table_sizes(players, RULES), lambda: printed_rounds(players, RULES)):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.reason is TournamentReason.BELOW_MINIMUM
        assert refused.value.fields == {"players": players, "minimum": 10}


@pytest.mark.parametrize("players", range(10))
def test_d05_where_the_judge_goes_on_five_to_seven_sit_at_one_table(players: int) -> None:
    """Eight and nine cannot be seated, and the judge hears the choices."""
    if players in {5, 6, 7}:
        assert table_sizes(players, RULES, below_minimum=True) == (players,)
        assert printed_rounds(players, RULES, unofficial=True) == 3
        return
    with pytest.raises(Refused) as refused:
        table_sizes(players, RULES, below_minimum=True)
    if players < 5:
        assert refused.value.reason is TournamentReason.TOO_FEW_FOR_A_TABLE
    else:
        assert refused.value.reason is TournamentReason.NO_TABLES
        assert "end the tournament after the rounds already played" in str(refused.value)


@pytest.mark.parametrize(("waived", "rounds"), [(None, 5), (4, 4), (1, 1), (5, 5), (9, 5)])
def test_s1_3_rounds_can_be_reduced_and_never_raised(waived: int | None, rounds: int) -> None:
    assert planned_rounds(27, RULES, Waivers(rounds=waived)) == rounds


def test_a_chart_that_ends_early_is_continued_only_with_legal_tables() -> None:
    short: Edition = replace(
        RULES,
        tables=replace(RULES.tables, chart=RULES.tables.chart[:1], sizes=(5,)),
        winnings=tuple(replace(row, dollars=row.dollars[:1]) for row in RULES.winnings),
    )
    assert table_sizes(15, short) == (5, 5, 5)
    assert refused(table_sizes, 16, short) is TournamentReason.NO_TABLES


@given(st.integers(51, 3_000))
def test_above_the_chart_as_few_tables_as_house_rules_may_ask(players: int) -> None:
    """Reading D02, its other answer."""
    rules = replace(RULES, tables=replace(RULES.tables, above_chart=AboveChart.FEWEST_TABLES))
    sizes = table_sizes(players, rules)
    assert sum(sizes) == players
    assert set(sizes) <= {5, 6, 7}
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-players // 7)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert len(table_sizes(players, RULES)) >= len(sizes)
