"""``python -m bench.forgetful_tables``: whole games of people who forget, entered through the real app.

The games are those that another program played card by card (``tests/true_games``); who enters them, and
how, differs by seed. Each table's people forget, press twice, take the wrong player out and name the wrong
killer by shares of their own; a careful table does none of it. Seeds below a million are for tuning, those
above for the published table. Ten thousand games take hours: finished ones are kept in a file, and another
run continues there.
"""

import os
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click
from tests.forgetful.hands import CAREFUL, FORGETFUL, Faults
from tests.forgetful.outcome import Noon, Outcome, Sheet, play_forgetful, tables

from bench.kept_games import play_all
from saloon.core.rule_set import RecordMode

PUBLISHED_SEED: Final = 1_000_000
PAGE: Final = Path("docs") / "reference" / "performance.md"
KEPT: Final = Path("build") / "forgetful-tables.jsonl"
_HEAD: Final = (
    "mode", "edition", "seats", "games", "right", "wrong, asked", "judge called", "wrong, silent",
    "High Noons", "on time", "asked", "missed", "touches", "questions", "needless",
)  # fmt: skip


Job = tuple[str, RecordMode, int, Faults]
"""The file of true games, the mode, the seed and the people of one game."""


def _cells(games: Sequence[Outcome]) -> tuple[str, ...]:
    """Return the figures of a table's line."""
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


def _key(job: Job) -> str:
    file, mode, seed, people = job
    who = "careful" if people == CAREFUL else "forgetful"
    return f"{mode.value} {file} {seed} {who}"


def table_of(found: Sequence[Outcome], *, only_sums: bool = False) -> str:
    """Return the figures of all games as a Markdown table, or only the sums of each mode."""
    rows: dict[tuple[RecordMode, str, int], list[Outcome]] = defaultdict(list)
    for outcome in found:
        rows[outcome.mode, outcome.edition, outcome.seats].append(outcome)
    lines = [_HEAD, tuple("---" for _ in _HEAD)]
    for (mode, name, seats), games in () if only_sums else rows.items():
        lines.append((mode.value, name, str(seats), *_cells(games)))
    for mode in RecordMode:
        games = [outcome for outcome in found if outcome.mode is mode]
        lines.append((f"**{mode.value}**", "all", "", *_cells(games)))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


@click.command()
@click.option("--games", default=200, show_default=True, type=click.IntRange(min=1), help="Of each kind.")
@click.option("--seed", default=PUBLISHED_SEED, show_default=True, help="Of the first game.")
@click.option("--careful", is_flag=True, help="Tables that forget nothing.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
@click.option("--keep", default=KEPT, show_default=True, type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Put the table into {PAGE}.")
def main(games: int, seed: int, workers: int, keep: Path, *, careful: bool, write: bool) -> None:
    """Play games at forgetful tables and print what became of their record sheets."""
    people = CAREFUL if careful else FORGETFUL
    jobs = {
        _key(job): job
        for number in range(games)
        for kind in tables()
        if (job := (*kind, seed + number, people))
    }
    found = play_all(jobs, _play, Outcome, workers, keep)
    played = [found[key] for key in jobs]
    print(table_of(played))
    if write:
        # Every kind of a careful table's games comes out alike.
        table = table_of(played, only_sums=careful)
        begin = "careful" if careful else "forgetful"
        place = re.compile(rf"(<!-- {begin} -->\n).*?(<!-- end of {begin} -->)", re.DOTALL)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(place.sub(lambda match: match[1] + table + "\n" + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
