"""One group at one table: how many games, who is Sheriff, and what a departure changes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.rule_set import OptionKey
from core.terms import PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import SealDraw
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import ChangeWaivers, RegisterPlayers
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Stage, Waivers
from tests.core.tournament.conftest import Judge, one_group, players, seed, time_was_up

RULES = one_group()


def sheriffs(judge: Judge) -> Counter[PlayerId]:
    return Counter(drawn.tables[0].players[0] for drawn in judge.state.published_rounds)


def plays_on(judge: Judge) -> None:
    while judge.state.stage is not Stage.FINISHED:
        judge.plays_round(time_was_up)


def opened(count: int, cycles: int | None = None, rules: Edition = RULES) -> Judge:
    return Judge(rules).opens(count, Waivers(cycles=cycles))


@given(count=st.integers(4, 8), cycles=st.integers(1, 3))
def test_everybody_is_sheriff_equally_often_and_sits_in_every_game(count: int, cycles: int) -> None:
    judge = opened(count, cycles)
    plays_on(judge)
    assert set(sheriffs(judge).values()) == {cycles}
    assert len(judge.state.published_rounds) == cycles * count
    for drawn in judge.state.published_rounds:
        (table,) = drawn.tables
        assert sorted(table.players) == [player.player for player in players(count)]
        assert drawn.repeated_sheriffs == ()


@pytest.mark.slow
@given(count=st.integers(5, 8), cycles=st.integers(1, 2), data=st.data())
def test_after_a_departure_the_rest_still_are_sheriff_equally_often(
    count: int, cycles: int, data: st.DataObject
) -> None:
    judge = opened(count, cycles)
    left = data.draw(st.integers(1, cycles * count - 1), label="games before")
    for _ in range(left):
        judge.plays_round(time_was_up)
    gone = data.draw(st.sampled_from(players(count)), label="leaver").player
    ejected = data.draw(st.booleans(), label="ejected")
    judge.does(EjectPlayer(gone, "shouted") if ejected else WithdrawPlayer(gone, "train"))
    plays_on(judge)
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
    plays_on(judge)
    assert set(sheriffs(judge).values()) == {1}


def test_a_departure_that_is_taken_back_brings_its_games_back() -> None:
    judge = opened(6)
    judge.plays_round(time_was_up)
    gone = next(e.player for e in judge.state.contenders if not e.sheriff_in)
    judge.does(WithdrawPlayer(gone, "train"))
    assert judge.state.rounds_planned == 5
    judge.does(UndoSteps(1, "came back"))
    assert judge.state.rounds_planned == 6


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_group_without_roles_for_all_is_refused_with_the_sizes_that_have_them(count: int) -> None:
    judge = opened(count)
    with pytest.raises(Refused, match="groups of 4, 5, 6, 7, 8") as raised:
        judge.does(SealDraw(seed=seed("x")))
    assert raised.value.reason is TournamentReason.GROUP_SIZE


@pytest.mark.parametrize("count", [9, 10])
def test_the_rebel_makes_larger_groups_possible(count: int) -> None:
    judge = opened(count, rules=replace(RULES, chosen=(OptionKey.REBEL,)))
    (table,) = judge.publishes().tables
    assert len(table.players) == count
    assert judge.state.rounds_planned == count


def test_a_group_that_became_too_small_cannot_go_on() -> None:
    judge = opened(4)
    judge.plays_round(time_was_up)
    judge.does(WithdrawPlayer(PlayerId("p001"), "train"))
    assert judge.refuses(SealDraw(seed=seed("y"))) is TournamentReason.GROUP_SIZE
    judge.does(ChangeWaivers(Waivers(rounds=1), "three are too few"))
    assert judge.state.stage is Stage.FINISHED


def test_fewer_games_than_players_need_a_reason() -> None:
    with pytest.raises(Refused) as raised:
        Judge(RULES).opens(5, Waivers(rounds=3))
    assert raised.value.reason is TournamentReason.FEWER_GAMES_LATER
    judge = opened(5)
    assert judge.refuses(ChangeWaivers(Waivers(rounds=3), " ")) is TournamentReason.EMPTY_REASON
    judge.does(ChangeWaivers(Waivers(rounds=3), "the hall closes"))
    plays_on(judge)
    assert len(judge.state.published_rounds) == 3


def test_cycles_change_while_the_group_plays_but_not_below_what_was_played() -> None:
    judge = opened(4, cycles=2)
    for _ in range(5):
        judge.plays_round(time_was_up)
    assert judge.refuses(ChangeWaivers(Waivers(cycles=1), "late")) is TournamentReason.CYCLES_ALREADY_PLAYED
    assert judge.refuses(ChangeWaivers(Waivers(cycles=2, rounds=9), "more")) is (
        TournamentReason.MORE_ROUNDS_THAN_PRINTED
    )
    judge.does(ChangeWaivers(Waivers(cycles=3), "they want more"))
    plays_on(judge)
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
        with pytest.raises(Refused) as raised:
            Judge(chosen).opens(5, waivers)
        assert raised.value.reason is reason
