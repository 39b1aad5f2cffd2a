"""Forty rehearsal rounds: ranges of forecasts hold the real ends, and halls and tables correct them."""

import functools

import pytest

from bench.pace import HALF, MOMENTS, WORLDS, Outcome, forecast_days, minutes_off, share_held, table_of
from bench.rehearsed.rounds import World, play_day

DAYS = 10
SEED = 3_000_000


@functools.cache
def outcomes(world: str) -> tuple[Outcome, ...]:
    return forecast_days(DAYS if world == "usual" else 3, SEED, WORLDS[world], 1)


def rounds(world: str, moment: float | None = None) -> list[Outcome]:
    return [one for one in outcomes(world) if one.is_round and moment in {None, one.moment}]


@pytest.mark.slow
def test_four_of_five_rounds_and_tables_end_within_their_range() -> None:
    # Forty rounds are few: their share has a standard deviation of six points.
    assert 0.65 <= share_held(rounds("usual", HALF)) <= 0.97
    assert 0.7 <= share_held(one for one in outcomes("usual") if not one.is_round) <= 0.92
    for moment in MOMENTS:
        assert share_held(rounds("usual", moment)) >= 0.6


@pytest.mark.slow
def test_at_half_time_the_end_of_the_round_is_known_within_a_quarter_of_an_hour() -> None:
    halves = rounds("usual", HALF)
    assert minutes_off(halves) <= 15
    assert minutes_off(halves) < sorted(abs(one.at_start) for one in halves)[len(halves) // 2]


@pytest.mark.slow
@pytest.mark.parametrize("world", ["1.5 times slower", "one slow table", "light games"])
def test_halls_that_are_not_as_calibrated_are_forecast_as_well(world: str) -> None:
    assert share_held(outcomes(world)) >= 0.65
    assert minutes_off(rounds(world, HALF)) <= 20


@pytest.mark.slow
def test_the_same_seed_plays_the_same_day_and_the_table_has_a_row_for_each_world() -> None:
    assert play_day(1, World()) == play_day(1, World())
    text = table_of({"usual": outcomes("usual"), "light games": outcomes("light games")}).splitlines()
    assert len(text) == 4
    assert {row.count("|") for row in text} == {10}
