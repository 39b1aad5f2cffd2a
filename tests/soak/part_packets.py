"""Sessions cut after every byte, peers that lie, bits that flip on disks."""

import asyncio
import itertools
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from base.errors import PeerFault
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    EnrolByToken,
    Enrolled,
    Entries,
    Farewell,
    Hello,
    message_bytes,
)
from sync.station.group_commit import CommitLane
from sync.tls.trust import TlsStream, terminal_context
from tests.soak.counts import Counts, Progress, in_two_processes
from tests.soak.cuts import quiet
from tests.soak.flipped import flips, make_journal, make_store, read_journal, read_store
from tests.soak.oracle import JournalView
from tests.soak.virtual_disk import Faults, chained
from tests.soak.virtual_identities import Identity, identity
from tests.soak.virtual_net import End, Weather
from tests.soak.world import Plan, World

_SMALL = Plan(terminals=2, cables=0, seconds=3.0)
_EPOCH = Epoch("f" * 16)
_PATIENCE_S = 25.0


def small_world(directory: Path, weather: Weather = Weather(delay_s=0.001, piece=0.0)) -> World:  # noqa: B008 (frozen)
    """Return two terminals, the second of which must enrol first, in a world without faults."""
    world = World(1, _SMALL, directory)
    world.network.weather = weather
    first, second = world.terminals
    for terminal in world.terminals:
        world.station.known.pop(terminal.identity.id, None)
        terminal.token = ""
    world.station.tokens = {"welcome"}
    world.station.known[first.identity.id] = first.identity.certificate
    second.token = "welcome"
    return world


def play(world: World, script: Callable[[World], Awaitable[None]]) -> str:
    """Run a script in a world until it has settled, and return the oracle's finding, if any."""

    async def story() -> None:
        world.station.start()
        await script(world)
        world.heal()
        await world.settle()
        world.look(settled=True)

    try:
        world.loop.run_until_complete(story())
    finally:
        world.close()
    return "; ".join(world.problems)


async def both_ways(world: World) -> None:
    """Send entries up and orders down, from the first handshake on."""
    for terminal in world.terminals:
        terminal.start()
        for number in range(3):
            terminal.append(msgspec.msgpack.encode((number, bytes(20))))
        world.station.order(terminal.identity.id, b"\x01")
    await asyncio.sleep(0.2)
    for terminal in world.terminals:
        terminal.append(msgspec.msgpack.encode("one more"))
        world.station.order(terminal.identity.id, b"\x02")
    await asyncio.sleep(0.3)


def whole_session(directory: Path) -> int:
    """Return the number of bytes on the network if nothing is cut."""
    world = small_world(directory)
    problem = play(world, both_ways)
    assert not problem, problem
    return world.network.octets


def cut_after(octets: int, directory: Path) -> str:
    """Cut the connection after this byte, and return the oracle's final finding."""
    world = small_world(directory)
    world.network.cut_after = octets
    return play(world, both_ways)


async def a_clone_goes_on(world: World) -> None:
    """Copy a card while its terminal plays, and let the original and the clone both play on, connected."""
    first, clone = world.terminals
    first.start()
    for number in range(5):
        first.append(msgspec.msgpack.encode(number))
    await asyncio.sleep(1.0)
    clone.become(first, Faults(random.Random(1)))
    clone.start()
    for number in range(3):
        first.append(msgspec.msgpack.encode(("original", number)))
        await asyncio.sleep(0.5)
        clone.append(msgspec.msgpack.encode(("clone", number)))
        await asyncio.sleep(0.5)
    first.swapped = clone.swapped = True


async def a_restored_station_is_refilled(world: World) -> None:
    """Replace the station by an old backup, twice, with orders written before and after it."""
    for terminal in world.terminals:
        terminal.start()
    for moment in range(4):
        for terminal in world.terminals:
            terminal.append(msgspec.msgpack.encode(moment))
            world.station.order(terminal.identity.id, b"\x01")
        await asyncio.sleep(1.0)
        if moment == 1:
            world.backup = world.station.log()
        if moment > 1:
            world.station.power_fails()
            await asyncio.sleep(1.0)
            world.station.restore(world.backup)
            for terminal in world.terminals:
                terminal.forget_acks()
            world.station.start()
            await asyncio.sleep(1.0)


