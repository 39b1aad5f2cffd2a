"""The round's clock: from the seating on, by minutes, and silent rather than wrong."""

from saloon.core.terms import GameId
from saloon.kiosk.app.round_clock import RoundClock

ONE, TWO = GameId("g1"), GameId("g2")


def test_it_runs_from_the_seating_down_to_nothing() -> None:
    clock = RoundClock()
    assert clock.left_s(ONE, 90, 1_000) == 90 * 60
    assert clock.left_s(ONE, 90, 61_000) == 89 * 60
    assert clock.left_s(ONE, 90, 100_000_000) == 0
    assert clock.left_s(TWO, 90, 100_000_000) == 90 * 60


def test_it_changes_by_the_minute() -> None:
    clock = RoundClock()
    assert clock.next_minute_ms(5) is None
    clock.left_s(ONE, 90, 1_000)
    assert clock.next_minute_ms(1_000) == 61_000
    assert clock.next_minute_ms(62_500) == 121_000


def test_without_a_limit_or_after_a_restart_it_says_nothing() -> None:
    clock = RoundClock()
    assert clock.left_s(ONE, None, 1_000) is None
    clock.resumed(TWO)
    assert clock.left_s(TWO, 90, 2_000) is None
    assert clock.next_minute_ms(2_000) is None
    assert clock.left_s(None, 90, 3_000) is None
