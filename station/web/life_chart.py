"""Life points over turns as lines for a small picture in the page."""

from collections.abc import Sequence

import msgspec

from saloon.core.errors import BadData
from saloon.core.game.events import GameStep
from saloon.core.game.state import Phase
from saloon.core.game.timeline import fold

WIDTH = 640
HEIGHT = 160
_MARGIN = 12


class Line(msgspec.Struct, frozen=True):
    """One seat's line: points of an SVG polyline."""

    seat: int
    points: str


class LifeChart(msgspec.Struct, frozen=True):
    """The lines, and how many turns they cover."""

    lines: tuple[Line, ...]
    turns: int
    width: int = WIDTH
    height: int = HEIGHT


def life_chart(steps: Sequence[GameStep]) -> LifeChart | None:
    """The chart of a game; None before its first turns, or where its steps cannot be followed."""
    try:
        timeline = fold(steps)
    except BadData:
        return None
    if timeline is None:
        return None
    by_turn = {
        m.state.turns: m.state
        for m in timeline.moments
        if m.state.phase is not Phase.SEATING and m.state.turns
    }
    if len(by_turn) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    turns = max(by_turn)
    most = max(seat.max_life for seat in timeline.state.seats) or 1
    lines = []
    for index in range(len(timeline.state.seats)):
        points = []
        for turn, state in sorted(by_turn.items()):
            seat = state.seats[index]
            x = _MARGIN + (WIDTH - 2 * _MARGIN) * (turn - 1) / max(1, turns - 1)
            # Lines of equal life are drawn a little apart, so that none hides another.
            life = max(0, seat.life if seat.in_play else 0)
            y = HEIGHT - _MARGIN - (HEIGHT - 2 * _MARGIN) * life / most - index * 1.5
            points.append(f"{x:.1f},{y:.1f}")
            if not seat.in_play:
                break
        lines.append(Line(index + 1, " ".join(points)))
    return LifeChart(tuple(lines), turns)
