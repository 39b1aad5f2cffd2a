"""a Wi-Fi that comes and goes every few seconds for an hour, in a simulated hall"""

import asyncio
import random
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.simulation import Ran, run_halls, simulated
from tests.soak.virtual_terminal import VirtualTerminal
from tests.soak.world import Plan, World

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


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls that last an hour of their own time."""
    return run_halls(hour, "tests.soak.part_wifi.hour({seed}, FOLDER)", seed, seconds, progress)


def hour(seed: int, folder: Path, plan: Plan = HOUR) -> Ran:
    return simulated(seed, plan, folder, dealer=ComingAndGoing)
