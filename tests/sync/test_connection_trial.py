"""Faults of a cable, detected from real bytes on shaped lines."""

import contextlib
import os
import select
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial as pyserial

from base.clock import SystemClock
from demo.shaped_line import ShapedLine
from sync.connection_trial import TrialIdentity, damage, look_at_cable
from sync.link.counters import Tally, counters_from
from sync.ports.findings import Finding
from sync.ports.link_port import LinkPort
from sync.ports.port import StreamPort
from sync.ports.serial import SerialPort
from sync.tls.certificates import own_identity
from sync.tls.trust import terminal_context
from tests.rigs.ends import CleanUp, Station

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


@pytest.fixture
def ends(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "a", tmp_path / "b"


@pytest.fixture
def joined(ends: tuple[Path, Path]) -> Iterator[Callable[..., None]]:
    made: list[Wires] = []

    def join(*, echo: bool = False) -> None:
        made.append(Wires(*ends, echo=echo))
        made[-1].start()

    yield join
    for wires in made:
        wires.close()


def served(
    folder: Path, device: Path, baud: int, clean_up: CleanUp, *, known: bool = True
) -> tuple[Station, TrialIdentity]:
    station = Station(folder)
    key, certificate = own_identity(folder / "t", "terminal")
    if known:
        station.tokens.add("mine")
        station.enrol("mine", certificate.read_text())

    def make() -> StreamPort:
        return LinkPort(SerialPort(str(device), baud), SystemClock().monotonic_ms, baud=baud)

    station.start(0, [("cable", make)])
    clean_up(station.stop)
    return station, TrialIdentity(terminal_context(station.identity[1].read_text(), key, certificate))


def stranger(folder: Path) -> TrialIdentity:
    return TrialIdentity(terminal_context(own_identity(folder / "s", "station")[1].read_text(), None, None))


def test_a_good_cable_is_fine(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None], clean_up: CleanUp
) -> None:
    joined()
    _, visitor = served(tmp_path, ends[1], FAST, clean_up)
    looked = look_at_cable(str(ends[0]), visitor, baud=FAST)
    assert looked.trial.finding is Finding.FINE
    assert looked.damaged == 0


def test_a_station_that_does_not_know_the_terminal_says_so_by_cable(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None], clean_up: CleanUp
) -> None:
    joined()
    _, visitor = served(tmp_path, ends[1], FAST, clean_up, known=False)
    looked = look_at_cable(str(ends[0]), visitor, baud=FAST)
    assert looked.trial.finding is Finding.NOT_ENROLLED


@pytest.mark.slow
def test_a_cable_without_anybody_is_silent(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None]
) -> None:
    joined()
    looked = look_at_cable(str(ends[0]), stranger(tmp_path), patience_s=0.5)
    assert looked.trial.finding is Finding.CABLE_SILENT


@pytest.mark.slow
def test_another_speed_is_found_and_named(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None], clean_up: CleanUp
) -> None:
    joined()
    _, visitor = served(tmp_path, ends[1], 57_600, clean_up)
    looked = look_at_cable(str(ends[0]), visitor, speeds=(57_600,), patience_s=1)
    assert looked.trial.finding is Finding.OTHER_SPEED
    assert looked.trial.fields["baud"] == 57_600


@pytest.mark.slow
def test_wires_that_are_joined_are_an_echo(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None]
) -> None:
    joined(echo=True)
    looked = look_at_cable(str(ends[0]), stranger(tmp_path))
    assert looked.trial.finding is Finding.ECHO


@pytest.mark.faults
def test_a_noisy_cable_is_called_so_with_its_share(
    tmp_path: Path, ends: tuple[Path, Path], clean_up: CleanUp
) -> None:
    with ShapedLine(*ends, baud=FAST, flips=8e-4, seed=5):
        station, visitor = served(tmp_path, ends[1], FAST, clean_up)
        looked = look_at_cable(str(ends[0]), visitor, baud=FAST, patience_s=2)
        station.call(station.hub.stop())
    assert looked.trial.finding is Finding.NOISE
    assert looked.damaged >= 0.05
    # Estimated from the frames of two seconds: right by two orders of magnitude, not by chance.
    assert 8e-6 < looked.bit_errors < 8e-2


def test_a_device_that_is_not_there_or_in_other_hands(
    tmp_path: Path, ends: tuple[Path, Path], joined: Callable[..., None]
) -> None:
    assert look_at_cable(str(tmp_path / "none"), stranger(tmp_path)).trial.finding is Finding.NO_DEVICE
    joined()
    with pyserial.Serial(str(ends[0]), exclusive=True):
        looked = look_at_cable(str(ends[0]), stranger(tmp_path))
    assert looked.trial.finding is Finding.PORT_BUSY
    assert looked.trial.fields["device"] == str(ends[0])


def test_a_device_of_another_group_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> pyserial.Serial:
        raise pyserial.SerialException(13, "Permission denied")

    monkeypatch.setattr(pyserial, "Serial", forbidden)  # root may open what no group may
    looked = look_at_cable("/dev/ttyUSB0", stranger(tmp_path))
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
