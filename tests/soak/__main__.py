"""``make soak``: test the guarantees under every fault that we can cause, for any length of time.

make soak ARGS="--minutes 30 --seed 7 --only sim,cuts"
"""

import os
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.soak.counts import Counts, Part
from tests.soak.cuts import run_cuts, run_reorder
from tests.soak.other_versions import NEEDS_HISTORY, has_history
from tests.soak.part_archives import run_archives
from tests.soak.part_decoders import run_fuzz, run_link
from tests.soak.part_forgery import run_forgery
from tests.soak.part_halls import run_pair, run_sim, run_wifi
from tests.soak.part_packets import run_packets
from tests.soak.part_processes import run_hostile, run_processes, run_siege, run_stations
from tests.soak.part_spares import run_spares
from tests.soak.part_updates import run_updates
from tests.soak.part_versions import run_versions
from tests.soak.part_wire import run_wire

PAGE = Path(__file__).parents[2] / "docs" / "development" / "soak.md"
PLACE = re.compile(r"(?s)(<!-- soak -->\n).*?(\n<!-- end of soak -->)")
COLUMNS = ("events", "crashes", "seeds", "cuts", "octets")
PARTS: dict[str, tuple[Part, float, str]] = {
    "sim": (run_sim, 8, "seeded simulations of a whole hall: clock, network, disks, crashes"),
    "wifi": (run_wifi, 12, "a Wi-Fi that comes and goes every few seconds for an hour"),
    "reorder": (
        run_reorder,
        4,
        "a station's database on a disk that writes in any order",
    ),
    "cuts": (run_cuts, 2, "the power cut at every write and flush of journals, stores and indexes of games"),
    "link": (run_link, 2, "valid frames of the serial link, damaged in bulk"),
    "fuzz": (run_fuzz, 2, "junk for every decoder, guided by coverage"),
    "packets": (run_packets, 1, "sessions cut after every byte, peers that lie, bits that flip on disks"),
    "archives": (run_archives, 1, "whole tournaments of each version, opened by every newer one"),
    "forgery": (run_forgery, 1, "a stolen terminal that writes whole games of other tables"),
    "hostile": (run_hostile, 1, "hostile peers by TCP, while an honest terminal works"),
    "pair": (run_pair, 1, "two halls whose RS-485 pairs were joined by mistake"),
    "processes": (run_processes, 1, "real stations and terminals, killed, paused, parted"),
    "siege": (run_siege, 1, "a station whose ports are held by thousands of connections"),
    "spares": (run_spares, 1, "tables whose terminals are swapped for spares at random"),
    "stations": (run_stations, 1, "three station programs on one PostgreSQL: kills, pauses, restarts"),
    "updates": (run_updates, 1, "an update of each version to each other one, the power cut at every write"),
    "versions": (run_versions, 1, "stations and terminals of different versions together"),
    "wire": (run_wire, 1, "an update of each version to each newer one, over the wire"),
}
"""Each part's function, its relative share of the time, and what it tests."""
OF_HISTORY = {"archives", "updates", "versions", "wire"}


def tried(
    names: tuple[str, ...],
    minutes: float,
    seed: int,
    console: Console,
    note: Callable[[Mapping[str, Counts]], None] = lambda _: None,
) -> dict[str, Counts]:
    """Run these parts one after the other, each for its share of the time, and call ``note`` after each."""
    whole = sum(PARTS[name][1] for name in names)
    results: dict[str, Counts] = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[so_far]}"),
    )
    with Progress(*columns, console=console) as bars:
        for name in names:
            run, share, what = PARTS[name]
            seconds = 60 * minutes * share / whole
            bar = bars.add_task(f"{name}: {what}", total=seconds, so_far="")
            begun = time.monotonic()

            def on_progress(counts: Counts, bar: TaskID = bar, begun: float = begun) -> None:
                bars.update(bar, completed=time.monotonic() - begun, so_far=in_short(counts))

            results[name] = run(seed, seconds, on_progress)
            bars.update(bar, completed=seconds, so_far=in_short(results[name]))
            for failure in results[name].failures:
                console.print(f"[bold red]{name}[/]: {failure}", highlight=False)
            note(results)
    return results


