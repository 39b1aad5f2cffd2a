"""``python -m bench.forgetful_tables``: whole games of forgetful people, entered through the real app.

The games were played card by card by another program (``tests/true_games``). The seed determines the people
and how they enter their games: they forget, press twice, eliminate the wrong player and name the wrong
    killer,
at different rates. A careful table makes no mistakes, so all of its entries must be true. Seeds below a
million are for tuning, those above for the published table. Ten thousand games take hours, so finished ones
are kept in a file, and the next run continues.
"""

import gc
import hashlib
import logging
import os
import re
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Final

import click
import msgspec
import structlog
from rich.progress import track

from core.rule_set import RecordMode
from tests.forgetful.hands import CAREFUL, FORGETFUL, Faults
from tests.forgetful.outcome import Noon, Outcome, Sheet, play_forgetful, tables

PUBLISHED_SEED: Final = 1_000_000
PAGE: Final = Path("docs") / "reference" / "performance.md"
KEPT: Final = Path("build") / "forgetful-tables.jsonl"
_HEAD: Final = (
    "mode", "edition", "games", "right", "wrong, asked", "judge called", "wrong, silent",
    "High Noons", "on time", "asked", "missed", "touches", "questions", "needless",
)  # fmt: skip


Job = tuple[str, RecordMode, int, Faults]
"""The file of true games, the mode, the seed and the people of one game."""


class _Kept(msgspec.Struct, frozen=True):
    """A finished game, identified by its mode, file, seed, people and version of the code."""

    game: str
    outcome: Outcome


def _cells(games: Sequence[Outcome]) -> tuple[str, ...]:
    """Return the figures of one line of the table."""
    sheets, noons = Counter(game.sheet for game in games), Counter(game.noon for game in games)
    count = noons[Noon.ON_TIME] + noons[Noon.ASKED] + noons[Noon.MISSED]

    def mean(values: Iterable[int]) -> str:
        return f"{statistics.fmean(values):.2f}"

    return (
        str(len(games)),
        *(f"{sheets[kind]:,}" for kind in Sheet),
        f"{count:,}",
        *(f"{noons[kind]:,}" for kind in (Noon.ON_TIME, Noon.ASKED, Noon.MISSED)),
        mean(game.touches for game in games),
        mean(game.questions for game in games),
        mean(game.in_vain for game in games),
    )


def _play(job: Job) -> Outcome:
    file, mode, seed, people = job
    return play_forgetful(seed, file, mode, people)


def be_quiet() -> None:
    """Disable display and logging in a worker, and collect garbage rarely, which saves time."""
    gc.set_threshold(100_000)
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def _key(job: Job) -> str:
    file, mode, seed, people = job
    who = "careful" if people == CAREFUL else "forgetful"
    return f"{mode.value} {file} {seed} {who} {_tree()}"


@cache
def _tree() -> str:
    """Return a hash of the code under test, so that a table never mixes games of different versions."""
    rooms = ("HEAD:core", "HEAD:kiosk", "HEAD:tests/forgetful", "HEAD:tests/true_games")
    trees = subprocess.run(("git", "rev-parse", *rooms), capture_output=True, text=True, check=True)
    return hashlib.sha256(trees.stdout.encode()).hexdigest()[:12]


def play_all(jobs: Sequence[Job], workers: int, kept: Path) -> list[Outcome]:
    """Play the games missing in the file, add them to it, and return all.

    Raises an ExceptionGroup, after finishing all others, if games couldn't be played to their end.
    """
    finished: dict[str, Outcome] = {}
    if kept.exists():
        lines = kept.read_bytes().splitlines()
        finished = {
            one.game: one.outcome for one in (msgspec.json.decode(line, type=_Kept) for line in lines)
        }
    missing = [job for job in jobs if _key(job) not in finished]
    kept.parent.mkdir(parents=True, exist_ok=True)
    failed: list[Exception] = []
    with ProcessPoolExecutor(workers, initializer=be_quiet) as pool, kept.open("ab") as file:
        running = {pool.submit(_play, job): _key(job) for job in missing}
        for done in track(as_completed(running), "Games", total=len(running)):
            key = running[done]
            if isinstance(error := done.exception(), Exception):
                error.add_note(key)
                failed.append(error)
                continue
            finished[key] = done.result()
            file.write(msgspec.json.encode(_Kept(key, finished[key])) + b"\n")
            file.flush()
    if failed:
        raise ExceptionGroup(f"{len(failed)} games could not be played to their end", failed)
    return [finished[_key(job)] for job in jobs]


def table_of(outcomes: Sequence[Outcome], *, only_sums: bool = False) -> str:
    """Format the figures of all games as a Markdown table, or only the totals of each mode."""
    rows: dict[tuple[RecordMode, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows[outcome.mode, outcome.edition].append(outcome)
    lines = [_HEAD, tuple("---" for _ in _HEAD)]
    for (mode, name), games in () if only_sums else rows.items():
        lines.append((mode.value, name, *_cells(games)))
    for mode in RecordMode:
        games = [outcome for outcome in outcomes if outcome.mode is mode]
        lines.append((f"**{mode.value}**", "all", *_cells(games)))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


@click.command()
@click.option("--games", default=200, show_default=True, type=click.IntRange(min=1), help="Of each kind.")
@click.option("--seed", default=PUBLISHED_SEED, show_default=True, help="Of the first game.")
@click.option("--careful", is_flag=True, help="Tables that forget nothing.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
@click.option("--keep", default=KEPT, show_default=True, type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Put the table into {PAGE}.")
def main(games: int, seed: int, workers: int, keep: Path, *, careful: bool, write: bool) -> None:
    """Play games at forgetful tables and print how many of their record sheets were right.

    For a careful table, every game is compared; exits with status 1 if any differs from the true one.
    """
    people = CAREFUL if careful else FORGETFUL
    jobs = [(*kind, seed + number, people) for number in range(games) for kind in tables()]
    played = play_all(jobs, workers, keep)
    print(table_of(played))
    if write:
        # All kinds of a careful table's games have the same results.
        table = table_of(played, only_sums=careful)
        begin = "careful" if careful else "forgetful"
        place = re.compile(rf"(<!-- {begin} -->\n).*?(<!-- end of {begin} -->)", re.DOTALL)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(place.sub(lambda match: match[1] + table + "\n" + match[2], text), encoding="utf-8")
    wrong = [line for game in played for line in game.differs]
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
