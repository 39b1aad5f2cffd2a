"""Whole tournaments of draws: nobody is Sheriff twice while it can be helped, whoever leaves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.editions.loader import edition, editions
from core.terms import PlayerId, RoundNo, TournamentId
from core.tournament.draw.draw_algorithm import Candidate, Draw, DrawKey, draw
from core.tournament.draw.rounds import printed_rounds, table_sizes
from tests.core.tournament.conftest import seed

CHAMPIONSHIPS = [rules.key for rules in editions() if rules.schedule is Schedule.CHART]


def drawn_round(number: int, times: dict[PlayerId, int], rules: Edition, chance: str) -> Draw:
    key = DrawKey(TournamentId("many"), RoundNo(number), 1, seed(chance), "")
    sizes = table_sizes(len(times), rules, below_minimum=True)
    return draw(key, [Candidate(player, count) for player, count in times.items()], sizes)


@pytest.mark.slow
@pytest.mark.parametrize("key", CHAMPIONSHIPS)
@pytest.mark.parametrize("players", range(10, 201))
def test_s1_1_nobody_is_sheriff_twice_when_all_stay(key: str, players: int) -> None:
    rules = edition(key)
    times = {PlayerId(f"p{number}"): 0 for number in range(players)}
    for number in range(1, printed_rounds(players, rules) + 1):
        drawn = drawn_round(number, times, rules, f"{players}/{number}")
        assert drawn.repeated_sheriffs == ()
        for table in drawn.tables:
            times[table.players[0]] += 1
    assert max(times.values()) == 1


@given(
    key=st.sampled_from(CHAMPIONSHIPS),
    players=st.integers(10, 200),
    leaving=st.lists(st.integers(0, 6), min_size=5, max_size=5),
    data=st.data(),
)
def test_d06_with_departures_a_sheriff_is_repeated_only_when_too_few_are_left(
    key: str, players: int, leaving: list[int], data: st.DataObject
) -> None:
    rules = edition(key)
    chance = str(data.draw(st.integers(0, 1 << 32), label="chance"))
    times = {PlayerId(f"p{number}"): 0 for number in range(players)}
    for number in range(1, printed_rounds(players, rules) + 1):
        if number > 1:
            for gone in sorted(times)[: leaving[number - 1]]:
                del times[gone]
        try:
            drawn = drawn_round(number, times, rules, f"{chance}/{number}")
        except Refused:
            return
        fresh = sum(count == 0 for count in times.values())
        assert len(drawn.repeated_sheriffs) == max(0, len(drawn.tables) - fresh)
        seats = Counter(player for table in drawn.tables for player in table.players)
        assert set(seats) == set(times)
        assert set(seats.values()) == {1}
        for table in drawn.tables:
            times[table.players[0]] += 1
