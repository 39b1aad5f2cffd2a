"""Faults of a cable, detected from real bytes on shaped lines."""

import contextlib
import os
import select
import termios
import threading
import tty
from pathlib import Path
from typing import Any

import pytest
import serial as pyserial

from base.clock import SystemClock
from demo.shaped_line import ShapedLine
from sync.connection_trial import CableCheck, TrialIdentity, damage, look_at_cable
from sync.link.counters import Tally, counters_from
from sync.ports.findings import Finding
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.ports.serial import SerialPort
from sync.tls.certificates import own_identity
from sync.tls.trust import terminal_context
from tests.rigs.ends import CleanUp, Running, Station

FAST = 921_600


class Wires(threading.Thread):
    """Two ptys joined by a thread. If ``echo``, the first one hears itself. Different speeds give noise."""

    def __init__(self, a: Path, b: Path, *, echo: bool = False) -> None:
        super().__init__(daemon=True)
        self._ends = [os.openpty() for _ in range(2)]
        for path, (_, slave) in zip((a, b), self._ends, strict=True):
            tty.setraw(slave)
            path.symlink_to(os.ttyname(slave))
        self._echo = echo
        self._ended = threading.Event()

    def run(self) -> None:
        masters = [master for master, _ in self._ends]
        while not self._ended.is_set():
            for ready in select.select(masters, [], [], 0.02)[0]:
                here = masters.index(ready)
                target = masters[here] if self._echo else masters[1 - here]
                with contextlib.suppress(OSError):
                    os.write(target, self._through_wires(os.read(ready, 256)))

    def close(self) -> None:
        self._ended.set()
        self.join()
        for end in self._ends:
            for descriptor in end:
                os.close(descriptor)

    def _through_wires(self, data: bytes) -> bytes:
        one, other = (termios.tcgetattr(slave)[5] for _, slave in self._ends)
        return data if self._echo or one == other else bytes(byte * 167 + 13 & 0xFF for byte in data[::2])


class Workbench:
    """The end of a cable that a terminal tries, and whatever is at the other end: nobody at first."""

    def __init__(self, folder: Path, running: Running, clean_up: CleanUp) -> None:
        self._folder = folder
        self._running = running
        self._clean_up = clean_up
        self.ends = folder / "a", folder / "b"
        anybody = own_identity(folder / "s", "station")[1].read_text()
        self._identity = TrialIdentity(terminal_context(anybody, None, None))

    def join(self, *, echo: bool = False) -> None:
        wires = Wires(*self.ends, echo=echo)
        wires.start()
        self._clean_up(wires.close)

    def serve(self, baud: int = FAST, *, known: bool = True) -> Station:
        station = Station(self._folder)
        key, certificate = own_identity(self._folder / "t", "terminal")
        if known:
            station.tokens.add("mine")
            station.enrol("mine", certificate.read_text())

        def make() -> StreamPort:
            return LinkPort(SerialPort(str(self.ends[1]), baud), SystemClock().monotonic_ms, baud=baud)

        context = terminal_context(station.identity[1].read_text(), key, certificate)
        self._identity = TrialIdentity(context)
        return self._running(station, serial=[("cable", make)])

    def look(self, **how: Any) -> CableCheck:
        return look_at_cable(str(self.ends[0]), self._identity, **how)


@pytest.fixture
def bench(tmp_path: Path, running: Running, clean_up: CleanUp) -> Workbench:
    return Workbench(tmp_path, running, clean_up)


@pytest.mark.parametrize(("known", "finding"), [(True, Finding.FINE), (False, Finding.NOT_ENROLLED)])
def test_by_a_good_cable_a_station_says_whether_it_knows_the_terminal(
    bench: Workbench, finding: Finding, *, known: bool
) -> None:
    bench.join()
    bench.serve(known=known)
    looked = bench.look(baud=FAST)
    assert looked.trial.finding is finding
    assert looked.damaged == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("echo", "patience_s", "finding"), [(False, 0.5, Finding.CABLE_SILENT), (True, 3.0, Finding.ECHO)]
)
def test_a_cable_without_anybody_is_silent_and_wires_that_are_joined_are_an_echo(
    bench: Workbench, patience_s: float, finding: Finding, *, echo: bool
) -> None:
    bench.join(echo=echo)
    assert bench.look(patience_s=patience_s).trial.finding is finding


@pytest.mark.slow
def test_another_speed_is_found_and_named(bench: Workbench) -> None:
    bench.join()
    bench.serve(57_600)
    looked = bench.look(speeds=(57_600,), patience_s=1)
    assert looked.trial.finding is Finding.OTHER_SPEED
    assert looked.trial.fields["baud"] == 57_600


@pytest.mark.faults
def test_a_noisy_cable_is_called_so_with_its_share(bench: Workbench) -> None:
    with ShapedLine(*bench.ends, baud=FAST, flips=8e-4, seed=5):
        station = bench.serve()
        looked = bench.look(baud=FAST, patience_s=2)
        station.call(station.hub.stop())
    assert looked.trial.finding is Finding.NOISE
    assert looked.damaged >= 0.05
    # Estimated from the frames of two seconds: right by two orders of magnitude, not by chance.
    assert 8e-6 < looked.bit_errors < 8e-2


def test_a_device_that_is_not_there_or_in_other_hands(bench: Workbench) -> None:
    assert bench.look().trial.finding is Finding.NO_DEVICE
    bench.join()
    with pyserial.Serial(str(bench.ends[0]), exclusive=True):
        looked = bench.look()
    assert looked.trial.finding is Finding.PORT_BUSY
    assert looked.trial.fields["device"] == str(bench.ends[0])


def test_a_device_of_another_group_names_the_group(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> pyserial.Serial:
        raise pyserial.SerialException(13, "Permission denied")

    monkeypatch.setattr(pyserial, "Serial", forbidden)  # root may open what no group may
    looked = bench.look()
    assert looked.trial.finding is Finding.NO_PERMISSION
    assert looked.trial.fields["group"] == "dialout"


def test_the_share_of_wrong_bits_follows_from_that_of_damaged_frames() -> None:
    def seen(good: int, bad: int) -> tuple[float, float]:
        tally = Tally(frames_received=good, frames_invalid=bad, line_bytes_received=(good + bad) * 100)
        return damage(counters_from(tally, is_up=True, payload=100, srtt_ms=1, rto_ms=1))

    assert seen(0, 0) == (0.0, 0.0)
    assert seen(100, 0) == (0.0, 0.0)
    share, bits = seen(90, 10)
    assert share == pytest.approx(0.1)
    assert bits == pytest.approx(1.3e-4, rel=0.05)
