"""A small chart of life points over turns."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.game.events import GameStep
from core.game.state.game import GameState, HighNoon, Phase
from core.game.timeline import fold

WIDTH = 960
HEIGHT = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 34, 26, 30
_LONGEST_SCALE = 12
_APART = 2.5
"""The vertical distance between lines of equal life, so that none hides another."""
_LABEL_HEIGHT = 14
_WORDS_WIDTH = 110


class ChartLine(msgspec.Struct, frozen=True):
    """The line of a seat: the points of an SVG polyline, its end, and the height of the number beside it."""

    seat: int
    points: str
    end_x: float
    end_y: float
    label_y: float = 0.0


class Tick(msgspec.Struct, frozen=True):
    """A number on an axis. ``is_near`` means that it is too close to the previous one for a label."""

    number: int
    at: float
    is_near: bool = False


class LifeChart(msgspec.Struct, frozen=True):
    """The lines and ticks. ``noon_x`` is where High Noon began, or None."""

    lines: tuple[ChartLine, ...]
    turns: int
    life_ticks: tuple[Tick, ...]
    turn_ticks: tuple[Tick, ...]
    reshuffles: tuple[Tick, ...]
    noon_x: float | None
    noon_anchor: str = "start"
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM


class _Scale(msgspec.Struct, frozen=True):
    turns: int
    most: int

    def x(self, turn: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (turn - 1) / max(1, self.turns - 1), 1)

    def y(self, life: int) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * life / self.most, 1)


def life_chart(steps: Sequence[GameStep]) -> LifeChart | None:
    """Return the chart of a game, or None before its second turn or if its steps can't be replayed."""
    try:
        timeline = fold(steps)
    except BadData:
        return None
    if timeline is None:
        return None
    moments = (moment.state for moment in timeline.moments)
    by_turn = {state.turns: state for state in moments if state.phase is not Phase.SEATING and state.turns}
    if len(by_turn) < 2:  # noqa: PLR2004 (a line has two ends)
        return None
    scale = _Scale(max(by_turn), max(seat.max_life for seat in timeline.state.seats) or 1)
    every = -(-scale.turns // _LONGEST_SCALE)
    noon = next((turn for turn, state in sorted(by_turn.items()) if state.high_noon is HighNoon.ON), None)
    return LifeChart(
        lines=_with_labels([_line(by_turn, seat.seat, scale) for seat in timeline.state.seats]),
        turns=scale.turns,
        life_ticks=tuple(Tick(life, scale.y(life)) for life in range(scale.most + 1)),
        turn_ticks=tuple(Tick(turn, scale.x(turn)) for turn in range(1, scale.turns + 1, every)),
        reshuffles=_reshuffles(by_turn, scale),
        noon_x=None if noon is None else scale.x(noon),
        noon_anchor="end" if noon is not None and scale.x(noon) > WIDTH - _RIGHT - _WORDS_WIDTH else "start",
    )


def _with_labels(lines: Sequence[ChartLine]) -> tuple[ChartLine, ...]:
    """Move labels at the ends of lines apart, first down, then back up into the chart."""
    placed: list[ChartLine] = []
    for line in sorted(lines, key=lambda line: line.end_y):
        near = [one.label_y for one in placed if abs(one.end_x - line.end_x) < _LABEL_HEIGHT]
        placed.append(replace(line, label_y=max([line.end_y, *(y + _LABEL_HEIGHT for y in near)])))
    room_y = float(HEIGHT - _BOTTOM)
    for index in reversed(range(len(placed))):
        line = placed[index]
        below = [one.label_y for one in placed[index + 1 :] if abs(one.end_x - line.end_x) < _LABEL_HEIGHT]
        highest = min([room_y, *(y - _LABEL_HEIGHT for y in below)])
        placed[index] = replace(line, label_y=round(min(line.label_y, highest), 1))
    return tuple(sorted(placed, key=lambda line: line.seat))


def _line(by_turn: Mapping[int, GameState], number: int, scale: _Scale) -> ChartLine:
    points: list[tuple[float, float]] = []
    seats = [(turn, state.seats[number - 1]) for turn, state in sorted(by_turn.items())]
    last = max((index for index, (_, seat) in enumerate(seats) if seat.in_play), default=0)
    # An event card may have brought the player back before the last elimination.
    for turn, seat in seats[: last + 2]:
        life = max(0, seat.life) if seat.in_play else 0
        points.append((scale.x(turn), round(scale.y(life) - (number - 1) * _APART, 1)))
    return ChartLine(number, " ".join(f"{x},{y}" for x, y in points), *points[-1])


def _reshuffles(by_turn: Mapping[int, GameState], scale: _Scale) -> tuple[Tick, ...]:
    ticks: dict[int, Tick] = {}
    for turn, state in sorted(by_turn.items()):
        if state.reshuffles:
            before = max((tick.at for tick in ticks.values()), default=-_WORDS_WIDTH)
            is_near = scale.x(turn) - before < _WORDS_WIDTH
            ticks.setdefault(state.reshuffles, Tick(state.reshuffles, scale.x(turn), is_near))
    return tuple(ticks.values())
