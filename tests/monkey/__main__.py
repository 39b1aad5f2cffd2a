"""``python -m tests.monkey --touches 100000 --seed 7``: many evenings, one after the other."""

import os
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import logging

import click
import structlog
from rich.console import Console
from rich.progress import Progress

from tests.monkey.evenings import GROUPS
from tests.monkey.monkey import Evening, Tally, play_evening
from tests.monkey.watch import Impossible

_AN_EVENING: Final = 2_000
_WARM: Final = 0.4
"""The share of evenings until every glass, language and edition was seen and every cache is full."""
_MAY_GROW_KB: Final = 4_096
_FEW: Final = 10


@click.command()
@click.option("--touches", default=100_000, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True)
@click.option("--group", type=click.Choice(tuple(GROUPS)), help="Only this group of editions.")
@click.option("--evening", type=int, help="Only this evening of the seed, as a failure names it.")
def main(touches: int, seed: int, group: str | None, evening: int | None) -> None:
    """Touch a virtual table at random, so often; exit status 1 where something impossible happened."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    console = Console()
    tallies: list[Tally] = []
    played = [one for one in evenings(touches, seed, group) if evening in {None, one.number}]
    with Progress(console=console) as progress:
        task = progress.add_task("touches", total=sum(one.touches for one in played))
        for one in played:
            try:
                tallies.append(play_evening(one))
            except Impossible as fault:
                console.print(f"evening {one.number} ({one.group}, seed {one.seed}): {fault}", markup=False)
                sys.exit(1)
            progress.advance(task, tallies[-1].touches)
            if not console.is_terminal:
                console.print(f"evening {one.number}: {one.group}, {tallies[-1].rss_kb // 1024} MB")
    report(console, tallies)
    if grown_kb(tallies) > _MAY_GROW_KB:
        console.print("memory has grown")
        sys.exit(1)


def evenings(touches: int, seed: int, group: str | None) -> Iterator[Evening]:
    """The evenings of a seed: each of a group, in turn, until there are enough touches."""
    groups = (group,) if group is not None else tuple(GROUPS)
    for number in range(-(-touches // _AN_EVENING)):
        so_many = min(_AN_EVENING, touches - number * _AN_EVENING)
        yield Evening(groups[number % len(groups)], number, seed * 1_000_003 + number, so_many)


def grown_kb(tallies: list[Tally]) -> int:
    """By how much memory grew once all was warm: the last evenings against those after the warming."""
    warm = [tally.rss_kb for tally in tallies[int(len(tallies) * _WARM) :]]
    if len(warm) < _FEW:
        return 0
    part = len(warm) // 3
    return round(statistics.median(warm[-part:]) - statistics.median(warm[:part]))


def report(console: Console, tallies: list[Tally]) -> None:
    scenes: Counter[str] = Counter()
    for tally in tallies:
        scenes.update(tally.scenes)
    console.print(
        f"{sum(t.touches for t in tallies):,} touches in {len(tallies)} evenings: "
        f"{sum(t.games for t in tallies):,} games, {sum(t.confirmed for t in tallies):,} confirmed, "
        f"{sum(t.voided for t in tallies):,} voided, {sum(t.restarts for t in tallies):,} power cuts, "
        f"{sum(t.entries for t in tallies):,} entries"
    )
    rss = [tally.rss_kb / 1024 for tally in tallies]
    if not rss:
        return
    console.print(
        f"memory: {rss[0]:.1f} MB after the first evening, {max(rss):.1f} at most, {rss[-1]:.1f} at the end; "
        f"grown {grown_kb(tallies) / 1024:+.1f} MB since all was warm; "
        f"objects {tallies[len(tallies) // 2].objects:,} halfway, {tallies[-1].objects:,} at the end"
    )
    counts = (f"{name} {count}" for name, count in scenes.most_common())
    console.print(f"{len(scenes)} scenes: {', '.join(counts)}")


if __name__ == "__main__":
    main()
