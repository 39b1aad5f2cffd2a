"""``python -m bench.forgetful_tables``: whole games of people who forget, entered through the real app.

Each table's people forget, press twice and name the wrong killer by shares of their own; a careful table
does none of it. Seeds below a million are for tuning, those above for the published table.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import click
import structlog
from rich.progress import track

from saloon.core.rule_set import RecordMode, RuleSet

PUBLISHED_SEED: Final = 1_000_000
PAGE: Final = Path("docs") / "reference" / "performance.md"
_PLACE: Final = re.compile(r"(<!-- forgetful -->\n).*?(<!-- end of forgetful -->)", re.DOTALL)
_HEAD: Final = (
    "mode", "edition", "seats", "games", "right", "wrong, asked", "wrong, silent", "High Noons",
    "on time or asked", "touches", "questions", "in vain",
)  # fmt: skip


class _Row:
    """The sums of the games of one mode, edition and size."""

    def __init__(self) -> None:
        self.games: list[dict[str, str | int]] = []

    def cells(self) -> tuple[str, ...]:
        """The figures of the table's line."""
        games = len(self.games)

        def count(key: str, *values: str) -> int:
            return sum(game[key] in values for game in self.games)

        def mean(key: str) -> str:
            return f"{sum(int(game[key]) for game in self.games) / games:.2f}".rstrip("0").rstrip(".")

        noons = games - count("noon", "none")
        kept = count("noon", "on time", "asked")
        share = f"{kept / noons:.1%}" if noons else "-"
        sheets = (str(count("sheet", value)) for value in ("right", "wrong, asked", "wrong, silent"))
        return (str(games), *sheets, str(noons), share, mean("touches"), mean("questions"), mean("in_vain"))


def _play(job: tuple[int, RuleSet, int, bool]) -> dict[str, str | int]:
    from tests.forgetful.outcome import play_forgetful
    from tests.forgetful.people import CAREFUL, FORGETFUL

    seed, rules, seats, is_careful = job
    game = play_forgetful(seed, rules, seats, CAREFUL if is_careful else FORGETFUL)
    return {
        "sheet": game.sheet.value,
        "noon": game.noon.value,
        "touches": game.touches,
        "questions": game.questions,
        "in_vain": game.in_vain,
    }


def _be_quiet() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))


def _name(rules: RuleSet) -> str:
    return " ".join((rules.edition, *(option.value for option in rules.options)))


def _jobs(games: int, seed: int, *, is_careful: bool) -> Iterator[tuple[int, RuleSet, int, bool]]:
    from tests.forgetful.outcome import tables

    for rules, seats in tables():
        yield from ((seed + number, rules, seats, is_careful) for number in range(games))


def table_of(jobs: Sequence[tuple[int, RuleSet, int, bool]], workers: int) -> str:
    """Play all games and return their figures as a Markdown table."""
    rows: dict[tuple[RecordMode, str, int], _Row] = defaultdict(_Row)
    with ProcessPoolExecutor(workers, initializer=_be_quiet) as pool:
        found = track(pool.map(_play, jobs, chunksize=5), "Games", total=len(jobs))
        for (_seed, rules, seats, _careful), game in zip(jobs, found, strict=True):
            rows[rules.mode, _name(rules), seats].games.append(game)
    lines = [_HEAD, tuple("---" for _ in _HEAD)]
    lines += [(mode.value, name, str(seats), *row.cells()) for (mode, name, seats), row in rows.items()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


@click.command()
@click.option("--games", default=200, show_default=True, type=click.IntRange(min=1), help="Of each kind.")
@click.option("--seed", default=PUBLISHED_SEED, show_default=True, help="Of the first game.")
@click.option("--careful", is_flag=True, help="Tables that forget nothing.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(min=1))
@click.option("--write", is_flag=True, help=f"Put the table into {PAGE}.")
def main(games: int, seed: int, workers: int, *, careful: bool, write: bool) -> None:
    """Play games at forgetful tables and print what became of their record sheets."""
    found = table_of(tuple(_jobs(games, seed, is_careful=careful)), workers)
    print(found)
    if write:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_PLACE.sub(lambda match: match[1] + found + "\n" + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
