"""Runs of simulated worlds, and the faults that befall them.

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
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import click
import msgspec
import structlog

from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.virtual_disk import Card, Faults
from tests.soak.virtual_terminal import VirtualTerminal
from tests.soak.world import Plan, World

_TEN_YEARS_MS = 315_576_000_000
Misfortune = Callable[[], Awaitable[None]]


class Fate:
    """A generator of faults, several at a time. ``chance`` determines what happens, when and to whom."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self._world = world
        self._chance = chance
        self._copies: dict[str, Card] = {}
        self._busy: set[asyncio.Task[None]] = set()
        self.dealt: dict[str, int] = {}

    async def deal(self) -> None:
        misfortunes: dict[Misfortune, float] = {
            self.terminal_loses_power: 40,
            self.terminal_loses_power_in_a_commit: 25,
            self.terminal_restarts: 6,
            self.station_loses_power: 4,
            self.station_loses_power_in_a_commit: 5,
            self.station_is_killed: 3,
            self.station_restarts: 1,
            self.terminals_are_parted: 8,
            self.the_network_is_down: 1,
            self.connections_are_reset: 8,
            self.a_card_is_worn: 5,
            self.a_card_is_full: 4,
            self.the_station_disk_fails: 3,
            self.the_station_disk_is_slow: 2,
            self.a_clock_jumps: 5,
            self.a_cable_is_pulled: 6,
            self.a_terminal_is_revoked: 1,
            self.a_card_is_copied: 1,
            self.an_old_card_comes_back: 0.3,
            self.a_backup_is_made: 1,
            self.the_station_is_restored: 0.5,
        }
        kinds, weights = list(misfortunes), list(misfortunes.values())
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / self._world.plan.fault_every_s))
            (kind,) = self._chance.choices(kinds, weights)
            name = getattr(kind, "__name__", "?")
            self.dealt[name] = self.dealt.get(name, 0) + 1
            self._world.trace.note("fate", name)
            task = asyncio.ensure_future(_awaited(kind))
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)

    def _terminal(self) -> VirtualTerminal:
        return self._chance.choice(self._world.terminals)

    async def _a_while(self, longest_s: float) -> None:
        await asyncio.sleep(self._chance.uniform(0.05, longest_s))

    async def terminal_loses_power(self) -> None:
        terminal = self._terminal()
        terminal.power_fails()
        await self._off(terminal)

    async def _off(self, terminal: VirtualTerminal) -> None:
        self._world.network.unpowered.add(terminal.name)
        await self._a_while(3.0)
        self._world.network.unpowered.discard(terminal.name)
        terminal.start()

    async def terminal_loses_power_in_a_commit(self) -> None:
        terminal = self._terminal()
        terminal.card.faults.cut_in = self._chance.randint(1, 6)
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not terminal.is_on:
                await self._off(terminal)
                return
        terminal.card.faults.cut_in = None

    async def terminal_restarts(self) -> None:
        terminal = self._terminal()
        terminal.stop()
        await self._a_while(2.0)
        terminal.start()

    async def station_loses_power(self) -> None:
        self._world.station.power_fails()
        await self._station_back()

    async def _station_back(self) -> None:
        self._world.look()
        await self._a_while(4.0)
        self._world.station.start()

    async def station_loses_power_in_a_commit(self) -> None:
        station = self._world.station
        station.faults.cut_in = self._chance.randint(1, 6)
        for _ in range(60):
            await asyncio.sleep(0.05)
            if station.life is None:
                await self._station_back()
                return
        station.faults.cut_in = None

    async def station_is_killed(self) -> None:
        self._world.station.kill()
        await self._station_back()

    async def station_restarts(self) -> None:
        await self._world.station.stop()
        await self._station_back()

    async def terminals_are_parted(self) -> None:
        some = self._chance.sample(self._world.terminals, self._chance.randint(1, len(self._world.terminals)))
        names = {terminal.name for terminal in some}
        self._world.network.parted |= names
        await self._a_while(self._chance.choice((1.0, 10.0, 40.0)))
        self._world.network.parted -= names

    async def the_network_is_down(self) -> None:
        self._world.network.parted.add("station")
        await self._a_while(30.0)
        self._world.network.parted.discard("station")

    async def connections_are_reset(self) -> None:
        self._world.station.reset_connections(self._chance.uniform(0.1, 1.0))

    async def a_card_is_worn(self) -> None:
        faults = self._terminal().card.faults
        faults.worn = True
        await self._a_while(8.0)
        faults.worn = False

    async def a_card_is_full(self) -> None:
        faults = self._terminal().card.faults
        faults.full = True
        await self._a_while(8.0)
        faults.full = False

    async def the_station_disk_fails(self) -> None:
        faults = self._world.station.faults
        full = self._chance.random() < 0.5
        faults.full, faults.worn = full, not full
        await self._a_while(6.0)
        faults.full = faults.worn = False

    async def the_station_disk_is_slow(self) -> None:
        self._world.station.slowest_s = self._chance.choice((0.05, 0.5, 3.0))
        await self._a_while(10.0)
        self._world.station.slowest_s = 0.004

    async def a_clock_jumps(self) -> None:
        terminal = self._terminal()
        terminal.wall_ms += self._chance.choice((-1, 1)) * self._chance.randrange(_TEN_YEARS_MS)
        terminal.clock.wall_offset_ms = terminal.wall_ms

    async def a_cable_is_pulled(self) -> None:
        if not self._world.cables:
            return
        cable = self._chance.choice(self._world.cables)
        cable.is_plugged = False
        await self._a_while(5.0)
        cable.is_plugged = True

    async def a_terminal_is_revoked(self) -> None:
        terminal = self._terminal()
        station = self._world.station
        if terminal.identity.id not in station.known:
            return
        terminal.revoked = True
        del station.known[terminal.identity.id]
        if station.life is not None:
            station.life.hub.hang_up(terminal.identity.id, "revoked by the judge")
        await self._a_while(10.0)
        if terminal.revoked:
            terminal.revoked = False
            station.known[terminal.identity.id] = terminal.identity.certificate

    async def a_card_is_copied(self) -> None:
        terminal = self._terminal()
        if terminal.has_journal():
            self._copies[terminal.name] = terminal.card.copy(Faults(random.Random(self._chance.random())))

    async def an_old_card_comes_back(self) -> None:
        terminal = self._terminal()
        copy = self._copies.pop(terminal.name, None)
        if copy is None or terminal.swapped:
            return
        terminal.power_fails()
        self._world.lost.append(terminal.lost_card(copy))
        await self._off(terminal)

    async def a_backup_is_made(self) -> None:
        self._world.backup = self._world.station.log()

    async def the_station_is_restored(self) -> None:
        world = self._world
        world.station.power_fails()
        # What was on the way when the power went is heard, or it is lost.
        await asyncio.sleep(1.0)
        if world.station.life is not None:
            return
        world.station.restore(world.backup)
        for terminal in world.terminals:
            terminal.forget_acks()
        await self._station_back()


async def _awaited(kind: Misfortune) -> None:
    await kind()


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
