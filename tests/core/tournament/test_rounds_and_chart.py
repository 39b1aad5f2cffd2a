"""Rounds and tables by number of players: every printed row, above, and below."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.tables import AboveChart
from core.tournament.draw.rounds import planned_rounds, printed_rounds, table_sizes
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Waivers

PRINTED = """
10: 5 5
11: 6 5
12: 6 6
13: 7 6
14: 7 7
15: 5 5 5
16: 6 5 5
17: 6 6 5
18: 6 6 6
19: 6 6 7
20: 5 5 5 5
21: 6 5 5 5
22: 6 6 5 5
23: 6 6 6 5
24: 6 6 6 6
25: 5 5 5 5 5
26: 6 5 5 5 5
27: 6 6 5 5 5
28: 6 6 6 5 5
29: 6 6 6 6 5
30: 6 6 6 6 6
31: 6 5 5 5 5 5
32: 6 6 5 5 5 5
33: 6 6 6 5 5 5
34: 6 6 6 6 5 5
35: 6 6 6 6 6 5
36: 6 6 6 6 6 6
37: 6 6 5 5 5 5 5
38: 6 6 6 5 5 5 5
39: 6 6 6 6 5 5 5
40: 5 5 5 5 5 5 5 5
41: 6 5 5 5 5 5 5 5
42: 6 6 5 5 5 5 5 5
43: 6 6 6 5 5 5 5 5
44: 6 6 6 6 5 5 5 5
45: 6 6 6 6 6 5 5 5
46: 6 6 6 6 6 6 5 5
47: 6 6 6 6 6 6 6 5
48: 6 6 6 6 6 6 6 6
49: 6 6 6 6 5 5 5 5 5
50: 5 5 5 5 5 5 5 5 5 5
"""
ROWS = [
    (int(players), tuple(int(size) for size in sizes.split()))
    for players, sizes in (line.split(":") for line in PRINTED.split("\n") if line)
]
RULES = edition("championship-2022")


@pytest.mark.parametrize(("players", "sizes"), ROWS)
def test_s1_1_tables_are_those_of_the_printed_row(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, RULES) == sizes


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


@pytest.mark.parametrize("players", [5, 6, 7])
def test_d05_five_to_seven_sit_at_one_table_where_the_judge_goes_on(players: int) -> None:
    assert table_sizes(players, RULES, below_minimum=True) == (players,)
    assert printed_rounds(players, RULES, unofficial=True) == 3


@pytest.mark.parametrize("players", [8, 9])
def test_d05_eight_and_nine_cannot_be_seated_and_the_judge_hears_the_choices(players: int) -> None:
    with pytest.raises(Refused, match="end the tournament after the rounds already played") as refused:
        table_sizes(players, RULES, below_minimum=True)
    assert refused.value.reason is TournamentReason.NO_TABLES


@pytest.mark.parametrize("players", range(5))
def test_d05_fewer_than_five_are_no_table(players: int) -> None:
    with pytest.raises(Refused) as refused:
        table_sizes(players, RULES, below_minimum=True)
    assert refused.value.reason is TournamentReason.TOO_FEW_FOR_A_TABLE


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
    with pytest.raises(Refused) as refused:
        table_sizes(16, short)
    assert refused.value.reason is TournamentReason.NO_TABLES


@given(st.integers(51, 3_000))
def test_above_the_chart_as_few_tables_as_house_rules_may_ask(players: int) -> None:
    """Reading D02, its other answer."""
    known = edition("championship-2022")
    rules = replace(known, tables=replace(known.tables, above_chart=AboveChart.FEWEST_TABLES))
    sizes = table_sizes(players, rules)
    assert sum(sizes) == players
    assert set(sizes) <= {5, 6, 7}
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-players // 7)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert len(table_sizes(players, known)) >= len(sizes)