async def the_same_batch_in_parallel(world: World) -> None:
    """Send the same entries on five connections at once. Each must learn that they are durable."""
    life = world.station.life
    assert life is not None
    terminal = world.terminals[0]
    terminal.start()
    await asyncio.sleep(1.0)
    stream = StreamId("table/elsewhere")
    raws = tuple(b"%d" % number for number in range(50))
    batch = tuple(chained(stream, _EPOCH, raws))
    world.lost.append(JournalView(stream, _EPOCH, raws, StreamId("orders/elsewhere")))
    commit = life.hub._commit
    with world.loop.on(life):
        done = await asyncio.gather(*(commit.durable(CommitLane(), batch) for _ in range(5)))
    if done != [True] * 5:
        world.problems.append(f"of five: {done}")


class Liar:
    """An attacker with a stolen key or none, who sends anything over valid TLS or without it."""

    def __init__(self, world: World, identity: Identity | None) -> None:
        files = (identity.key_file, identity.certificate_file) if identity is not None else (None, None)
        context = terminal_context(world.station.identity.certificate, *files)
        self._tls = TlsStream(context, is_station=False)
        self.received = b""
        self.is_over = False
        self._changed = asyncio.Event()
        self._end: End = world.network.connect("liar", self)

    def came(self, data: bytes) -> None:
        try:
            self.received += self._tls.from_wire(data)
        except PeerFault:
            self.is_over = True
        self._end.send(self._tls.to_wire())
        self._changed.set()

    def ended(self, error: str) -> None:
        del error
        self.is_over = True
        self._changed.set()

    def may_write(self) -> None:
        self._changed.set()

    async def begins(self) -> None:
        await self._until(lambda: self._end.is_up)
        self._tls.start()
        self._end.send(self._tls.to_wire())
        await self._until(lambda: self._tls.is_up or self.is_over)

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    async def says(self, plain: bytes) -> None:
        self._tls.send(plain)
        data = self._tls.to_wire()
        while data and not self.is_over:
            data = data[self._end.send(data) :]
            await asyncio.sleep(0.001)

    def says_plainly(self, data: bytes) -> None:
        self._end.send(data)

    async def is_sent_away(self) -> bool:
        for _ in range(int(_PATIENCE_S * 10)):
            if self.is_over:
                return True
            await asyncio.sleep(0.1)
        return False


