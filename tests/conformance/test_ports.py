"""One suite for every kind of wire of a terminal: bytes arrive unchanged, or the wire is reported as gone."""

import os
import random
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from base.clock import SystemClock
from base.errors import Unavailable
from demo.shaped_bus import ShapedBus
from demo.shaped_line import ShapedLine
from sync.bus.master import BusMaster
from sync.bus.members import Joined
from sync.bus.timing import BusTiming
from sync.ports.bus_port import BusPort, TurnThread
from sync.ports.link_port import LinkPort
from sync.ports.port import Port, StreamPort
from sync.ports.serial import SerialPort
from sync.ports.tcp import TcpPort
from tests.rigs.ends import BAUD
from tests.rigs.ends import serial as linked_serial

now_ms = SystemClock().monotonic_ms

pytestmark = pytest.mark.conformance
TIMING = BusTiming(baud=BAUD, hold_ms=2, reaction_ms=40)
PATIENCE_S = 10.0


class Other(Protocol):
    """The far end of a wire."""

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> int:
        """Write bytes and return how many were accepted."""


class Wire(NamedTuple):
    """A port under test, how to open its other end, and how to cut the wire."""

    port: Port
    other: Callable[[], Other]
    cut: Callable[[], None]
    absent: Port


class Accepted:
    """A TCP connection as seen by the far end."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setblocking(False)

    def read(self) -> bytes:
        try:
            return self._connection.recv(65_536)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        try:
            return self._connection.send(data)
        except BlockingIOError:
            return 0


def tcp(_path: Path, stack: ExitStack) -> Wire:
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    accepted: list[socket.socket] = []

    def other() -> Other:
        connection, _ = listener.accept()
        accepted.append(stack.enter_context(connection))
        return Accepted(connection)

    def cut() -> None:
        for connection in accepted:
            connection.close()

    with socket.create_server(("127.0.0.1", 0)) as gone:
        free = gone.getsockname()[1]
    port = listener.getsockname()[1]
    return Wire(TcpPort("127.0.0.1", port), other, cut, TcpPort("127.0.0.1", free))


def serial(path: Path, stack: ExitStack, *, by_threads: bool = False) -> Wire:
    line = stack.enter_context(ShapedLine(path / "a", path / "b", baud=BAUD))
    port, far, absent = (SerialPort(str(path / end), BAUD, by_threads=by_threads) for end in ("a", "b", "no"))
    far.open()
    stack.callback(far.close)
    return Wire(port, lambda: far, line.cut, absent)


def serial_by_threads(path: Path, stack: ExitStack) -> Wire:
    """Return a serial device as on Windows."""
    return serial(path, stack, by_threads=True)


def link(path: Path, stack: ExitStack) -> Wire:
    line = stack.enter_context(ShapedLine(path / "a", path / "b", baud=BAUD, flips=1e-5, quantum_s=0.016))
    port, far, absent = (linked_serial(path / end) for end in ("a", "b", "no"))
    far.open()
    stack.callback(far.close)
    return Wire(port, lambda: far, line.cut, absent)


class FarOnBus:
    """The station's end of a shared pair, as the stream of its only terminal."""

    def __init__(self, port: Port) -> None:
        self._master = BusMaster(7, TIMING, random.Random(1).randrange)
        self._lock = threading.Lock()
        self._thread = TurnThread(port, now_ms, self._step, lambda: None, name="far")
        self._thread.start()
        self._lease = 0

    def read(self) -> bytes:
        with self._lock:
            return self._master.take_received(self._lease)

    def write(self, data: bytes) -> int:
        with self._lock:
            taken = self._master.send(self._lease, data)
        self._thread.poke()
        return taken

    def close(self) -> None:
        self._thread.stop()

    def _step(self, data: bytes, at_ms: int) -> tuple[bytes, int | None]:
        with self._lock:
            self._master.receive(data, at_ms)
            said = self._master.to_line(at_ms)
            for event in self._master.events():
                if isinstance(event, Joined):
                    self._lease = event.lease
            return said, self._master.next_deadline_ms(at_ms)


def on_bus(path: Path) -> BusPort:
    return BusPort(SerialPort(str(path), BAUD, ahead=4_096), b"unit", now_ms, baud=BAUD)


def bus(path: Path, stack: ExitStack) -> Wire:
    pair = stack.enter_context(ShapedBus([path / "a", path / "b", path / "c"], baud=BAUD, flips=1e-5))
    far = FarOnBus(SerialPort(str(path / "b"), BAUD, ahead=4_096))
    stack.callback(far.close)
    return Wire(on_bus(path / "a"), lambda: far, lambda: pair.unplug(0), on_bus(path / "no"))


@pytest.fixture(params=[tcp, serial, serial_by_threads, link, bus], ids=lambda make: make.__name__)
def wire(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Wire]:
    with ExitStack() as stack:
        made: Wire = request.param(tmp_path, stack)
        stack.callback(made.port.close)
        yield made


