"""A terminal of a simulated world: real journal, uplink and agent on simulated card, clock and power."""

import contextlib
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import assert_never

import msgspec

from base.errors import SaloonError
from sync.ports.findings import Finding
from sync.protocol.entry import Epoch, StreamId
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import (
    AgentNews,
    CardIsForeign,
    EnrolmentChanged,
    JournalFailed,
    JournalsDisagree,
    LinkChanged,
    LinkPhase,
    LinkReported,
    OrderArrived,
    Packed,
    Received,
    Saved,
)
from sync.terminal.agent_steps import AgentSteps
from sync.terminal.routes import StationRoute
from sync.terminal.uplink import Credentials, Uplink
from sync.update.messages import UpdateNews
from tests.soak.oracle import JournalView
from tests.soak.virtual_disk import Card, Faults
from tests.soak.virtual_identities import Identity
from tests.soak.virtual_loop import PowerCut, Trace, VirtualLoop

_FILE = Path("/card/journal.db")
_SHORTEST_S = 0.001
_BOOT_S = 8.0


class TerminalClock:
    """A terminal's clocks: monotonic since its start, and a wall clock that may be wrong."""

    def __init__(self, loop: VirtualLoop, wall_ms: int) -> None:
        self._loop = loop
        self._started_ms = loop.now_ms()
        self.wall_offset_ms = wall_ms

    def monotonic_ms(self) -> int:
        return self._loop.now_ms() - self._started_ms

    def wall_ms(self) -> int:
        return self.wall_offset_ms + self._loop.now_ms()


