"""Every moment that a terminal has: the one list, for pictures and for tests."""

from collections.abc import Iterator
from itertools import chain

from core.editions.edition import Edition
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import EDITION, Moment, moments
from tests.scenarios.table_moments import clock_moments, mark_moments, reward_moments
from tests.scenarios.terminal_moments import (
    carry_moments,
    enrolment_moments,
    selftest_moments,
    station_moments,
    trouble_moments,
    update_moments,
)

_SOME_TABLE = 5


def moments_at(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield the moments that differ by size of a table. The moments of an auction have rules of their own."""
    return chain(
        moments(seats, rules),
        judge_moments(seats, rules),
        clock_moments(seats, rules),
        mark_moments(seats, rules),
        reward_moments(seats, rules),
        auction_moments(seats),
    )


def moments_anywhere() -> Iterator[Moment]:
    """Duels, and pages that are the same at all tables."""
    return chain(
        duel_moments(),
        enrolment_moments(),
        carry_moments(_SOME_TABLE),
        selftest_moments(_SOME_TABLE),
        update_moments(),
        station_moments(_SOME_TABLE),
        trouble_moments(_SOME_TABLE),
    )
