"""Runs of simulated worlds.

python -m tests.soak.simulation 4711            # one seed again, with its last events
python -m tests.soak.simulation 4711 --short    # the same as ``make test`` runs it
"""

import asyncio
import contextlib
import itertools
import random
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import click
import msgspec
import structlog

from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.fate import Fate
from tests.soak.world import Plan, World

LONG = (
    Plan(each_s=24.0),
    Plan(terminals=24, cables=4, seconds=60.0, each_s=8.0, orders_s=8.0, fault_every_s=0.3),
    Plan(terminals=6, cables=6, seconds=120.0, each_s=6.0),
    Plan(terminals=4, cables=1, seconds=90.0, each_s=40.0, fault_every_s=0.15),
)
"""Several kinds of halls, among which a seed chooses by its remainder."""
SHORT = Plan(terminals=4, cables=1, seconds=25.0, each_s=6.0, fault_every_s=0.5)


def plan_of(seed: int) -> Plan:
    return LONG[seed % len(LONG)]


class Ran(msgspec.Struct, frozen=True):
    """The result of a world: its first problem, if any, and a digest of all events."""

    seed: int
    problem: str
    digest: str
    last: str
    counts: Counts
    dealt: dict[str, int]


class Dealer(Protocol):
    """A generator of faults in a world, with the number of each kind."""

    dealt: dict[str, int]

    async def deal(self) -> None:
        """Cause faults until cancelled."""


def simulated(
    seed: int,
    plan: Plan,
    directory: Path,
    tampered: Callable[[World], None] = lambda _: None,
    dealer: Callable[[World, random.Random], Dealer] = Fate,
) -> Ran:
    """Run a world from its beginning until no entries are missing any more.

    ``tampered`` breaks something beforehand, to test that this is noticed.
    """
    errors: list[str] = []
    with structlog_quiet(errors):
        world = World(seed, plan, directory)
        tampered(world)
        fate = dealer(world, random.Random(f"fate {seed}"))
        try:
            world.loop.run_until_complete(_story(world, fate))
        finally:
            world.problems.extend(errors)
            world.close()
    return Ran(
        seed,
        world.problems[0] if world.problems else "",
        world.trace.digest(),
        world.trace.last(),
        _counts(world),
        fate.dealt,
    )


@contextlib.contextmanager
def structlog_quiet(errors: list[str]) -> Iterator[None]:
    """Suppress the log in the block, but record internal errors."""

    def kept(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
        if event.get("exc_info"):
            errors.append(f"an error of ours: {event} {traceback.format_exc(limit=-4)}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[kept])
    try:
        yield
    finally:
        structlog.configure(**before)


async def _story(world: World, fate: Dealer) -> None:
    world.station.start()
    for terminal in world.terminals:
        terminal.start()
    actors = [*(world.play(terminal) for terminal in world.terminals), world.judge(), fate.deal()]
    tasks = [asyncio.ensure_future(actor) for actor in actors]
    await asyncio.sleep(world.plan.seconds)
    for task in tasks:
        task.cancel()
    # What fate has begun ends by itself, some of it late.
    await asyncio.sleep(45.0)
    world.heal()
    await world.settle()
    world.look(settled=True)


def _counts(world: World) -> Counts:
    crashes = world.station.crashes + sum(terminal.crashes for terminal in world.terminals)
    octets = world.network.octets + sum(cable.octets for cable in world.cables)
    return Counts(events=world.said, crashes=crashes, seeds=1, octets=octets)


@click.command()
@click.argument("seeds", nargs=-1, type=int)
@click.option("--short", is_flag=True, help="As small as in make test.")
def main(seeds: tuple[int, ...], *, short: bool) -> None:
    """Run these SEEDS again."""
    with tempfile.TemporaryDirectory(prefix="saloon-sim-") as folder:
        for seed in seeds:
            ran = simulated(seed, SHORT if short else plan_of(seed), Path(folder))
            if ran.problem:
                click.echo(ran.last)
            click.echo(f"{seed}: {ran.problem or 'kept'} {ran.digest[:16]} {ran.counts} {ran.dealt}")


if __name__ == "__main__":
    main()


Hall = Callable[[int, Path], Ran]
"""A function of a module, as processes need it, that runs the hall of a seed, with its keys in a folder."""


def run_halls(hall: Hall, again: str, seed: int, seconds: float, progress: Progress) -> Counts:
    """Run seeds from ``seed`` times a million on. ``again`` is the command that repeats one of them."""
    end = time.monotonic() + seconds
    done = Counts()
    seeds = itertools.count(seed * 1_000_000)
    with tempfile.TemporaryDirectory(prefix="saloon-sim-") as name:
        folder = Path(name)
        # Keys are the same in every world: made here once, not by two processes at once.
        done += counted(hall(next(seeds), folder), again)
        for ran in in_two_processes((partial(hall, number, folder) for number in seeds), end):
            done += counted(ran, again)
            progress(done)
    return done


def counted(ran: Ran, again: str) -> Counts:
    """Return the counts of one simulated hall, and its failure, if any, with the command that repeats it."""
    if not ran.problem:
        return ran.counts
    return ran.counts + Counts(failures=(f"{ran.problem}\n{ran.last}\nagain: {again.format(seed=ran.seed)}",))
