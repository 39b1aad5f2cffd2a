"""Statistics that say how sure they are."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.editions.loader import edition
from core.terms import Ending, Role
from core.tournament.progress import PlayedGame, game_kind
from core.tournament.standings.ledger import accepted_results
from core.tournament.state.tournament import Waivers
from core.tournament.statistics import Lengths, Rate, played_statistics, statistics_of
from tests.core.tournament.conftest import Judge, outlaws_won, time_was_up


def test_wilsons_interval_of_known_examples() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
    ):  # fmt: skip
        interval = Rate(wins, games).interval
        assert math.isclose(interval[0], low, abs_tol=5e-5)
        assert math.isclose(interval[1], high, abs_tol=5e-5)


@given(st.integers(1, 10_000), st.data())
def test_an_interval_holds_its_share_and_narrows_with_games(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, games))
    rate, more = Rate(wins, games), Rate(10 * wins, 10 * games)
    low, high = rate.interval
    assert 0 <= low <= rate.share <= high <= 1
    assert more.interval[1] - more.interval[0] < high - low


def test_nothing_is_known_without_games() -> None:
    assert Rate(0, 0).interval == (0.0, 1.0)
    assert Rate(0, 0).mean_dollars == 0
    judge = Judge(edition("championship-2022")).opens(10)
    assert statistics_of(judge.state, judge.rules).games == 0


def test_wins_and_dollars_by_role_seat_and_size() -> None:
    judge = Judge(edition("championship-2022")).opens(17, Waivers(rounds=2))
    judge.plays_round(outlaws_won)
    judge.plays_round(time_was_up)
    statistics = statistics_of(judge.state, judge.rules)
    tables = len(judge.state.rounds[0].tables)
    assert statistics.games == 2 * tables
    assert statistics.endings == {Ending.OUTLAWS_WIN: tables, Ending.NO_WINNER: tables}
    assert statistics.by_role[Role.SHERIFF] == Rate(0, 2 * tables, statistics.by_role[Role.SHERIFF].dollars)
    assert statistics.by_role[Role.OUTLAW].share == 0.5
    assert sum(rate.games for rate in statistics.by_seat.values()) == 2 * 17
    assert sum(rate.games for rate in statistics.by_size.values()) == 2 * tables
    assert statistics.by_character == {}
    results = accepted_results(judge.state, judge.rules)
    paid = sum(sum(result.payout) for result in results)
    for rates in (statistics.by_role, statistics.by_seat):
        assert sum(rate.dollars for rate in rates.values()) == paid
        assert sum(rate.wins for rate in rates.values()) == sum(len(result.winners) for result in results)


def played(players: int, minutes: float, *, had_noon: bool = False, is_whole: bool = True) -> PlayedGame:
    return PlayedGame(game_kind(players, edition("championship-2022")), minutes, None, is_whole, had_noon)


def test_lengths_are_those_of_games_that_were_played_to_their_end() -> None:
    games = [played(5, minutes) for minutes in (30, 10, 20, 50, 40)]
    games += [played(7, 33, had_noon=True), played(7, 90, is_whole=False)]
    statistics = played_statistics(games)
    assert statistics.games == 7
    five, seven = Lengths(5, 10, 20, 30, 40, 50), Lengths(1, 33, 33, 33, 33, 33)
    assert statistics.lengths == {5: five, 7: seven}
    rates = {size: (rate.wins, rate.games) for size, rate in statistics.high_noon.items()}
    assert rates == {5: (0, 5), 7: (1, 2)}


def test_rules_without_high_noon_have_no_share_of_it() -> None:
    game = PlayedGame(game_kind(5, edition("official-2003")), 30, 40, is_whole=True)
    assert played_statistics([game]).high_noon == {}
    assert played_statistics([]).lengths == {}


@given(st.lists(st.floats(0.1, 500), min_size=1, max_size=40))
def test_a_quarter_of_all_games_are_below_the_box_and_a_quarter_above(minutes: list[float]) -> None:
    lengths = played_statistics([played(6, one) for one in minutes]).lengths[6]
    assert lengths.shortest <= lengths.low <= lengths.middle <= lengths.high <= lengths.longest
    quarter = -(-(len(minutes) - 1) // 4)
    assert sum(one < lengths.low for one in minutes) <= quarter
    assert sum(one > lengths.high for one in minutes) <= quarter
