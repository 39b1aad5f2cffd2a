"""A whole hall in one process, in its own time: terminals, wires, a station, and faults.

Everything but the world itself is real: session, TLS, link, uplink, agent, hub, group commit, journal. The
same seed and plan make the same world.
"""

import asyncio
import random
from pathlib import Path

import msgspec

from sync.ports.link_port import LinkPort
from sync.protocol.entry import StreamId
from sync.terminal.routes import RouteSource, StationRoute
from tests.soak.oracle import JournalView, Life, first_difference
from tests.soak.virtual_disk import Card, Faults
from tests.soak.virtual_identities import Identity, identity
from tests.soak.virtual_loop import Trace, VirtualLoop
from tests.soak.virtual_net import Network, VirtualPort, Weather
from tests.soak.virtual_station import VirtualStation
from tests.soak.virtual_terminal import VirtualTerminal
from tests.soak.virtual_wires import Cable, RawEnd

_FAST_BAUD = 100_000_000
"""The speed of a virtual cable according to the link, so high that nothing depends on TLS's random bytes."""
_SETTLE_S = 300


class Plan(msgspec.Struct, frozen=True):
    """The size of a world, with its duration and the interval of a terminal's entries in its own time."""

    terminals: int = 6
    cables: int = 2
    seconds: float = 120.0
    each_s: float = 8.0
    orders_s: float = 2.0
    fault_every_s: float = 0.6