def in_short(counts: Counts) -> str:
    """Return a line with the amounts of work that are not 0."""
    said = [f"{getattr(counts, column):,} {column}" for column in COLUMNS if getattr(counts, column)]
    return ", ".join([*said, f"{len(counts.failures)} failures"])


def rows(results: Mapping[str, Counts]) -> list[tuple[str, ...]]:
    """Return the table's rows, with the total last."""
    whole = sum(results.values(), Counts())
    return [
        (name, *(f"{getattr(c, column):,}" for column in COLUMNS), str(len(c.failures)))
        for name, c in [*results.items(), ("all", whole)]
    ]


def as_markdown(results: Mapping[str, Counts], commands: Sequence[str]) -> str:
    """Return the table for docs/development/soak.md."""
    head = ("part", *COLUMNS, "failures")
    lines = [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows(results))]
    system = f"{platform.system()} {platform.machine()}"
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores, {system}"
    said = ", ".join(f"`{command}`" for command in commands)
    return "\n".join([*lines, "", f"By {said} on: {where}."])


def on_the_page(text: str, fresh: Iterable[str]) -> tuple[dict[str, Counts], list[str]]:
    """Parse the table's rows, except of parts in ``fresh``, and the commands that produced them."""
    place = PLACE.search(text)
    table = place[0] if place else ""
    results = {}
    for name, *numbers in re.findall(r"(?m)^\| (\w+) \|" + r" ([\d,]+) \|" * 6 + "$", table):
        if name != "all" and name not in fresh:
            counts = (int(number.replace(",", "")) for number in numbers)
            events, crashes, seeds, cuts, octets, failures = counts
            unknown = ("written earlier",) * failures
            results[name] = Counts(events, crashes, seeds, cuts, octets, unknown)
    return results, re.findall(r"`(make soak [^`]+)`", table) if results else []


def put(page: Path, text: str) -> None:
    before = page.read_text(encoding="utf-8")
    page.write_text(PLACE.sub(lambda m: m[1] + text + m[2], before), encoding="utf-8")


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="How long, all parts together.")
@click.option("--seed", default=1, show_default=True, help="The same seed tries the same things.")
@click.option("--only", default="", help="Parts, with commas between; all when none is named.")
@click.option("--write", is_flag=True, help="Put the rows into docs/development/soak.md as each part ends.")
def main(minutes: float, seed: int, only: str, *, write: bool) -> None:
    """Try to break the promise; the exit status is 1 where it broke."""
    console = Console()
    names = tuple(only.split(",")) if only else tuple(PARTS)
    if unknown := sorted(set(names) - set(PARTS)):
        raise click.BadParameter(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if OF_HISTORY & set(names) and not has_history():
        console.print(f"left out: {', '.join(sorted(OF_HISTORY & set(names)))}; {NEEDS_HISTORY}")
        names = tuple(name for name in names if name not in OF_HISTORY)
    command = f'make soak ARGS="--minutes {minutes:g} --seed {seed}{f" --only {only}" if only else ""}"'
    page = PAGE.read_text(encoding="utf-8")

    def note(results: Mapping[str, Counts]) -> None:
        # A run that is interrupted leaves the parts that it has ended.
        earlier, commands = on_the_page(page, results)
        put(PAGE, as_markdown({**earlier, **results}, [*commands, command]))

    results = tried(names, minutes, seed, console, note if write else lambda _: None)
    table = Table("part", *COLUMNS, "failures", title="tried")
    for row in rows(results):
        table.add_row(*row)
    console.print(table)
    sys.exit(any(counts.failures for counts in results.values()))


if __name__ == "__main__":
    main()
