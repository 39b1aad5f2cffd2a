"""The station of a simulated world: a real hub and group commit on simulated disk, network and power."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Mapping, Sequence

from base.errors import SaloonError, Unavailable
from sync.enrolment.agreement import AskJudge, CodeTried
from sync.enrolment.station_side import StrangerRefused
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.protocol.entry import (
    ClockReading,
    Entry,
    Epoch,
    Quarantined,
    StreamId,
    TerminalId,
    content_bytes,
    orders_of,
)
from sync.protocol.messages import CloseCause
from sync.station.bus import StationBus
from sync.station.hub import Hub
from sync.tls.certificates import fingerprint_of_pem
from tests.soak.oracle import Life, StationView
from tests.soak.virtual_disk import Faults, VirtualStore
from tests.soak.virtual_identities import Identity
from tests.soak.virtual_loop import Trace, VirtualLoop
from tests.soak.virtual_net import End, Network, VirtualTransport
from tests.soak.virtual_wires import Cable, RawEnd

PORT = 7373


class StationClock:
    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def monotonic_ms(self) -> int:
        return self._loop.now_ms()

    def wall_ms(self) -> int:
        return self._loop.now_ms()


class StationLife:
    """One life of the station's program, from its start to its end.

    It is the owner of its hub, and the machine that the hub's tasks belong to.
    """

    def __init__(self, station: "VirtualStation", store: VirtualStore) -> None:
        self._station = station
        self.store = store
        self.is_up = True
        clock = StationClock(station.loop)
        files = station.identity.key_file, station.identity.certificate_file
        self.hub = Hub(store, station, files, self, clock=clock)

    def work_s(self) -> float:
        return self._station.chance.uniform(0.0005, self._station.slowest_s)

    def power_fails(self) -> None:
        self._station.power_fails()

    def entries_stored(self, entries: Sequence[Entry]) -> None: ...

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        for one in quarantined:
            self._station.disagreed.add(TerminalId(one.entry.stream.partition("/")[2]))

    def link_changed(self, terminal: TerminalId, *, wire: str | None) -> None:
        if self.is_up:
            self._station.trace.note("station", f"{terminal[:6]} by {wire}")

    def on_message(self, terminal: TerminalId, *, owes: int) -> None: ...

    def bus_alarm(self, device: str, problem: str) -> None:
        self._station.bus_alarms.append(problem)
        self._station.trace.note("station", f"{device}: {problem}")

    def alarm(self, terminal: TerminalId, problem: str) -> None:
        self._station.disagreed.add(terminal)
        self._station.trace.note("station", f"alarm for {terminal[:6]}: {problem}")


class VirtualStation:
    """A simulated station.

    slowest_s: the longest duration of a commit.
    disagreed: terminals whose entries were not accepted.
    """

    def __init__(
        self,
        loop: VirtualLoop,
        network: Network,
        chance: random.Random,
        identity: Identity,
        trace: Trace,
    ) -> None:
        self.loop = loop
        self.chance = chance
        self.identity = identity
        self.trace = trace
        self.slowest_s = 0.004
        self.faults = Faults(random.Random(chance.random()))
        self.known: dict[TerminalId, str] = {}
        self.tokens: set[str] = set()
        self.used: set[tuple[str, TerminalId]] = set()
        self.disagreed: set[TerminalId] = set()
        self.cables: list[Cable] = []
        self.pairs: list[Callable[[], StationBus]] = []
        self.bus_alarms: list[str] = []
        self.on_end: list[Callable[[], None]] = []
        """The release of its pairs of wires when its program or its power is gone."""
        self.crashes = 0
        self.life: StationLife | None = None
        self._network = network
        self._transports: list[End] = []
        self._epoch = self._new_epoch()
        self._log: list[Entry | Quarantined] = []
        self._orders: dict[Life, tuple[bytes, ...]] = {}

    def certificates(self) -> Sequence[str]:
        return tuple(self.known.values())

    def addresses(self) -> tuple[str, ...]:
        return ()

    async def try_code(self, tried: CodeTried, place: str) -> bytes:
        del tried
        raise StrangerRefused(f"no code is shown to {place}", CloseCause.NO_CODE)

    async def ask_judge(self, question: AskJudge, place: str) -> None:
        del question
        raise StrangerRefused(f"nobody looks at {place}", CloseCause.REFUSED)

    def enrol(self, token: str, certificate: str) -> TerminalId | None:
        terminal = fingerprint_of_pem(certificate, "enrolment")
        if (token, terminal) in self.used:
            return terminal
        if token not in self.tokens:
            return None
        self.tokens.discard(token)
        self.used.add((token, terminal))
        self.known[terminal] = certificate
        return terminal

    def start(self) -> None:
        if self.life is not None:
            return
        self._network.unpowered.discard("station")
        if self.bus_alarms:
            # They are in its memory only.
            self.bus_alarms.append("")
        life = self.life = StationLife(self, VirtualStore(self._epoch, self.faults, self._log))
        serial = [(f"cable-{cable.number}", self._serial(cable)) for cable in self.cables]
        with self.loop.on(life):
            self.loop.create_task(self._begin(life, serial))
        self.trace.note("station", f"starts with {len(self._log)} in its log")

    async def _begin(self, life: StationLife, serial: Sequence[tuple[str, Callable[[], StreamPort]]]) -> None:
        await life.hub.start("station", PORT, serial, self.pairs)
        self._network.accept = lambda end: self._came(life, end)

    def _came(self, life: StationLife, end: End) -> None:
        self._transports = [one for one in self._transports if not one.is_over]
        self._transports.append(end)
        VirtualTransport(self.loop, life, end, self.loop.servers[PORT]())

    def _serial(self, cable: Cable) -> Callable[[], StreamPort]:
        def make() -> StreamPort:
            end = RawEnd(cable, 0, lambda: self._line_ready(1_000 + cable.number))
            draw = random.Random(self.chance.random())
            return LinkPort(
                end, self.loop.now_ms, baud=100_000_000, sessions=lambda: 1 + draw.randrange(0xFFFF)
            )

        return make

    def _line_ready(self, number: int) -> None:
        ready = self.loop.readers.get(number)
        if ready is not None:
            ready()

    def power_fails(self) -> None:
        """Cut the power. A commit in progress is stored or not."""
        life = self._ended()
        # Also those of a program that has ended before, whose last bytes its kernel was still sending.
        for end in self._transports:
            end.vanish()
        self._transports.clear()
        if life is None:
            return
        self._network.unpowered.add("station")
        if self.faults.lies and life.store.last_commit:
            del life.store.log[-life.store.last_commit :]
            life.store.read()
        self.faults.cut_in = None
        for work in self.loop.unfinished_work(life):
            if self.chance.random() < 0.5:
                with contextlib.suppress(SaloonError):
                    work()
        self._bury(life, "power fails")

    def kill(self) -> None:
        """Kill the program. Its kernel closes everything that was open."""
        life = self._ended()
        if life is None:
            return
        for end in self._transports:
            end.close()
        self._bury(life, "is killed")

    def _ended(self) -> StationLife | None:
        life, self.life = self.life, None
        if life is not None:
            self.crashes += 1
            life.is_up = False
            self._network.accept = None
            self.loop.servers.clear()
            self.loop.readers.clear()
            for let_go in self.on_end:
                let_go()
        return life

    def _bury(self, life: StationLife, how: str) -> None:
        # What tasks of the dead still write while they are cancelled goes nowhere.
        self._log = list(life.store.log)
        for cable in self.cables:
            cable.ends.pop(0, None)
        for task in self.loop.tasks_of(life):
            task.cancel()
        self.loop.forget(life)
        self.trace.note("station", f"{how}, {len(self._log)} in its log")

    async def stop(self) -> None:
        life = self.life
        if life is None:
            return
        self._network.accept = None
        with self.loop.on(life):
            await asyncio.ensure_future(life.hub.stop())
        if self.life is life:
            self.kill()

    def order(self, terminal: TerminalId, body: bytes) -> None:
        life = self.life
        if life is None:
            return
        raw = content_bytes(ClockReading(0, 0, 0, trusted=True), body)
        with self.loop.on(life):
            self.loop.create_task(self._ordered(life, terminal, raw))

    async def _ordered(self, life: StationLife, terminal: TerminalId, raw: bytes) -> None:
        with contextlib.suppress(Unavailable):
            await asyncio.to_thread(life.store.append_own, orders_of(terminal), [raw])
        # As the context does: also what was reported as failed may be there, and then it travels.
        await life.hub.orders_appended(terminal)

    def reset_connections(self, share: float) -> None:
        for end in [one for one in self._transports if not one.is_over]:
            if self.chance.random() < share:
                end.end("connection reset by peer")
                end.peer.end("connection reset by peer")

    def log(self) -> list[Entry | Quarantined]:
        return list(self.life.store.log if self.life is not None else self._log)

    def restore(self, backup: list[Entry | Quarantined]) -> None:
        """Replace the disk of the switched-off station by an older copy."""
        assert self.life is None
        for life, raws in _own_streams(self._log).items():
            self._orders[life] = max(self._orders.get(life, ()), raws, key=len)
        self._log = list(backup)
        self._epoch = self._new_epoch()
        self.trace.note("station", f"restored with {len(backup)} in its log")

    def view(self, acknowledged: Mapping[Life, int]) -> StationView:
        log = self.log()
        entries = tuple(item for item in log if isinstance(item, Entry))
        bad = tuple(item.entry for item in log if isinstance(item, Quarantined))
        return StationView(self._epoch, entries, bad, acknowledged, self._orders)

    def _new_epoch(self) -> Epoch:
        return Epoch(f"{self.chance.getrandbits(64):016x}")


def _own_streams(log: Sequence[Entry | Quarantined]) -> dict[Life, tuple[bytes, ...]]:
    streams: dict[tuple[StreamId, Epoch], list[bytes]] = {}
    for item in log:
        if isinstance(item, Entry) and item.stream.startswith("orders/"):
            streams.setdefault((item.stream, item.epoch), []).append(item.raw)
    return {life: tuple(raws) for life, raws in streams.items()}
