"""One group, and several (D46): equal games and turns as Sheriff, new groups for each series."""

from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import rules_of, with_all_readings
from core.rule_set import OptionKey, RuleSet
from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import PublishDraw, SealDraw
from core.tournament.draw.rounds import group_sizes, next_games, planned_rounds, table_sizes
from core.tournament.penalties import EjectPlayer, ReinstatePlayer, WithdrawPlayer
from core.tournament.registration import ChangeWaivers, RegisterPlayers
from core.tournament.standings.standings import standings_of
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import Stage, Waivers
from tests.core.game.conftest import refused
from tests.core.tournament.conftest import Judge, one_group, players, seed, time_was_up
from tests.examples import examples

RULES = one_group()


def opened(count: int, cycles: int | None = None, rules: Edition = RULES) -> Judge:
    return Judge(rules).opens(count, Waivers(cycles=cycles))


def groups_of(drawn: Round) -> set[frozenset[PlayerId]]:
    return {frozenset(table.players) for table in drawn.tables}


def leaves(judge: Judge, player: PlayerId) -> None:
    judge.does(WithdrawPlayer(player, "the last train"))


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(count=st.integers(4, 60), cycles=st.integers(1, 3))
def test_everybody_is_sheriff_equally_often(count: int, cycles: int) -> None:
    check_even(count, cycles)


@pytest.mark.parametrize("count", range(4, 41))
def test_every_number_from_4_to_40_can_play(count: int) -> None:
    check_even(count, 1)


def check_even(count: int, cycles: int) -> None:
    """Play a tournament: all are Sheriff equally often, and play as many games as their group has players."""
    judge = opened(count, cycles)
    judge.plays_rounds(play=time_was_up)
    rounds, sizes = judge.state.published_rounds, group_sizes(count, RULES)
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) == count
    assert max(sizes) <= 7 or sizes == (8,)
    assert len(rounds) == cycles * max(sizes) == judge.state.rounds_planned
    sheriffs = Counter(table.players[0] for drawn in rounds for table in drawn.tables)
    assert len(sheriffs) == count
    assert set(sheriffs.values()) == {cycles}
    for number, series in groupby(rounds, lambda drawn: drawn.series):
        of_series = list(series)
        groups = groups_of(of_series[0])
        games = Counter(player for drawn in of_series for table in drawn.tables for player in table.players)
        assert sorted(map(len, groups), reverse=True) == list(sizes)
        # A single group plays all its cycles without a series.
        times = 1 if number else cycles
        assert all(games[player] == times * len(group) for group in groups for player in group)
        assert all(groups_of(drawn) <= groups for drawn in of_series)
        assert 0 <= number <= cycles
    assert len(sizes) > 1 or all(drawn.repeated_sheriffs == () for drawn in rounds)


