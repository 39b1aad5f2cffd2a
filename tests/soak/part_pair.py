"""two halls whose RS-485 pairs were joined by mistake: two stations talk on one bus"""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

from sync.bus.timing import BusTiming
from sync.ports.findings import Finding
from sync.station.bus import StationBus
from sync.terminal.routes import RouteSource, StationRoute
from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran, run_halls, structlog_quiet
from tests.soak.virtual_line import Cable
from tests.soak.virtual_loop import VirtualLoop
from tests.soak.virtual_pair import BAUD, PairEnd, Pairs, WakingBusPort, on_pairs
from tests.soak.virtual_terminal import VirtualTerminal
from tests.soak.world import Plan, World

SIDES = ("a", "b")
_NOTICED_S = 30.0
"""The time within which both stations must have raised an alarm."""
_CLEARED_S = 60.0


class PairWorld(World):
    """A hall whose terminals have nothing but one pair of wires."""

    def __init__(self, seed: int, plan: Plan, directory: Path, pairs: Pairs, side: str) -> None:
        self._pairs = pairs
        self._side = side
        self._ports: list[WakingBusPort] = []
        super().__init__(seed, plan, directory, loop=pairs.loop, name=side)
        station = self.station
        end = PairEnd(pairs, side)
        timing = BusTiming(baud=BAUD, hold_ms=1)
        station.pairs.append(lambda: StationBus("pair", end, timing, station.loop.now_ms))
        station.on_end.append(end.close)

    def _ways(self, terminal: VirtualTerminal, cable: Cable | None) -> list[StationRoute]:
        del cable
        unit = bytes.fromhex(terminal.identity.id[:16])
        end = PairEnd(self._pairs, self._side)
        port = WakingBusPort(end, unit, terminal.clock.monotonic_ms, terminal.wake)
        terminal.ports.append(port.close)
        self._ports.append(port)
        return [StationRoute("bus", lambda: port, source=RouteSource.CABLE)]

    def let_go(self) -> None:
        """Free the memory, and close ports that a cancelled task has opened again."""
        super().let_go()
        for port in self._ports:
            port.close()

    @property
    def is_alarmed(self) -> bool:
        """Return whether the judge is warned of a second station."""
        alarms = self.station.bus_alarms
        return bool(alarms) and alarms[-1].startswith("a second station is on this cable")


class TwoStations:
    """The two halls, whose pairs are joined by mistake."""

    def __init__(self, seed: int, plan: Plan, directory: Path) -> None:
        loop = VirtualLoop()
        self._chance = random.Random(f"two stations {seed}")
        self.pairs = Pairs(loop, random.Random(f"wires {seed}"))
        self.halls = [
            PairWorld(seed * 2 + i, plan, directory, self.pairs, side) for i, side in enumerate(SIDES)
        ]
        self._plan = plan
        self.problems: list[str] = []

    async def story(self) -> None:
        """Play before, during and after the mistake, until no entries are missing."""
        for hall in self.halls:
            hall.station.start()
            for terminal in hall.terminals:
                terminal.start()
        actors = [hall.play(terminal) for hall in self.halls for terminal in hall.terminals]
        tasks = [asyncio.ensure_future(one) for one in (*actors, *(hall.judge() for hall in self.halls))]
        await asyncio.sleep(self._chance.uniform(5.0, 15.0))
        self.pairs.are_joined = True
        await self._until_noticed()
        await self._suffer()
        self.pairs.are_joined = False
        await asyncio.sleep(_CLEARED_S)
        for task in tasks:
            task.cancel()
        for hall in self.halls:
            hall.heal()
            await hall.settle()
            hall.look(settled=True)
            if hall.is_alarmed:
                self.problems.append("a station still speaks of another one that is gone")
            self.problems += hall.problems

    async def _until_noticed(self) -> None:
        for _ in range(int(_NOTICED_S)):
            await asyncio.sleep(1.0)
            if all(hall.is_alarmed for hall in self.halls):
                return
        said = [hall.station.bus_alarms for hall in self.halls]
        self.problems.append(f"a station does not say within {_NOTICED_S:.0f} s that there are two: {said}")

    async def _suffer(self) -> None:
        """Cut the power of machines while two stations are on one pair."""
        end_s = self.pairs.loop.time() + self._plan.seconds
        while self.pairs.loop.time() < end_s:
            await asyncio.sleep(self._chance.expovariate(1 / self._plan.fault_every_s))
            hall = self._chance.choice(self.halls)
            if self._chance.random() < 0.2:
                hall.station.power_fails()
                hall.look()
                await asyncio.sleep(self._chance.uniform(0.5, 3.0))
                hall.station.start()
            else:
                terminal = self._chance.choice(hall.terminals)
                terminal.power_fails()
                await asyncio.sleep(self._chance.uniform(0.5, 3.0))
                terminal.start()

    def count_aware(self) -> int:
        """Return the number of terminals that have shown that there are two stations."""
        terminals = [terminal for hall in self.halls for terminal in hall.terminals]
        return sum(Finding.TWO_STATIONS in terminal.findings for terminal in terminals)

    def close(self) -> None:
        for hall in self.halls:
            hall.let_go()
        self.pairs.loop.close()


def two_stations(
    seed: int, plan: Plan, directory: Path, tampered: Callable[[TwoStations], None] = lambda _: None
) -> Ran:
    """Run the halls of a seed. ``tampered`` breaks something beforehand, to test that this is noticed."""
    errors: list[str] = []
    with structlog_quiet(errors), on_pairs(seed):
        both = TwoStations(seed, plan, directory)
        tampered(both)
        try:
            both.pairs.loop.run_until_complete(both.story())
        finally:
            both.problems += errors
            both.close()
    events = sum(hall.said for hall in both.halls)
    crashes = sum(hall.station.crashes + sum(one.crashes for one in hall.terminals) for hall in both.halls)
    counts = Counts(events=events, crashes=crashes, seeds=1, octets=both.pairs.octets)
    last = "\n".join(hall.trace.last() for hall in both.halls)
    problem = both.problems[0] if both.problems else ""
    return Ran(
        seed,
        problem,
        "".join(hall.trace.digest() for hall in both.halls),
        last,
        counts,
        {"terminals that said so": both.count_aware()},
    )


MISTAKE = Plan(terminals=4, cables=0, seconds=30.0, each_s=2.0, orders_s=2.0, fault_every_s=3.0)


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    return run_halls(mistake, "tests.soak.part_pair.mistake({seed}, FOLDER)", seed, seconds, progress)


def mistake(seed: int, folder: Path) -> Ran:
    return two_stations(seed, MISTAKE, folder)
