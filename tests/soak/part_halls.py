"""Simulated halls: with every fault, with a Wi-Fi that comes and goes, and two on one pair of wires."""

import asyncio
import random
from pathlib import Path

from sync.bus.timing import BusTiming
from sync.ports.findings import Finding
from sync.station.bus import StationBus
from sync.terminal.routes import RouteSource, StationRoute
from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran, plan_of, run_halls, simulated, structlog_quiet
from tests.soak.virtual_loop import VirtualLoop
from tests.soak.virtual_terminal import VirtualTerminal
from tests.soak.virtual_wires import BAUD, Cable, PairEnd, Pairs, WakingBusPort, on_pairs
from tests.soak.world import Plan, World


def run_sim(seed: int, seconds: float, progress: Progress) -> Counts:
    return run_halls(_hall, "python -m tests.soak.simulation {seed}", seed, seconds, progress)


def _hall(seed: int, folder: Path) -> Ran:
    return simulated(seed, plan_of(seed), folder)


_AWAY_S = (0.3, 6.0)
_HERE_S = (1.0, 6.0)
LONGEST_S = 180.0
"""The longest time without an acknowledgement while the Wi-Fi keeps coming back."""
_LOOK_S = 1.0


class ComingAndGoing:
    """A fault generator that interrupts one Wi-Fi, and measures a terminal's longest wait."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self._world = world
        self._chance = chance
        self._since_s: dict[str, float] = {}
        self._received: dict[str, int] = {}
        self.dealt = {"away": 0, "broken": 0, "power cuts": 0}
        self.waited_s = 0.0

    async def deal(self) -> None:
        await asyncio.gather(self._come_and_go(), self._watch(), self._cut_power())

    async def _come_and_go(self) -> None:
        world, chance = self._world, self._chance
        names = [terminal.name for terminal in world.terminals]
        while True:
            await asyncio.sleep(chance.uniform(*_HERE_S))
            away = {"station"} if chance.random() < 0.6 else set(chance.sample(names, 1 + len(names) // 2))
            world.network.parted |= away
            self.dealt["away"] += 1
            await asyncio.sleep(chance.uniform(*_AWAY_S))
            if chance.random() < 0.3:
                self._break_connections()
            world.network.parted -= away

    def _break_connections(self) -> None:
        """Break connections, as if the access point had forgotten them or given out new addresses."""
        self.dealt["broken"] += 1
        self._world.station.reset_connections(self._chance.uniform(0.1, 1.0))

    async def _cut_power(self) -> None:
        """Switch a terminal, and now and then the station, off and on."""
        world, chance = self._world, self._chance
        while True:
            await asyncio.sleep(chance.expovariate(1 / world.plan.fault_every_s))
            self.dealt["power cuts"] += 1
            if chance.random() < 0.1:
                world.station.power_fails()
                world.look()
                await asyncio.sleep(chance.uniform(0.5, 3.0))
                world.station.start()
            else:
                await self._switch_off(chance.choice(world.terminals))

    async def _switch_off(self, terminal: VirtualTerminal) -> None:
        terminal.power_fails()
        self._world.network.unpowered.add(terminal.name)
        await asyncio.sleep(self._chance.uniform(0.5, 3.0))
        self._world.network.unpowered.discard(terminal.name)
        terminal.start()

    async def _watch(self) -> None:
        """Record a terminal whose data doesn't get through although the Wi-Fi keeps coming back."""
        while True:
            await asyncio.sleep(_LOOK_S)
            now_s = self._world.loop.time()
            for terminal in self._world.terminals:
                is_ahead = terminal.received > self._received.get(terminal.name, 0)
                if is_ahead or terminal.received >= len(terminal.said):
                    self._since_s[terminal.name] = now_s
                self._received[terminal.name] = terminal.received
                waited_s = now_s - self._since_s.setdefault(terminal.name, now_s)
                self.waited_s = max(self.waited_s, waited_s)
                if waited_s > LONGEST_S:
                    self._world.problems.append(
                        f"{terminal.name}: nothing was received for {waited_s:.0f} s"
                        f" while the Wi-Fi came back every few seconds"
                    )
                    self._since_s[terminal.name] = now_s


HOUR = Plan(terminals=8, cables=0, seconds=3600.0, each_s=1.0, fault_every_s=20.0)


def run_wifi(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls that last an hour of their own time."""
    return run_halls(hour, "tests.soak.part_halls.hour({seed}, FOLDER)", seed, seconds, progress)


def hour(seed: int, folder: Path, plan: Plan = HOUR) -> Ran:
    return simulated(seed, plan, folder, dealer=ComingAndGoing)


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


def two_stations(seed: int, plan: Plan, directory: Path) -> Ran:
    errors: list[str] = []
    with structlog_quiet(errors), on_pairs(seed):
        both = TwoStations(seed, plan, directory)
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


def run_pair(seed: int, seconds: float, progress: Progress) -> Counts:
    return run_halls(mistake, "tests.soak.part_halls.mistake({seed}, FOLDER)", seed, seconds, progress)


def mistake(seed: int, folder: Path) -> Ran:
    return two_stations(seed, MISTAKE, folder)
