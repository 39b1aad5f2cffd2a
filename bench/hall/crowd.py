"""Many terminals in one process, without screens and disks: TLS sessions that load a station.

``python -m bench.hall.crowd PLAN.json`` carries out a plan and prints the result as one line of JSON. It runs
in a separate process, so that the station has a processor of its own.
"""

import asyncio
import functools
import gc
import itertools
import secrets
import ssl
import sys
import time
from collections import deque
from pathlib import Path
from typing import assert_never

import msgspec

from base.errors import Unavailable
from bench.figure import percentile
from bench.hall.played_games import played_log, seated
from core.game.state.game import SeatedPlayer
from core.terms import GameId, PlayerId, TableNo
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Epoch,
    Head,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
    orders_of,
)
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from sync.tls.trust import Connection, TlsStream, terminal_context

_NAME = b"bench-r1-t1-a1"
_CLOCK = ClockReading(1, 123_456, 1_700_000_000_000, trusted=True)


@functools.cache
def _steps(players: int) -> tuple[bytes, ...]:
    return tuple(msgspec.msgpack.encode(step) for step in played_log(1, players)[:-1])


RAWS = tuple(content_bytes(_CLOCK, step) for step in _steps(7))
"""The entries of a game of seven as a terminal writes them, except a judge's confirmation."""
_READ = 65_536
_LOOK_S = 2.0
_TICK_S = 0.002
_AT_ONCE = 64
"""The most simultaneous handshakes, unless a plan connects all terminals at once."""


class Member(msgspec.Struct, frozen=True):
    """One terminal of the crowd: its name and the files of its key and certificate."""

    terminal: TerminalId
    key: str
    certificate: str


class Seats(msgspec.Struct, frozen=True):
    """A published table that a terminal plays: its game, and its players' ids and names."""

    game: str
    table: int
    players: tuple[tuple[str, str], ...]

    def raws(self) -> tuple[bytes, ...]:
        """Return the game's entries as its terminal writes them."""
        players = [SeatedPlayer(PlayerId(player), name) for player, name in self.players]
        first = msgspec.msgpack.encode(seated(GameId(self.game), TableNo(self.table), players))
        former, own = (msgspec.msgpack.encode(name) for name in (_NAME.decode(), self.game))
        steps = (first, *(step.replace(former, own) for step in _steps(len(players))[1:]))
        return tuple(content_bytes(_CLOCK, step) for step in steps)


class Plan(msgspec.Struct, frozen=True):
    """The configuration of a crowd's run.

    outstanding: the most unacknowledged entries per terminal.
    per_s: total entries a second, or 0 to write as fast as they are acknowledged.
    backlog: entries saved by each terminal before it connects. None are written afterwards, and the run ends
        when
        all are received.
    at_once: all terminals connect at the same moment.
    seconds: measured time, after a second of warming up.
    burst: entries that a terminal writes at once.
    seats: table of each member, if games belong to a tournament.
    """

    host: str
    port: int
    station_certificate: str
    members: tuple[Member, ...]
    outstanding: int = 16
    per_s: float = 0.0
    backlog: int = 0
    at_once: bool = False
    seconds: float = 5.0
    burst: int = 1
    seats: tuple[Seats, ...] = ()


class CrowdResult(msgspec.Struct, frozen=True):
    """The result of a run. Times in milliseconds are from saved to received.

    received: when entries were acknowledged, for tables of a tournament, in monotonic seconds.
    begun_s: when the measured time began, by the same clock.
    """

    entries: int
    seconds: float
    p50_ms: float
    p99_ms: float
    received: tuple[tuple[int, float], ...] = ()
    begun_s: float = 0.0

    @property
    def rate(self) -> float:
        return self.entries / self.seconds