class VirtualTerminal:
    """A simulated terminal. ``ways`` creates its routes at each start."""

    def __init__(
        self,
        name: str,
        loop: VirtualLoop,
        chance: random.Random,
        *,
        card: Card,
        identity: Identity,
        trace: Trace,
    ) -> None:
        self.name = name
        self.loop = loop
        self.chance = chance
        self.card = card
        self.identity = identity
        self.stream = StreamId(f"table/{identity.id}")
        self.orders_stream = StreamId(f"orders/{identity.id}")
        self.token = ""
        self.station_certificate = ""
        self.wall_ms = 1_793_214_000_000
        self.ways: Callable[[VirtualTerminal], Sequence[StationRoute]] = lambda _: ()
        self.ports: list[Callable[[], None]] = []
        """The functions that release the wires when the power goes."""
        self.said: list[bytes] = []
        self.saved = 0
        self.received = 0
        self.acknowledged = 0
        self._ignores_acks = False
        """The highest that was shown as received since the station was last restored."""
        self.crashes = 0
        self.forked = False
        self.board = f"board-{name}"
        self.swapped = False
        self.shows_early = False
        """A planted fault: it says ``saved`` before the commit."""
        self.revoked = False
        self.problems: list[str] = []
        self.findings: set[Finding | None] = set()
        """The texts it has shown about its connection."""
        self.clock = TerminalClock(loop, self.wall_ms)
        self._trace = trace
        self._steps: AgentSteps | None = None
        self._life = 0
        self._orders_told = 0
        self._wakes_at_s: float | None = None
        self._phase: LinkPhase | None = None

    @property
    def is_on(self) -> bool:
        return self._steps is not None

    def start(self) -> None:
        if self._steps is not None:
            return
        self._life += 1
        self._wakes_at_s = None
        self.clock = TerminalClock(self.loop, self.wall_ms)
        journal = self.journal()
        chance = random.Random(self.chance.random())
        files = self.identity.key_file, self.identity.certificate_file
        credentials = Credentials(self.station_certificate, *files, self.token)
        uplink = Uplink(
            journal, self.orders_stream, tuple(self.ways(self)), credentials, self._enrolled, chance=chance
        )
        steps = AgentSteps(
            journal, uplink, self.clock, trusted_clock=lambda: self.wall_ms > 0, on_news=lambda: None
        )
        self._steps = steps
        try:
            resumed = steps.begin()
        except PowerCut:
            self.power_fails()
            return
        except SaloonError as error:
            self._trace.note(self.name, f"does not start: {type(error).__name__}")
            self._steps = None
            self.loop.call_later(_BOOT_S, self.start)
            return
        self._resumed(journal, len(resumed.orders), resumed.received)
        self._wake_in(0.0)

    def journal(self) -> Journal:
        return Journal(
            _FILE,
            self.stream,
            self.orders_stream,
            self.board,
            file=self.card.file,
            new_epoch=lambda: f"{self.chance.getrandbits(64):016x}",
        )

    def _resumed(self, journal: Journal, orders: int, received: int) -> None:
        own = journal.own()
        if len(own) < self.saved:
            self.problems.append(f"{self.name}: {self.saved} shown as saved, {len(own)} after a cut")
        if list(own) != self.said[: len(own)]:
            self.problems.append(f"{self.name}: the journal is not what the app handed over")
        self._trace.note(self.name, f"starts with {len(own)} entries, {orders} orders, {received} received")
        self.said = list(own)
        # What was committed and not yet shown is shown by the start.
        self.saved = len(own)
        self._orders_told = orders

    def power_fails(self) -> None:
        if self._steps is None:
            return
        self._steps = None
        self.crashes += 1
        self.card.faults.cut_in = None
        for gone in self.ports:
            gone()
        self.ports.clear()
        self._trace.note(self.name, "power fails")

    def stop(self) -> None:
        steps = self._steps
        if steps is None:
            return
        try:
            steps.end()
        except PowerCut:
            self.power_fails()
            return
        self._note_news(steps.news())
        self._steps = None
        self.ports.clear()
        self._trace.note(self.name, "shuts down")

    def append(self, body: bytes) -> None:
        if self._steps is None:
            return
        self._steps.append(body)
        self.said.append(self._steps._waiting[-1])
        if self.shows_early:
            self.saved = len(self.said)
        self._wake_in(_SHORTEST_S)

    def wake(self) -> None:
        self._wake_in(0.0)

    def view(self) -> JournalView:
        """Return the view for the oracle, reading the card like anybody who finds it."""
        db = self.card.files[_FILE]
        ((epoch,),) = db.execute("SELECT value FROM facts WHERE name = 'epoch'")
        raws = tuple(raw for (raw,) in db.execute("SELECT raw FROM own ORDER BY seq"))
        orders = tuple(db.execute("SELECT epoch, seq, raw FROM orders ORDER BY rowid"))
        return JournalView(
            self.stream,
            Epoch(epoch),
            raws,
            self.orders_stream,
            orders,
            saved=self.saved,
            received=self.received,
            said=tuple(self.said),
            refused=self.forked,
        )

    def lost_card(self, copy: Card) -> JournalView:
        """Replace the card by an older copy, and return the content of the lost one."""
        lost = msgspec.structs.replace(self.view(), refused=True, said=None)
        self.card = copy
        self.swapped = True
        with contextlib.closing(self.journal()) as journal:
            journal.open()
            self.said = list(journal.own())
        self.saved = len(self.said)
        self.received = min(self.received, self.saved)
        return lost

    def become(self, other: "VirtualTerminal", faults: Faults) -> None:
        """Turn this terminal into a clone of another one, including its board."""
        self.card = other.card.copy(faults)
        self.identity, self.token, self.board = other.identity, other.token, other.board
        self.stream, self.orders_stream = other.stream, other.orders_stream
        view = self.view()
        self.said = list(view.raws)
        self.saved = len(view.raws)

    def has_journal(self) -> bool:
        db = self.card.files.get(_FILE)
        if db is None:
            return False
        return bool(db.execute("SELECT count(*) FROM facts WHERE name = 'epoch'").fetchone()[0])

    def forget_acks(self) -> None:
        """Count acks anew from the next connection on: a restored station owes nothing for earlier ones."""
        self.acknowledged = 0
        self._ignores_acks = True

    def _enrolled(self) -> None:
        self.token = ""
        self._trace.note(self.name, "is enrolled")

    def _wake_in(self, seconds: float) -> None:
        at_s = self.loop.time() + seconds
        if self._steps is None or (self._wakes_at_s is not None and self._wakes_at_s <= at_s):
            return
        self._wakes_at_s = at_s
        self.loop.call_at(at_s, self._turn, self._life, at_s)

    def _turn(self, life: int, at_s: float) -> None:
        steps = self._steps
        if steps is None or life != self._life or at_s != self._wakes_at_s:
            return
        self._wakes_at_s = None
        commits = self.card.faults.commits
        try:
            steps.step()
        except PowerCut:
            self.power_fails()
            return
        self._note_news(steps.news())
        worked_s = 0.004 * (self.card.faults.commits - commits)
        self._wake_in(max(_SHORTEST_S, worked_s, steps.sleep_s()))

    def _note_news(self, news: tuple[AgentNews, ...]) -> None:
        for item in news:
            match item:
                case Saved():
                    self.saved = max(self.saved, item.seq)
                case Received():
                    self.received = item.seq
                    if not self._ignores_acks:
                        self.acknowledged = max(self.acknowledged, item.seq)
                case OrderArrived():
                    if item.seq != self._orders_told + 1:
                        self.problems.append(f"{self.name}: order {item.seq} shown after {self._orders_told}")
                    self._orders_told = item.seq
                case LinkChanged():
                    self._phase = item.phase
                    self._ignores_acks &= item.phase is not LinkPhase.CONNECTED
                    self._trace.note(self.name, f"{item.phase.value}: {item.detail}")
                case JournalFailed():
                    self._trace.note(self.name, f"journal fails: {item.problem}")
                case LinkReported():
                    self.findings.add(item.report.finding)
                case Packed() | JournalsDisagree() | CardIsForeign() | EnrolmentChanged() | UpdateNews():
                    pass
                case _:
                    assert_never(item)
