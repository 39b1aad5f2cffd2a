"""Each player's life points from turn to turn, for a small chart."""

from collections.abc import Mapping

import msgspec

from core.game.state.game import GameState, HighNoon, Phase
from core.game.timeline import Timeline
from core.terms import SeatNo

_TOLD = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED})


class LifeLine(msgspec.Struct, frozen=True):
    """A seat's life points: at the start of the game, then at the end of each turn (``points``).

    ``is_out`` is True if the player was eliminated at the last point.
    """

    seat: SeatNo
    points: tuple[int, ...]
    is_out: bool = False


class LifeLines(msgspec.Struct, frozen=True):
    """The lines of a game.

    most: the highest value.
    noon_from: the turn when High Noon began.

    ``moments`` contains the index of the last timeline moment, first of the start, then of each turn.
    """

    lines: tuple[LifeLine, ...]
    moments: tuple[int, ...]
    most: int
    noon_from: int | None = None

    @property
    def turns(self) -> int:
        """Return the number of turns started so far."""
        return len(self.moments) - 1


def life_lines(timeline: Timeline | None) -> LifeLines | None:
    """Return the lines so far, or None before the first turn, and for a duel.

    In a duel, characters have life points, not players.
    """
    if timeline is None or timeline.state.duel is not None:
        return None
    played = [
        (index, moment.state)
        for index, moment in enumerate(timeline.moments)
        if moment.state.turns and moment.state.phase in _TOLD
    ]
    if not played:
        return None
    # The turns of a damaged log may have gaps: the last known value is kept.
    by_turn: dict[int, tuple[int, GameState]] = {0: played[0]}
    by_turn.update({state.turns: (index, state) for index, state in played})
    states = {turn: state for turn, (_, state) in by_turn.items()}
    noon = next((turn for turn, state in states.items() if turn and state.high_noon is HighNoon.ON), None)
    lines = tuple(_line(states, seat.seat) for seat in timeline.state.seats)
    most = max((point for line in lines for point in line.points), default=1)
    return LifeLines(lines, tuple(index for index, _ in by_turn.values()), max(1, most), noon)


def _line(states: Mapping[int, GameState], number: SeatNo) -> LifeLine:
    seats = [(turn, state.seats[number - 1]) for turn, state in states.items()]
    points = [max(0, seat.max_life if turn == 0 else seat.life) for turn, seat in seats]
    is_out = not seats[-1][1].in_play and seats[-1][0] > 0
    if is_out:
        # Stop at the last elimination, as an event card may have brought the player back earlier.
        last = max((index for index, (turn, seat) in enumerate(seats) if seat.in_play or not turn))
        points = points[: last + 2]
    return LifeLine(number, tuple(points), is_out=is_out)
