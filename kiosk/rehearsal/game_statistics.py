"""``python -m saloon.kiosk.rehearsal.game_statistics``: the results of players over many games."""

import re
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from saloon.core.editions.loader import edition
from saloon.core.game.events import Ending
from saloon.kiosk.rehearsal.plain_table import PlayedGame, play_game

PAGE: Final = Path("docs") / "guides" / "rehearsal.md"
SEATS: Final = (4, 5, 6, 7)
_PLACE: Final = re.compile(r"(<!-- likeness -->\n).*?(<!-- end of likeness -->)", re.DOTALL)
_ENDINGS: Final = (
    ("the Law", Ending.LAW_WINS),
    ("the Outlaws", Ending.OUTLAWS_WIN),
    ("the Renegade", Ending.RENEGADE_WINS),
)


def games_of(seats: int, count: int, edition_key: str, seed: int) -> tuple[PlayedGame, ...]:
    """Play a number of whole games of a table; the same seed plays the same games."""
    rules = edition(edition_key)
    return tuple(play_game(seats, rules, seed * 100_000 + number) for number in range(count))


def share(games: Sequence[PlayedGame], holds: Callable[[PlayedGame], bool]) -> float:
    """Return the share of the games in which something holds, 0 to 1."""
    return sum(map(holds, games)) / len(games)


def tenths(games: Sequence[PlayedGame], of: Callable[[PlayedGame], float]) -> tuple[float, float, float]:
    """Return the first, fifth and ninth decile of a value over all games."""
    cuts = statistics.quantiles(map(of, games), n=10)
    return cuts[0], cuts[4], cuts[8]


def table(by_seats: dict[int, tuple[PlayedGame, ...]]) -> str:
    """Format all of it as a Markdown table, one column for each size of table."""
    rows = [["", *(f"{seats} players" for seats in by_seats)], ["---", *("---:" for _ in by_seats)]]

    def row(name: str, told: Callable[[tuple[PlayedGame, ...]], str]) -> None:
        rows.append([name, *(told(games) for games in by_seats.values())])

    def spread(of: Callable[[PlayedGame], float]) -> Callable[[tuple[PlayedGame, ...]], str]:
        return lambda games: " · ".join(f"{value:.0f}" for value in tenths(games, of))

    def per_turn(games: tuple[PlayedGame, ...]) -> str:
        return f"{sum(g.lost for g in games) / sum(g.turns for g in games):.2f}"

    row("minutes (a tenth below · median · a tenth above)", spread(lambda game: game.seconds / 60))
    row("turns", spread(lambda game: game.turns))
    row("reshuffles", spread(lambda game: game.reshuffles))
    row("eliminations", spread(lambda game: game.eliminations))
    row("life points lost in a turn", per_turn)
    row("games with High Noon", lambda games: f"{share(games, lambda g: g.high_noon):.0%}")
    row("games with a tap undone", lambda games: f"{share(games, lambda g: g.undone > 0):.0%}")
    for name, ending in _ENDINGS:
        row(f"won by {name}", partial(_share_of, ending))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _share_of(ending: Ending, games: tuple[PlayedGame, ...]) -> str:
    return f"{share(games, lambda game: game.ending is ending):.0%}"


@click.command()
@click.option("--games", default=300, show_default=True, type=click.IntRange(min=10), help="Of each size.")
@click.option("--edition", "edition_key", default="championship-2022", show_default=True)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--write", is_flag=True, help=f"Put the table into {PAGE}.")
def main(games: int, edition_key: str, seed: int, *, write: bool) -> None:
    """Play games on the rules alone and say how long, how bloody and how open they were."""
    found = table({seats: games_of(seats, games, edition_key, seed) for seats in SEATS})
    print(found)
    if write:
        said = f"{games} games of each size, {edition_key}, seed {seed}.\n\n{found}\n"
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_PLACE.sub(lambda match: match[1] + said + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
