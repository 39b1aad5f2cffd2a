"""A table at each of the moments that a round's clock has."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition
from kiosk.view.table_view import RoundTime, TurnTime
from tests.scenarios.moments import EDITION, Moment, Table

_LIMIT_S = 90 * 60


def clock_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Warned, over, stopped, unsure; and the clock in the judge's hands."""
    play = Table(seats, rules).running().view()

    def at(picture: str, time: RoundTime) -> Moment:
        return Moment(picture, "play", msgspec.structs.replace(play, round_time=time))

    yield at("clock-waits", RoundTime(_LIMIT_S, _LIMIT_S, is_started=False))
    yield at("clock-warns", RoundTime(5 * 60, _LIMIT_S, warns_min=5))
    yield at("clock-last-minute", RoundTime(42, _LIMIT_S))
    yield at("clock-over", RoundTime(-70, _LIMIT_S))
    yield at("clock-stopped", RoundTime(34 * 60, _LIMIT_S, is_held_by_station=True))
    yield at("clock-rough", RoundTime(34 * 60, _LIMIT_S, is_rough=True))
    for picture, time in (("turn-bar", TurnTime(45, 90)), ("turn-bar-over", TurnTime(90, 90))):
        yield Moment(picture, "play", msgspec.structs.replace(play, turn_time=time))
    yield Moment("turn-timer", "turn-timer", play, ("menu", "turn-timer"))
    stopped = RoundTime(12 * 60, _LIMIT_S, is_held_here=True, extended_s=300)
    keyed = msgspec.structs.replace(play, round_time=stopped, judge_present=True)
    yield Moment("judge-clock", "clock", keyed, ("menu", "judge-menu", "clock"))
    runs = msgspec.structs.replace(keyed, round_time=RoundTime(34 * 60 + 12, _LIMIT_S))
    yield Moment("judge-clock-runs", "clock", runs, ("menu", "judge-menu", "clock"))