class _Outbox:
    """A journal in memory, with one game after another, so that the crowd needs no disk."""

    def __init__(self, stream: StreamId, seats: Seats | None) -> None:
        self._stream = stream
        self._raws = None if seats is None else seats.raws()
        self._game_of = stream[-5:].encode()
        self._epoch = Epoch(secrets.token_hex(8))
        self._hashes = [GENESIS]

    def add(self) -> None:
        self._hashes.append(chained_hash(self._hashes[-1], self._raw(len(self._hashes))))

    def head(self) -> Head:
        return Head(self._stream, self._epoch, len(self._hashes) - 1, self._hashes[-1])

    def hash_at(self, seq: int) -> bytes | None:
        return self._hashes[seq] if 0 <= seq < len(self._hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        return tuple(self._raw(n) for n in range(seq + 1, min(seq + count, len(self._hashes) - 1) + 1))

    def is_over(self) -> bool:
        """Return whether the game of a published table has no more entries."""
        return self._raws is not None and len(self._hashes) > len(self._raws)

    def _raw(self, seq: int) -> bytes:
        if self._raws is not None:
            return self._raws[seq - 1]
        game, step = divmod(seq - 1, len(RAWS))
        return RAWS[step].replace(_NAME, b"%s-%08d" % (self._game_of, game))


class _Terminal:
    def __init__(self, member: Member, plan: Plan, context: ssl.SSLContext, seats: Seats | None) -> None:
        self._member = member
        self._plan = plan
        self._context = context
        self._outbox = _Outbox(StreamId(f"table/{member.terminal}"), seats)
        self._table = 0 if seats is None else seats.table
        self.received: list[tuple[int, float]] = []
        self._held: Head | None = None
        self._begun: deque[float] = deque()
        self.acked = 0
        self.ways: list[float] = []
        self.is_greeted = asyncio.Event()
        self.is_done = asyncio.Event()
        for _ in range(plan.backlog):
            self._add()

    async def run(self) -> None:
        """Run the session until cancelled. Raises Unavailable if the station closes it."""
        plan = self._plan
        # Use a separate address, as each terminal in a hall has one.
        number = int(self._member.terminal[:4], 16)
        own = (f"127.1.{number >> 8}.{number & 0xFF}", 0)
        reader, writer = await asyncio.open_connection(plan.host, plan.port, local_addr=own)
        self._session = Session(self._outbox, orders_of(self._member.terminal), self._held, _now_ms())
        self._connection = Connection(TlsStream(self._context, is_station=False), self._session)
        self._writer = writer
        try:
            while True:
                self._push()
                data = b""
                try:
                    async with asyncio.timeout(_LOOK_S):
                        data = await reader.read(_READ)
                    if not data:
                        raise Unavailable("the station has closed")
                except TimeoutError:
                    pass
                for outcome in self._connection.from_wire(data, _now_ms()) if data else ():
                    self._act_on(outcome)
                self._connection.advance(_now_ms())
        finally:
            writer.close()

    def write(self, due: float) -> bool:
        """Write the entries that are due, unless too many are unacknowledged or the game is over."""
        if len(self._begun) >= self._plan.outstanding or self._outbox.is_over():
            return False
        for _ in range(self._plan.burst):
            if not self._outbox.is_over():
                self._add(due)
        self._session.on_append(_now_ms())
        self._push()
        return True

    def _add(self, due: float | None = None) -> None:
        self._outbox.add()
        self._begun.append(time.perf_counter() if due is None else due)

    def _push(self) -> None:
        out = self._connection.to_wire()
        if out:
            self._writer.write(out)

    def _act_on(self, outcome: Outcome) -> None:
        match outcome:
            case Acknowledged():
                self._received(outcome.seq)
            case StoreEntries():
                last = outcome.first + len(outcome.raws) - 1
                self._held = Head(outcome.stream, outcome.epoch, last, outcome.hashes[-1])
                self._session.on_stored(self._held, _now_ms())
            case PeerOwes():
                self.is_greeted.set()
                self._refill()
            case Forked() | OfUpdate():
                raise AssertionError(outcome)
            case _:
                assert_never(outcome)

    def _received(self, seq: int) -> None:
        now = time.perf_counter()
        for _ in range(seq - self.acked):
            self.ways.append((now - self._begun.popleft()) * 1000)
        self.acked = seq
        if self._table:
            self.received.append((self._table, now))
        if self._plan.backlog and seq >= self._plan.backlog:
            self.is_done.set()
        if self.is_greeted.is_set():
            self._refill()

    def _refill(self) -> None:
        if self._plan.per_s or self._plan.backlog:
            return
        missing = self._plan.outstanding - len(self._begun)
        for _ in range(missing):
            self._add()
        if missing > 0:
            self._session.on_append(_now_ms())


async def carried_out(plan: Plan) -> CrowdResult:
    """Carry out a plan and return its result."""
    terminals = [
        _Terminal(
            one, plan, terminal_context(plan.station_certificate, Path(one.key), Path(one.certificate)), seats
        )
        for one, seats in itertools.zip_longest(plan.members, plan.seats[: len(plan.members)])
    ]
    gc.collect()
    gc.freeze()
    begun = time.perf_counter()
    tasks = await _connected(terminals, plan)
    if plan.per_s:
        tasks.append(asyncio.create_task(_write_at_pace(terminals, plan.per_s, plan.burst)))
    try:
        if plan.backlog:
            await _all_of(tasks, [terminal.is_done for terminal in terminals])
            took = time.perf_counter() - begun
            return _took(terminals, plan.backlog * len(terminals), took, begun)
        await asyncio.sleep(1.0)
        for terminal in terminals:
            terminal.ways.clear()
            terminal.received.clear()
        before, begun = sum(terminal.acked for terminal in terminals), time.perf_counter()
        await asyncio.sleep(plan.seconds)
        took = time.perf_counter() - begun
        return _took(terminals, sum(terminal.acked for terminal in terminals) - before, took, begun)
    finally:
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


async def _connected(terminals: list[_Terminal], plan: Plan) -> list[asyncio.Task[None]]:
    tasks: list[asyncio.Task[None]] = []
    size = len(terminals) if plan.at_once else _AT_ONCE
    for first in range(0, len(terminals), size):
        some = terminals[first : first + size]
        tasks += [asyncio.create_task(terminal.run()) for terminal in some]
        if not plan.at_once:
            await _all_of(tasks, [terminal.is_greeted for terminal in some])
    return tasks


async def _all_of(tasks: list[asyncio.Task[None]], events: list[asyncio.Event]) -> None:
    """Wait for all events, or for the first task that fails."""
    waiting = asyncio.create_task(_each(events))
    await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        waiting.cancel()
        failed = next(task for task in tasks if task.done())
        failed.result()
    await waiting


async def _each(events: list[asyncio.Event]) -> None:
    for event in events:
        await event.wait()


async def _write_at_pace(terminals: list[_Terminal], per_s: float, burst: int) -> None:
    """Write entries at a constant rate, each dated when it was due, even if it is late."""
    begun, written = time.perf_counter(), 0
    turn = itertools.cycle(terminals)
    while True:
        while begun + written / per_s <= time.perf_counter():
            if not any(next(turn).write(begun + written / per_s) for _ in terminals):
                break
            written += burst
        await asyncio.sleep(_TICK_S)


def _took(terminals: list[_Terminal], entries: int, seconds: float, begun_s: float) -> CrowdResult:
    ways = [way for terminal in terminals for way in terminal.ways] or [0.0, 0.0]
    received = tuple(one for terminal in terminals for one in terminal.received)
    return CrowdResult(entries, seconds, percentile(ways, 50), percentile(ways, 99), received, begun_s)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


if __name__ == "__main__":
    with asyncio.Runner() as runner:
        took = runner.run(carried_out(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)))
    sys.stdout.buffer.write(msgspec.json.encode(took) + b"\n")