def test_groups_are_drawn_again_for_each_series() -> None:
    judge = opened(24, 3)
    judge.plays_rounds(play=time_was_up)
    firsts = [groups_of(drawn) for drawn in judge.state.published_rounds[::6]]
    assert len({frozenset(groups) for groups in firsts}) == 3


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (8, (8,)),
        (10, (5, 5)),
        (12, (6, 6)),
        (14, (7, 7)),
        (15, (5, 5, 5)),
        (16, (4, 4, 4, 4)),
        (24, (6,) * 4),
        (9, (5, 4)),
        (11, (6, 5)),
        (13, (7, 6)),
        (17, (6, 6, 5)),
        (23, (6, 6, 6, 5)),
    ],
)
def test_groups_are_as_equal_and_as_large_as_the_base_game_allows(
    players: int, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(players, RULES) == sizes
    assert planned_rounds(players, RULES, Waivers(cycles=2)) == 2 * sizes[0]


def test_older_tournaments_keep_the_sizes_that_they_were_drawn_to() -> None:
    """Their groups of 8 came before smaller ones, once players had left."""
    older, new = RuleSet("official-2003"), with_all_readings(RuleSet("official-2003"))
    sizes = {9: (5, 4), 15: (5, 5, 5), 17: (6, 6, 5), 23: (8, 8, 7), 31: (8, 8, 8, 7), 16: (4, 4, 4, 4)}
    assert {players: group_sizes(players, rules_of(older)) for players in sizes} == sizes
    assert group_sizes(23, rules_of(new)) == (6, 6, 6, 5)


def test_who_leaves_shortens_only_the_own_group_which_then_waits() -> None:
    judge = opened(10)
    first = judge.plays_round(time_was_up)
    two = first.tables[1].players
    leaves(judge, two[1])
    assert judge.state.rounds_planned == 5
    sizes = []
    while judge.state.stage is not Stage.FINISHED:
        sizes.append([len(table.players) for table in judge.plays_round(time_was_up).tables])
    assert sizes == [[5, 4], [5, 4], [5, 4], [5]]
    games = {row.player: row.games for row in standings_of(judge.state, judge.rules).rows if row.rank}
    assert Counter(games.values()) == {5: 5, 4: 4}


def test_the_next_series_has_groups_as_equal_as_can_be() -> None:
    judge = opened(10, 2)
    judge.plays_rounds(5, time_was_up)
    leaves(judge, judge.state.contenders[0].player)
    assert judge.state.rounds_planned == 10
    drawn = judge.plays_round(time_was_up)
    assert sorted(len(table.players) for table in drawn.tables) == [4, 5]
    assert drawn.series == 2
    judge.plays_rounds(play=time_was_up)


def test_a_group_too_small_to_play_waits_for_the_next_series() -> None:
    judge = opened(16, 2)
    first = judge.plays_round(time_was_up)
    small = first.tables[0].players
    leaves(judge, small[2])
    assert [len(table.players) for table in judge.plays_round(time_was_up).tables] == [4, 4, 4]
    judge.plays_round(time_was_up)
    last = judge.plays_round(time_was_up)
    assert last.series == 1
    again = judge.plays_round(time_was_up)
    assert again.series == 2
    assert sum(len(table.players) for table in again.tables) == 15
    judge.plays_rounds(play=time_was_up)


@settings(max_examples=examples(30), deadline=None)
@given(
    count=st.sampled_from([10, 12, 15, 16]),
    cycles=st.integers(1, 2),
    leaving=st.lists(st.integers(0, 15), min_size=1, max_size=15, unique=True),
)
def test_players_may_leave_however_few_remain(count: int, cycles: int, leaving: list[int]) -> None:
    judge = opened(count, cycles)
    judge.plays_round(time_was_up)
    players = [entrant.player for entrant in judge.state.contenders]
    gone = [players[number] for number in leaving if number < count]
    for player in gone:
        leaves(judge, player)
    assert len(judge.state.contenders) == count - len(gone)
    judge.plays_rounds(play=time_was_up)
    assert 1 <= len(judge.state.published_rounds) <= cycles * RULES.role_rows[-1].players


def test_the_mistaken_last_withdrawal_can_be_taken_back() -> None:
    judge = opened(10, 2)
    judge.plays_round(time_was_up)
    before = judge.state.rounds_planned
    players = [entrant.player for entrant in judge.state.contenders]
    for player in players[:7]:
        leaves(judge, player)
    for player in players[:7]:
        judge.does(ReinstatePlayer(player, "the wrong list"))
    assert judge.state.rounds_planned == before


def test_one_group_that_is_left_is_drawn_like_any_new_series() -> None:
    judge = opened(10, 2)
    judge.plays_rounds(5, time_was_up)
    for entrant in judge.state.contenders[:3]:
        leaves(judge, entrant.player)
    assert next_games(judge.state, judge.rules).is_new_series
    judge.plays_rounds(play=time_was_up)
    assert {len(entrant.sheriff_in) for entrant in judge.state.contenders} == {2}


def test_a_draft_is_stale_when_one_who_would_play_leaves_and_not_when_one_who_waits_does() -> None:
    judge = opened(10)
    two = judge.plays_round(time_was_up).tables[1].players
    leaves(judge, two[1])
    judge.plays_rounds(3, time_was_up)
    judge.draws_tables()
    leaves(judge, two[2])
    judge.does(PublishDraw())
    assert [len(table.players) for table in judge.state.rounds[-1].tables] == [5]


def test_more_series_can_be_added_later() -> None:
    judge = opened(12)
    judge.plays_round(time_was_up)
    judge.does(ChangeWaivers(Waivers(cycles=2), "time is left"))
    assert judge.state.rounds_planned == 12
    judge.does(ChangeWaivers(Waivers(cycles=2, rounds=8), "no time is left"))
    assert judge.state.rounds_planned == 8


@pytest.mark.parametrize("option", [OptionKey.ENLISTMENT, OptionKey.EXPERIENCE])
def test_what_players_keep_belongs_to_one_group(option: OptionKey) -> None:
    rules = rules_of(RuleSet("official-2003", (option,)))
    judge = opened(10, rules=rules)
    assert judge.refuses(SealDraw(seed="a" * 64)) is TournamentReason.OPTION_OF_ONE_GROUP


def sheriffs(judge: Judge) -> Counter[PlayerId]:
    return Counter(drawn.tables[0].players[0] for drawn in judge.state.published_rounds)


@pytest.mark.slow
@given(count=st.integers(5, 8), cycles=st.integers(1, 2), data=st.data())
def test_after_a_departure_the_rest_still_are_sheriff_equally_often(
    count: int, cycles: int, data: st.DataObject
) -> None:
    judge = opened(count, cycles)
    left = data.draw(st.integers(1, cycles * count - 1), label="games before")
    judge.plays_rounds(left, time_was_up)
    gone = data.draw(st.sampled_from(players(count)), label="leaver").player
    ejected = data.draw(st.booleans(), label="ejected")
    judge.does(EjectPlayer(gone, "shouted") if ejected else WithdrawPlayer(gone, "train"))
    judge.plays_rounds(play=time_was_up)
    counts = sheriffs(judge)
    assert all(counts[entrant.player] == cycles for entrant in judge.state.contenders)
    assert sum(counts.values()) == judge.state.rounds_planned


def test_a_departure_in_the_running_game_waits_for_its_sheet() -> None:
    judge = opened(5)
    drawn = judge.publishes()
    gone = drawn.tables[0].players[0]
    judge.does(WithdrawPlayer(gone, "train"))
    assert judge.state.stage is Stage.PLAYING
    assert judge.state.rounds_planned == 5
    judge.accepts(drawn.tables[0], time_was_up)
    judge.plays_rounds(play=time_was_up)
    assert set(sheriffs(judge).values()) == {1}


@pytest.mark.parametrize("undone", [True, False])
def test_a_departure_that_is_taken_back_brings_its_games_back(*, undone: bool) -> None:
    judge = opened(6)
    judge.plays_round(time_was_up)
    gone = next(e.player for e in judge.state.contenders if not e.sheriff_in)
    judge.does(WithdrawPlayer(gone, "train"))
    assert judge.state.rounds_planned == 5
    judge.does(UndoSteps(1, "came back") if undone else ReinstatePlayer(gone, "a mistake"))
    assert judge.state.rounds_planned == 6


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_group_without_roles_for_all_is_refused_with_the_sizes_that_have_them(count: int) -> None:
    judge = opened(count)
    with pytest.raises(Refused, match="groups of 4, 5, 6, 7, 8") as raised:
        judge.does(SealDraw(seed=seed("x")))
    assert raised.value.reason is TournamentReason.GROUP_SIZE


@pytest.mark.parametrize("count", [9, 10])
def test_the_rebel_makes_larger_groups_possible(count: int) -> None:
    rules = rules_of(RuleSet("official-2003", (OptionKey.REBEL,)))
    assert (table_sizes(count, rules), table_sizes(12, rules)) == ((count,), (6, 6))
    judge = opened(count, rules=replace(RULES, chosen=(OptionKey.REBEL,)))
    (table,) = judge.publishes().tables
    assert len(table.players) == judge.state.rounds_planned == count


def test_a_group_that_became_too_small_cannot_go_on() -> None:
    judge = opened(4)
    judge.plays_round(time_was_up)
    judge.does(WithdrawPlayer(PlayerId("p001"), "train"))
    assert judge.refuses(SealDraw(seed=seed("y"))) is TournamentReason.GROUP_SIZE
    judge.does(ChangeWaivers(Waivers(rounds=1), "three are too few"))
    assert judge.state.stage is Stage.FINISHED


def test_fewer_games_than_players_need_a_reason() -> None:
    assert refused(Judge(RULES).opens, 5, Waivers(rounds=3)) is TournamentReason.FEWER_GAMES_LATER
    judge = opened(5)
    assert judge.refuses(ChangeWaivers(Waivers(rounds=3), " ")) is TournamentReason.EMPTY_REASON
    judge.does(ChangeWaivers(Waivers(rounds=3), "the hall closes"))
    judge.plays_rounds(play=time_was_up)
    assert len(judge.state.published_rounds) == 3


def test_cycles_change_while_the_group_plays_but_not_below_what_was_played() -> None:
    judge = opened(4, cycles=2)
    judge.plays_rounds(5, time_was_up)
    assert judge.refuses(ChangeWaivers(Waivers(cycles=1), "late")) is TournamentReason.CYCLES_ALREADY_PLAYED
    assert judge.refuses(ChangeWaivers(Waivers(cycles=2, rounds=9), "more")) is (
        TournamentReason.MORE_ROUNDS_THAN_PRINTED
    )
    judge.does(ChangeWaivers(Waivers(cycles=3), "they want more"))
    judge.plays_rounds(play=time_was_up)
    assert set(sheriffs(judge).values()) == {3}


def test_nobody_joins_a_group_that_plays() -> None:
    judge = opened(4)
    judge.plays_round(time_was_up)
    assert judge.refuses(RegisterPlayers(players(5)[4:])) is TournamentReason.LATE_IN_GROUP


def test_a_cycle_is_once_at_least_and_only_for_a_group(rules: Edition) -> None:
    for chosen, waivers, reason in (
        (RULES, Waivers(cycles=0), TournamentReason.CYCLES_OUT_OF_RANGE),
        (rules, Waivers(cycles=1), TournamentReason.NO_CYCLES),
    ):
        assert refused(Judge(chosen).opens, 5, waivers) is reason
