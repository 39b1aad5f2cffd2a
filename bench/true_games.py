"""``python -m bench.true_games``: games that another program played card by card, entered by careful fingers.

Each goes through the real app and must come out as it was played; ``tests/true_games`` describes them, and
enters all of them into the core. A game takes some seconds of a processor, all of them in both modes hours.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import click
from rich.progress import track
from tests.true_games.by_fingers import disagreements, sample
from tests.true_games.record import GAMES, files, read_games

from bench.forgetful_tables import be_quiet
from saloon.core.rule_set import RecordMode

_HEAD: Final = ("file", "mode", "games", "come out differently")

Job = tuple[Path, RecordMode, int]
"""The file and mode of some games, and how many."""


def played(job: Job) -> list[list[str]]:
    """Return what differs, for each game of a job."""
    file, mode, count = job
    return [disagreements(game, mode) for game in sample(read_games(file), count)]


def lines_of(job: Job, found: list[list[str]]) -> Iterator[str]:
    """Return the line of a job for the table, and below it all that differs."""
    file, mode, _ = job
    cells = (file.name.removesuffix(".jsonl.gz"), mode.value, str(len(found)), str(sum(map(bool, found))))
    yield f"| {' | '.join(cells)} |"
    yield from (wrong for game in found for wrong in game)


@click.command()
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1), help="Of each file.")
@click.option("--folder", default=GAMES, type=click.Path(path_type=Path, exists=True), help="Of other files.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
def main(games: int, folder: Path, workers: int) -> None:
    """Enter games and print how many come out differently; exit with 1 if any does."""
    jobs = [(file, mode, games) for file in files(folder) for mode in RecordMode]
    with ProcessPoolExecutor(workers, initializer=be_quiet) as pool:
        found = list(track(pool.map(played, jobs), "Games", total=len(jobs)))
    print(f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}", sep="\n")
    for job, differing in zip(jobs, found, strict=True):
        print(*lines_of(job, differing), sep="\n")
    sys.exit(any(wrong for differing in found for wrong in differing))


if __name__ == "__main__":
    main()
