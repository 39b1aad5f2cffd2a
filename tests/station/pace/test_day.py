"""The expected length of a day: wide at first, then following what was really played."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.editions.loader import edition
from station.pace.day import DayLengths, MeasuredDay, MinutesRange, day_lengths, total
from tests.station.conftest import present

RULES = edition("championship-2010")
minutes = st.floats(5, 200)
days = st.builds(
    MeasuredDay,
    st.lists(minutes, max_size=8).map(tuple),
    st.lists(minutes, max_size=8).map(tuple),
    st.lists(minutes, max_size=2).map(tuple),
)


def lengths_after(*rounds: float, breaks: tuple[float, ...] = ()) -> DayLengths:
    return present(day_lengths((6, 5, 5), RULES, measured=MeasuredDay(rounds, breaks)))


def round_after(*rounds: float) -> MinutesRange:
    return present(total([lengths_after(*rounds).round]))


def test_nobody_waits_for_tables_that_cannot_be_drawn() -> None:
    assert day_lengths((), RULES) is None
    assert total() is None


def test_rounds_that_were_played_move_the_next_one_and_make_it_surer() -> None:
    unmeasured, slow = round_after(), round_after(90, 95, 92, 91)
    assert slow.early > unmeasured.early
    assert slow.early < 92 < slow.late
    assert slow.late / slow.early < unmeasured.late / unmeasured.early


def test_finals_and_breaks_lengthen_the_day() -> None:
    day = lengths_after()
    rounds, with_finals = present(day.day(4, 0)), present(day.day(4, 2))
    assert rounds.late < with_finals.late
    assert present(lengths_after(breaks=(60, 60, 60)).day(4, 0)).late > rounds.late


def test_what_runs_is_counted_only_for_what_is_left_of_it() -> None:
    day = lengths_after(60, 60, 60)
    whole, nearly_over = (present(day.day(0, 0, day.round.without(passed))) for passed in (0, 50))
    assert nearly_over.late < whole.late
    assert present(day.day(0, 0, day.round.without(500))).late > 0, "overdue, but not over"


@given(days, st.integers(0, 9), st.integers(0, 2), st.none() | st.floats(0, 500))
def test_every_day_has_a_range_of_positive_length(
    measured: MeasuredDay, rounds: int, duels: int, passed: float | None
) -> None:
    day = present(day_lengths((7, 6), RULES, measured=measured))
    running = None if passed is None else day.round.without(passed)
    length = day.day(rounds, duels, running)
    assert (length is None) == (not rounds + duels and running is None)
    if length is not None:
        assert 0 < length.early < length.late < math.inf
        assert (length.early % 5, length.late % 5) == (0, 0)
