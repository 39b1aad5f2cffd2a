"""A chart of the players' places by round: one line for each player, the best ones highlighted."""

from collections.abc import Mapping
from itertools import groupby
from typing import Final

import msgspec

from core.terms import PlayerId
from core.tournament.standings.round_by_round import RoundByRound
from core.tournament.standings.standings import Rank

WIDTH: Final = 360
_LEFT: Final = 16
_RIGHT: Final = WIDTH - 30
_TOP: Final = 34
_BOTTOM: Final = 20
_STEP: Final = 22
_HIGHEST: Final = 400
_HIGHLIGHTED: Final = 5
_LABEL: Final = 13
"""The least distance between the labels at the ends of lines, which would overlap with many players."""


class PlacesLine(msgspec.Struct, frozen=True):
    """A player's line. ``parts``: coordinates of each unbroken part, as SVG writes them.

    place: the highlighted place from 1, or 0. text: the name with the places, shown under a pointer.
    """

    player: PlayerId
    name: str
    text: str
    place: int
    rank: str
    parts: tuple[str, ...]
    end: tuple[float, float]
    label_y: float


class PlacesChart(msgspec.Struct, frozen=True):
    """The chart: the lines from the last place up, then the highlighted ones from the first place down."""

    width: int
    height: float
    columns: tuple[tuple[float, str], ...]
    lines: tuple[PlacesLine, ...]

    @property
    def highlighted(self) -> tuple[PlacesLine, ...]:
        return tuple(line for line in self.lines if line.place)


def places_chart(
    data: RoundByRound, names: Mapping[PlayerId, str], heads: tuple[str, ...]
) -> PlacesChart | None:
    """Return the chart, or None with nobody ranked or fewer than two columns, which ``heads`` name."""
    ranked = [row for row in data.rows if row.rank is not None]
    if not ranked or len(heads) < 2:  # noqa: PLR2004 - a line needs two points
        return None
    last = max(place.last for row in ranked for place in row.places if place)
    depth = min(_HIGHEST, _STEP * max(last - 1, 1))
    across = [_LEFT + (_RIGHT - _LEFT) * at / (len(heads) - 1) for at in range(len(heads))]

    def _point(column: int, place: Rank) -> tuple[float, float]:
        middle = (place.first + place.last) / 2
        return round(across[column], 1), round(_TOP + depth * (middle - 1) / max(last - 1, 1), 1)

    lines = []
    label_y = 0.0
    for number, row in enumerate(ranked, 1):
        points = [_point(column, place) if place else None for column, place in enumerate(row.places)]
        groups = (list(part) for there, part in groupby(points, key=bool) if there)
        # A single place between two absences has no line.
        parts = tuple(" ".join(f"{x},{y}" for x, y in filter(None, part)) for part in groups if len(part) > 1)
        end = next(point for point in reversed(points) if point)
        label_y = max(end[1] + 4, label_y + _LABEL)
        places = " → ".join(str(place) if place else "–" for place in row.places)
        lines.append(
            PlacesLine(
                row.player,
                names[row.player],
                f"{names[row.player]}: {places}",
                number if number <= _HIGHLIGHTED else 0,
                str(row.rank),
                parts,
                end,
                label_y,
            )
        )
    columns = tuple((round(x, 1), head) for x, head in zip(across, heads, strict=True))
    return PlacesChart(
        WIDTH, _TOP + depth + _BOTTOM, columns, (*reversed(lines[_HIGHLIGHTED:]), *lines[:_HIGHLIGHTED])
    )