class World:
    """A simulated hall.

    directory: for keys and certificates, which are the same in every world.
    loop: shared with another world, if any.
    name: the beginning of its machines' names.
    """

    def __init__(
        self, seed: int, plan: Plan, directory: Path, *, loop: VirtualLoop | None = None, name: str = ""
    ) -> None:
        self.seed = seed
        self.plan = plan
        self.loop = loop or VirtualLoop()
        self.trace = Trace(self.loop.now_ms)
        self.chance = random.Random(f"world {seed}")
        self.network = Network(self.loop, self._fork_of_chance(), self._weather())
        who = identity(directory, f"{name}station")
        self.station = VirtualStation(self.loop, self.network, self._fork_of_chance(), who, self.trace)
        self.cables = [
            Cable(self.loop, self._fork_of_chance(), i, self.chance.choice((0.0, 1e-5, 1e-4)))
            for i in range(plan.cables)
        ]
        self.station.cables = self.cables
        self.terminals = [
            self._terminal(i, identity(directory, f"{name}t{i}")) for i in range(plan.terminals)
        ]
        self.lost: list[JournalView] = []
        self.backup = self.station.log()
        self.said = 0
        self.problems: list[str] = []

    def _fork_of_chance(self) -> random.Random:
        return random.Random(self.chance.getrandbits(64))

    def _weather(self) -> Weather:
        chance = self.chance
        return Weather(
            chance.choice((0.0005, 0.005, 0.08)),
            chance.choice((0.0, 0.02, 0.2)),
            chance.choice((0.0, 0.2, 1.0)),
        )

    def _terminal(self, number: int, who: Identity) -> VirtualTerminal:
        chance = self._fork_of_chance()
        card = Card(Faults(random.Random(chance.getrandbits(64))))
        terminal = VirtualTerminal(f"t{number}", self.loop, chance, card=card, identity=who, trace=self.trace)
        terminal.station_certificate = self.station.identity.certificate
        if chance.random() < 0.5:
            self.station.known[who.id] = who.certificate
        else:
            terminal.token = f"token-{number}"
            self.station.tokens.add(terminal.token)
        cable = self.cables[number] if number < len(self.cables) else None
        terminal.ways = lambda of: tuple(self._ways(of, cable))
        return terminal

    def _ways(self, terminal: VirtualTerminal, cable: Cable | None) -> list[StationRoute]:
        port = VirtualPort(self.network, terminal.name, terminal.wake)
        terminal.ports.append(port.vanish)
        routes = [StationRoute("tcp", lambda: port)]
        if cable is not None:
            end = RawEnd(cable, 1, terminal.wake)
            terminal.ports.append(end.close)
            chance = random.Random(terminal.chance.random())
            link = LinkPort(
                end,
                terminal.clock.monotonic_ms,
                baud=_FAST_BAUD,
                sessions=lambda: 1 + chance.randrange(0xFFFF),
            )
            routes.insert(0, StationRoute("cable", lambda: link, source=RouteSource.CABLE))
        return routes

    def difference(self, *, settled: bool) -> str | None:
        """Return the oracle's current finding."""
        views = [terminal.view() for terminal in self.terminals if terminal.has_journal()]
        acknowledged: dict[Life, int] = {}
        for terminal in self.terminals:
            if terminal.has_journal():
                view = terminal.view()
                life = (view.stream, view.epoch)
                acknowledged[life] = max(terminal.acknowledged, acknowledged.get(life, 0))
        return first_difference([*views, *self.lost], self.station.view(acknowledged), settled=settled)

    def look(self, *, settled: bool = False) -> None:
        """Ask the oracle, whose finding is a problem of this world."""
        self._note_forks()
        said = self.difference(settled=settled)
        if said is not None:
            self.problems.append(said)
        for terminal in self.terminals:
            self.problems.extend(terminal.problems)
            terminal.problems.clear()
        self.problems.extend(self.loop.faults)
        self.loop.faults.clear()

    def _note_forks(self) -> None:
        for terminal in self.terminals:
            if terminal.identity.id in self.station.disagreed and not terminal.forked:
                terminal.forked = True
                if not terminal.swapped:
                    self.problems.append(f"{terminal.name}: a fork, although nobody has touched its card")

    async def play(self, terminal: VirtualTerminal) -> None:
        """Play at a table for ever."""
        chance = self._fork_of_chance()
        while True:
            await asyncio.sleep(chance.expovariate(self.plan.each_s / 3))
            count = chance.choice((1, 1, 1, 2, 3, 10))
            if chance.random() < 0.005:
                count = 200
            for _ in range(count):
                if terminal.is_on:
                    self.said += 1
                    size = chance.choice((3, 20, 60)) if chance.random() < 0.995 else 20_000
                    terminal.append(msgspec.msgpack.encode((self.said, bytes(size))))

    async def judge(self) -> None:
        """Send orders from the station for ever."""
        chance = self._fork_of_chance()
        while True:
            await asyncio.sleep(chance.expovariate(self.plan.orders_s))
            terminal = chance.choice(self.terminals)
            self.said += 1
            self.station.order(terminal.identity.id, msgspec.msgpack.encode(("order", self.said)))

    def heal(self) -> None:
        """Repair everything."""
        self.network.parted.clear()
        self.network.unpowered.discard("station")
        self.station.slowest_s = 0.004
        for faults in (self.station.faults, *(t.card.faults for t in self.terminals)):
            faults.full = faults.worn = False
            faults.cut_in = None
        for cable in self.cables:
            cable.is_plugged = True
        for terminal in self.terminals:
            if terminal.revoked:
                terminal.revoked = False
                self.station.known[terminal.identity.id] = terminal.identity.certificate
            self.network.unpowered.discard(terminal.name)
            terminal.start()
        self.station.start()

    async def settle(self) -> None:
        """Wait until no entries are missing, or until it is clear that this will not happen."""
        for _ in range(_SETTLE_S):
            await asyncio.sleep(1.0)
            self._note_forks()
            if self._owes_nothing():
                return

    def _owes_nothing(self) -> bool:
        life = self.station.life
        if life is None:
            return False
        for terminal in self.terminals:
            if terminal.forked or not terminal.has_journal():
                continue
            view = terminal.view()
            head = life.store.head(StreamId(view.stream))
            orders = life.store.head(view.orders_stream)
            last = view.orders[-1][1] if view.orders and view.orders[-1][0] == life.store.own_epoch() else 0
            if len(view.raws) != len(terminal.said) or (head.seq if head is not None else 0) != len(
                view.raws
            ):
                return False
            if last != (orders.seq if orders is not None else 0):
                return False
        return True

    def close(self) -> None:
        self.let_go()
        self.loop.close()

    def let_go(self) -> None:
        """Free the memory."""
        self.station.kill()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        # A task that is cancelled may need some turns to end.
        self.loop.run_until_complete(asyncio.sleep(1.0))
        for terminal in self.terminals:
            terminal.card.close()