def lies(stream: StreamId) -> dict[str, tuple[bytes, ...]]:
    """Return messages that an enrolled terminal must not send. After each, the station must close."""
    nothing = Head(stream, _EPOCH, 0, GENESIS)
    hello = message_bytes(Hello(1, nothing, None))
    one = message_bytes(Entries(_EPOCH, 1, (b"x",)))
    many = tuple(message_bytes(Entries(_EPOCH, 1 + 64 * i, (b"",) * 64)) for i in range(40))
    return {
        "a message too long": ((LONGEST + 1).to_bytes(4),),
        "half a message, and silence": (hello[: len(hello) // 2],),
        "no MessagePack": ((4).to_bytes(4) + b"\xc1\xc1\xc1\xc1",),
        "nested too deep": ((200_000).to_bytes(4) + b"\x91" * 200_000,),
        "a text that is none": (message_bytes(Farewell("over")).replace(b"over", b"\xff\xfe\xfd\xfc"),),
        "entries before the hello": (one,),
        "an ack before the hello": (message_bytes(Ack(_EPOCH, 1, GENESIS)),),
        "another version": (message_bytes(Hello(9, nothing, None)),),
        "another one's stream": (
            message_bytes(Hello(1, Head(StreamId("table/0"), _EPOCH, 0, GENESIS), None)),
        ),
        "the station's own stream": (
            message_bytes(Hello(1, Head(StreamId("orders/0"), _EPOCH, 0, GENESIS), None)),
        ),
        "hello twice": (hello, hello),
        "a gap": (hello, message_bytes(Entries(_EPOCH, 2, (b"x",)))),
        "no entries": (hello, message_bytes(Entries(_EPOCH, 1, ()))),
        "entries of another epoch": (hello, message_bytes(Entries(Epoch("0" * 16), 1, (b"x",)))),
        "an ack of what was never sent": (hello, message_bytes(Ack(_EPOCH, 99, GENESIS))),
        "enrolment in a session": (hello, message_bytes(EnrolByToken("welcome", "x"))),
        "enrolled in a session": (hello, message_bytes(Enrolled())),
        "more than the window": (hello, *many),
        "silence": (hello,),
        "a farewell": (hello, message_bytes(Farewell("bye"))),
    }


def strange_words() -> dict[str, tuple[bytes, ...]]:
    """Return messages that somebody without a key must not send."""
    return {
        "a beat": (message_bytes(Beat()),),
        "a hello": (message_bytes(Hello(1, Head(StreamId("table/0"), _EPOCH, 0, GENESIS), None)),),
        "a wrong token": (message_bytes(EnrolByToken("guessed", "none")),),
        "too much": (bytes(70_000),),
        "nothing": (),
    }


def plain_words() -> dict[str, bytes]:
    """Return bytes that are not even TLS."""
    chance = random.Random(7)
    return {
        "a web browser": b"GET / HTTP/1.1\r\nHost: station\r\n\r\n",
        "noise": chance.randbytes(3_000),
        "much noise": chance.randbytes(200_000),
        "half a TLS record": b"\x16\x03\x01\x02\x00\x01",
        "a TLS record too long": b"\x16\x03\x03\xff\xff" + bytes(70_000),
        "nothing": b"",
    }


def lied_to(directory: Path, pieces: Sequence[bytes], *, known: bool, plainly: bool = False) -> str:
    """Send these bytes to a station at work, and return what was wrong with its reaction, if anything."""
    problems: list[str] = []

    async def script(world: World) -> None:
        first, second = world.terminals
        first.start()
        liar = Liar(world, second.identity if known else None)
        if known:
            world.station.known[second.identity.id] = second.identity.certificate
            second.token = ""
        if plainly:
            await asyncio.sleep(0.1)
            liar.says_plainly(b"".join(pieces))
        else:
            await liar.begins()
            for piece in pieces:
                await liar.says(piece)
        first.append(b"\x07")
        await asyncio.sleep(0.5)
        if first.received != 1:
            problems.append("the others had to wait")
        if not await liar.is_sent_away():
            problems.append("the station did not close")
        if second.identity.id not in world.station.known and known:
            problems.append("the terminal was forgotten")
        # What was well said stands in its stream, as one journal that nobody will ask for again.
        del world.terminals[1]
        view = world.station.view({})
        raws = tuple(entry.raw for entry in view.entries if entry.stream == second.stream)
        world.lost.append(JournalView(second.stream, _EPOCH, raws, second.orders_stream, refused=True))

    problem = play(small_world(directory), script)
    return "; ".join(filter(None, [*problems, problem]))


_PIECE = 40
_STRIDE = 97
"""The distance of flips in one pass; the next pass begins a byte later."""
Work = Callable[[], Counts]


def run_packets(seed: int, seconds: float, progress: Progress) -> Counts:
    """Send all lies, and then cut and flip in turn until the time is over or everything was tried."""
    quiet()
    end = time.monotonic() + seconds
    done = Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-packets-") as name:
        keys = Path(name)
        whole = whole_session(keys)
        waiting = works(keys, whole)
        for counts in in_two_processes(waiting, end, quiet):
            done += counts
            progress(done)
    return done


def works(keys: Path, whole: int) -> Iterator[Work]:
    yield partial(all_lies, keys)
    cuts = (partial(cuts_from, keys, first) for first in range(1, whole, _PIECE))
    journal = (partial(flips_from, "journal", first) for first in range(_STRIDE))
    store = (partial(flips_from, "store", first) for first in range(_STRIDE))
    for one in itertools.chain.from_iterable(itertools.zip_longest(cuts, journal, store)):
        if one is not None:
            yield one


def cuts_from(keys: Path, first: int) -> Counts:
    done = Counts()
    for at in range(first, first + _PIECE):
        problem = cut_after(at, keys)
        said = f"cut after byte {at}: {problem}; again: cut_after({at}, …) of tests/soak/part_packets.py"
        done += Counts(events=8, cuts=1, octets=at, failures=(said,) if problem else ())
    return done


def flips_from(what: str, first: int) -> Counts:
    make, read = (make_journal, read_journal) if what == "journal" else (make_store, read_store)
    return sum(flips(make, read, begin=first, every=_STRIDE if what == "journal" else 8 * _STRIDE), Counts())


def all_lies(keys: Path) -> Counts:
    done = Counts()
    stream = StreamId(f"table/{identity(keys, 't1').id}")
    said = [(name, pieces, True, False) for name, pieces in lies(stream).items()]
    said += [(name, pieces, False, False) for name, pieces in strange_words().items()]
    said += [(name, (piece,), False, True) for name, piece in plain_words().items()]
    for name, pieces, known, plainly in said:
        problem = lied_to(keys, pieces, known=known, plainly=plainly)
        failures = (f"{name}: {problem}",) if problem else ()
        done += Counts(events=1, octets=sum(map(len, pieces)), failures=failures)
    return done
