"""``python -m bench.true_games``: games that another program played card by card, entered by careful fingers.

Each goes through the real app and must come out as it was played; ``tests/true_games`` describes them, and
enters all of them into the core. A game takes some seconds of a processor, all of them in both modes hours:
finished ones are kept in a file, and another run continues there.
"""

import os
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

import click
from tests.true_games.by_fingers import disagreements
from tests.true_games.record import GAMES, CardGame, files, read_games

from bench.kept_games import play_all
from saloon.core.rule_set import RecordMode

KEPT: Final = Path("build") / "true-games.jsonl"
_HEAD: Final = ("file", "mode", "games", "come out differently")

Job = tuple[Path, RecordMode, int]
"""The file, the mode and the number of a game in its file."""


def played(job: Job) -> list[str]:
    """Return what differs in a game."""
    file, mode, number = job
    return disagreements(_games(file)[number], mode)


@cache
def _games(file: Path) -> tuple[CardGame, ...]:
    return tuple(read_games(file))


@click.command()
@click.option(
    "--every", default=1, show_default=True, type=click.IntRange(min=1), help="Of so many games, one."
)
@click.option("--folder", default=GAMES, type=click.Path(path_type=Path, exists=True), help="Of other files.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
@click.option("--keep", default=KEPT, show_default=True, type=click.Path(path_type=Path))
def main(every: int, folder: Path, workers: int, keep: Path) -> None:
    """Enter games and print how many come out differently; exit with 1 if any does."""
    jobs = {
        f"{mode.value} {file.name} {number}": (file, mode, number)
        for number in range(0, max(len(_games(file)) for file in files(folder)), every)
        for file in files(folder)
        for mode in RecordMode
        if number < len(_games(file))
    }
    found = play_all(jobs, played, list[str], workers, keep)
    rows: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for name, (file, mode, _number) in jobs.items():
        rows[file.name.removesuffix(".jsonl.gz"), mode.value].append(found[name])
    print(f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}", sep="\n")
    for (file_name, mode_name), games in rows.items():
        print(f"| {file_name} | {mode_name} | {len(games)} | {sum(map(bool, games))} |")
    wrong = [line for game in found.values() for line in game]
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