def carried(source: Other | Port, target: Other | Port, data: bytes) -> bytes:
    """Return the bytes that arrive when these are sent, waiting a little longer for duplicates."""
    end = time.monotonic() + PATIENCE_S
    left, got = data, b""
    while len(got) < len(data) and time.monotonic() < end:
        left = left[source.write(left) :] if left else left
        for one in (source, target):
            if isinstance(one, LinkPort):
                one.advance(now_ms())
        got += target.read()
        time.sleep(0.001)
    return got + target.read()


@pytest.mark.slow
@pytest.mark.by_day(3)
def test_bytes_come_as_they_went_in_both_directions(wire: Wire) -> None:
    wire.port.open()
    other = wire.other()
    there, back = random.Random(1).randbytes(20_000), random.Random(2).randbytes(20_000)
    assert carried(wire.port, other, there) == there
    assert carried(other, wire.port, back) == back


def test_nothing_ever_blocks(wire: Wire) -> None:
    wire.port.open()
    wire.other()
    start = time.monotonic()
    assert wire.port.read() == b""
    taken = sum(wire.port.write(bytes(65_536)) for _ in range(400))
    assert taken < 400 * 65_536
    assert time.monotonic() - start < PATIENCE_S


def test_a_wire_that_is_cut_says_unavailable_and_can_be_closed_twice(wire: Wire) -> None:
    wire.port.open()
    other = wire.other()
    assert carried(wire.port, other, b"hello") == b"hello"
    wire.cut()
    with pytest.raises(Unavailable) as said:
        use_for_long(wire.port)
    assert str(said.value).startswith(("tcp 127.0.0.1:", "serial "))
    wire.port.close()
    wire.port.close()


def test_a_closed_wire_has_no_descriptor_and_an_open_one_has(wire: Wire) -> None:
    with pytest.raises(Unavailable):
        wire.port.fileno()
    wire.port.open()
    os.fstat(wire.port.fileno())
    wire.port.close()
    for use in (wire.port.fileno, wire.port.read):
        with pytest.raises(Unavailable):
            use()


def test_a_closed_wire_can_be_opened_again(wire: Wire) -> None:
    wire.port.open()
    wire.port.close()
    wire.port.open()
    other = wire.other()
    if isinstance(wire.port, TcpPort):
        # The first connection was let go of.
        other = wire.other()
    assert carried(wire.port, other, b"again") == b"again"


def test_a_wire_that_is_not_there_says_which(wire: Wire) -> None:
    with pytest.raises(Unavailable, match=r"tcp 127\.0\.0\.1:\d+|serial .*/no"):
        open_and_use(wire.absent)
    wire.absent.close()


def open_and_use(port: Port) -> None:
    port.open()
    use_for_long(port)


def use_for_long(port: Port) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        port.write(b"anybody?")
        port.read()
        time.sleep(0.001)


def test_an_unknown_host_is_unavailable_in_words() -> None:
    port = TcpPort("nowhere.invalid", 7373)
    with pytest.raises(Unavailable, match=r"tcp nowhere\.invalid:7373"):
        open_and_use(port)
    port.close()


def test_a_slow_name_server_makes_nobody_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = threading.Event()

    def slow(*_: object, flags: int = 0, **__: object) -> list[object]:
        if flags:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        answer.wait(PATIENCE_S)
        # The first address of the name is deaf: the second must be tried.
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", free)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", listener.getsockname()),
        ]

    with socket.create_server(("127.0.0.1", 0)) as gone:
        free = gone.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(socket, "getaddrinfo", slow)
        port = TcpPort("hall.local", 7373)
        port.open()
        assert port.read() == b""
        assert port.write(b"early") == 0
        assert not port.wants_write()
        waiting = port.fileno()
        answer.set()
        assert select.select([waiting], [], [], PATIENCE_S)[0]
        while not port.write(b"hello"):
            select.select([], [port.fileno()], [], PATIENCE_S)
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(10) == b"hello"
        port.close()


def test_a_lookup_that_nobody_waits_for_any_more_ends_in_silence() -> None:
    port = TcpPort("nowhere.invalid", 7373)
    port.open()
    port.close()
    with pytest.raises(Unavailable, match="not connected"):
        port.fileno()


def test_a_serial_device_is_taken_for_us_alone(tmp_path: Path) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b"):
        first, second = SerialPort(str(tmp_path / "a")), SerialPort(str(tmp_path / "a"))
        first.open()
        with pytest.raises(Unavailable, match="lock"):
            second.open()
        first.close()
        second.open()
        second.close()


def test_streams_without_timers_ask_for_no_time() -> None:
    stream: StreamPort = TcpPort("127.0.0.1", 1)
    stream.advance(0)
    assert stream.next_deadline_ms() is None
    assert not stream.was_reset()
    assert stream.counters() is None
