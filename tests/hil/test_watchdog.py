"""A loop that hangs is ended and started again, by a supervisor that speaks sd_notify and keeps to our unit.

systemd itself needs a machine of its own; what it would do is read from the unit file.
"""

import configparser
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from base.errors import Unavailable
from core.game.orders import AssignTable, Order
from core.terms import TableNo
from demo.processes import free_port, poll_until_timeout
from kiosk.rehearsal.seen import Seen, Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from sync.protocol.entry import ClockReading, Epoch, StreamId, content_bytes, orders_of
from sync.protocol.journal import Journal, OtherBoard
from sync.tls.certificates import fingerprint_of_pem
from tests.kiosk.rig.stand_ins import seat_order
from tests.rigs.ends import hashes_of

pytestmark = pytest.mark.hil
UNIT = Path(__file__).parents[2] / "image/terminal/root/usr/lib/systemd/system/saloon-terminal.service"
BACK_WITHIN_S = 3.0
USUAL_START_S = 0.4
START_S = 30.0
STUCK = (
    # The signal's handler runs in the thread that owns the screen, and there it stays; all others go on.
    "import signal, sys, time; signal.signal(signal.SIGUSR1, lambda *_: time.sleep(3600)); "
    "from kiosk.cli.main import main; main(sys.argv[1:])"
)


def of_unit(name: str) -> str:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    unit.read(UNIT, encoding="utf-8")
    return unit["Service"][name]


def seconds(span: str) -> float:
    return float(span.removesuffix("ms")) / 1000 if span.endswith("ms") else float(span)


class System:
    """Starts one terminal and watches it, as systemd would with our unit."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.data = folder / "data"
        self.log = folder / "log"
        self.starts = 0
        self._watchdog_s = seconds(of_unit("WatchdogSec"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._heard_at = 0.0
        self.start()

    def start(self) -> None:
        self.starts += 1
        own = {
            "NOTIFY_SOCKET": str(self._socket.getsockname()),
            "WATCHDOG_USEC": str(round(self._watchdog_s * 1_000_000)),
            "MALLOC_ARENA_MAX": "1",
        }
        command = (sys.executable, "-c", STUCK, "--data", str(self.data), "--virtual", str(self.port))
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stderr=log, env={**os.environ, **own})
        began = time.monotonic()
        self._wait_for("READY=1", START_S)
        self.start_took_s = time.monotonic() - began

    def watch_until_back(self) -> float:
        """Wait until it says nothing any more, end it, start it: seconds that all of it took."""
        began = time.monotonic()
        while self._wait_for("WATCHDOG=1", self._watchdog_s - (time.monotonic() - self._heard_at)):
            pass
        self.process.send_signal(getattr(signal, of_unit("WatchdogSignal")))
        try:
            self.process.wait(seconds(of_unit("TimeoutAbortSec")))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        time.sleep(seconds(of_unit("RestartSec")))
        self.start()
        return time.monotonic() - began

    def end(self) -> None:
        """Tell it to end, as a shutdown does."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(seconds(of_unit("TimeoutStopSec"))) == 0

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._socket.close()

    def see(self) -> Seen:
        for _ in poll_until_timeout(START_S, 0.02):
            try:
                return TerminalClient(f"http://127.0.0.1:{self.port}").see()
            except Unavailable:
                continue
        raise AssertionError

    def touch(self, target: str) -> None:
        assert TerminalClient(f"http://127.0.0.1:{self.port}").touch(Touch(target, 0.0))

    def _wait_for(self, word: str, patience_s: float) -> bool:
        end = time.monotonic() + patience_s
        while (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                said = self._socket.recv(1024).decode().splitlines()
            except TimeoutError:
                return False
            self._heard_at = time.monotonic()
            if word in said:
                return True
        return False


def seat_a_game(data: Path) -> None:
    name = fingerprint_of_pem((data / "certificate.pem").read_text(encoding="ascii"), "test")
    places = data / "journal.db", StreamId(f"table/{name}"), orders_of(name)
    try:
        board = Journal(*places, "nobody's").__enter__().facts.board
    except OtherBoard as other:
        board = other.board
    orders: tuple[Order, ...] = (AssignTable(TableNo(3), ""), seat_order())
    raws = tuple(
        content_bytes(ClockReading(1, 2, 3, trusted=False), msgspec.msgpack.encode(order)) for order in orders
    )
    with Journal(*places, board) as journal:
        journal.keep_orders(Epoch("0123456789abcdef"), 1, raws, hashes_of(*raws))


@pytest.fixture
def system(tmp_path: Path) -> Iterator[System]:
    made = System(tmp_path)
    yield made
    made.close()


@pytest.fixture
def in_a_game(system: System) -> System:
    system.end()
    seat_a_game(system.data)
    system.start()
    for seat in (1, 2):
        system.touch(f"seat-{seat}-check-in")
    return system


def stop_whole(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGSTOP)


def stop_the_loop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGUSR1)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("hang", [stop_the_loop, stop_whole])
def test_a_hung_loop_is_started_again_and_shows_the_same_screen_within_three_seconds(
    in_a_game: System, hang: Callable[[subprocess.Popen[bytes]], None]
) -> None:
    before = in_a_game.see()
    assert before.scene == "seating"
    hang(in_a_game.process)
    took = in_a_game.watch_until_back()
    assert in_a_game.see() == before
    # How long a start takes is the machine's affair, and the bench's.
    assert took - in_a_game.start_took_s + USUAL_START_S < BACK_WITHIN_S
    if hang is stop_the_loop:
        assert "Fatal Python error: Aborted" in in_a_game.log.read_text(encoding="utf-8")


def test_a_terminal_that_is_left_alone_is_never_started_again(system: System) -> None:
    patience = seconds(of_unit("WatchdogSec"))
    end = time.monotonic() + 1.3 * patience
    while time.monotonic() < end:
        assert system._wait_for("WATCHDOG=1", patience)
    assert system.starts == 1


@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGTSTP])
def test_a_line_that_hangs_up_ends_no_game(system: System, sent: signal.Signals) -> None:
    system.process.send_signal(sent)
    assert system._wait_for("WATCHDOG=1", seconds(of_unit("WatchdogSec")))
    assert system.process.poll() is None
