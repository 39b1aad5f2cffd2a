"""``python -m bench.rehearsed.prior``: compute the coefficients in core/tournament/forecast.py."""

import math
from collections.abc import Iterator
from itertools import islice
from typing import Final

import click
import numpy as np

from bench.rehearsed.rounds import RehearsedTable, World, play_day
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.game.state.game import HighNoon, Phase
from core.tournament.forecast import NEAR_NOON, turns_to_noon
from core.tournament.progress import game_kind

_EVERY: Final = 12
"""The interval between sampled states, as neighbouring ones are almost the same."""
_TO_DEVIATION: Final = math.sqrt(math.pi / 2)
"""The standard deviation of a normal distribution divided by its mean absolute deviation."""
_OUTSIDE: Final = 1.2816
"""The number of standard deviations beyond which a tenth of the values lie."""


def samples_of(table: RehearsedTable, edition: Edition) -> Iterator[tuple[float, float, float, float]]:
    """Yield samples of a game: table size, turns, nearness of High Noon and remaining turns."""
    kind = game_kind(table.players, edition)
    states = [one.state for one in table.log if one.state.phase is Phase.PLAYING]
    for state in islice(states, None, None, _EVERY):
        in_play = sum(seat.in_play for seat in state.seats)
        since = state.turns - state.reshuffled_at
        noon = 0.0
        if state.high_noon is not HighNoon.ON:
            noon = turns_to_noon(kind, in_play, state.reshuffles, since)
        left = table.log[-1].state.turns - state.turns + 0.5
        yield math.log(max(2, in_play) - 1), state.turns / 100, math.exp(-noon / NEAR_NOON), left


@click.command()
@click.option("--days", default=150, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True, help="Of the first day; below a million.")
def main(days: int, seed: int) -> None:
    """Print the coefficients in the order of the module."""
    moments = [
        moment
        for day in range(seed, seed + days)
        for shown in play_day(day, World())
        for table in shown.tables
        for moment in samples_of(table, rules_of(shown.rules))
    ]
    size, turns, near, left = np.array(moments).T
    one = np.ones_like(size)
    features = np.column_stack([one, size, turns, turns * size, near, near * size])
    root = np.cbrt(left)
    weights = np.linalg.lstsq(features, root, rcond=None)[0]
    apart = root - features @ weights
    weights[0] += np.median(apart)
    apart -= np.median(apart)
    spreads = np.column_stack([one, size, near * size])
    spread = np.linalg.lstsq(spreads, np.abs(apart) * _TO_DEVIATION, rcond=None)[0]
    early, late = np.quantile(apart / (spreads @ spread), [0.1, 0.9]) / _OUTSIDE
    print(f"{len(left)} moments\nroot {weights.round(2)}\nspread {spread.round(2)}")
    print(f"below {-early:.2f}, above {late:.2f}")


if __name__ == "__main__":
    main()
