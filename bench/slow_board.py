"""A terminal on a board ten times as slow as this machine, with touches and clock outside of it.

The program runs on a processor emulated by QEMU, on which each instruction takes longer, as on a small board.
A cgroup with 1 ms of every 10 would be too favourable: the kernel enforces such a limit only every 4 ms, so
short work wouldn't be slowed down. If permitted, the board's core has priority over all other programs, so
that they slow down neither the board nor the touches. For a slow card, `strace` delays each flush by 20 ms.
"""

import contextlib
import os
import platform
import random
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Final, Self

import msgspec
import psutil

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement, Once, percentile
from bench.serial.cuts import QUANTUM_MS, events
from bench.serial.line import BYTES, link_share
from bench.serial.rig import BYTES_A_S, Rig, linked, now_ms
from bench.table.process_counters import cpu_s
from bench.table.seated import seat_players
from bench.table.touched_from_outside import BELL, FINGER, FLIPPED, SAVED, TOUCH
from demo.processes import program
from kiosk.ui.touch_recogniser import FRESH_MS

TAPS: Final = 140
STARTS: Final = 3
FLUSH_MS: Final = 20
_WARM: Final = 14
"""The number of touches that don't count, as the emulator first translates the code."""
_PAUSE_S: Final = (0.4, 0.6)
_UNTIL_TARGETS_LISTEN_S: Final = FRESH_MS / 1000 + 0.3
_DOWN_S: Final = 0.06
_MEMORY: Final = Path("/dev/shm")
_ANSWER_S: Final = 10.0
_PATIENCE_S: Final = 300.0
_EVENT: Final = bytes(24)
"""The size of the kernel's report of a touch."""
_QUIET: Final = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "MALLOC_ARENA_MAX": "1"}
_BARE: Final = """\
import pygame
pygame.display.init()
pygame.display.set_mode((800, 480)).fill((40, 30, 20))
pygame.display.flip()
"""
LOOP: Final = (
    "import timeit; print(min(timeit.repeat('for i in r: i * i % 7', 'r = range(10000)', number=10)) * 100)"
)
"""A loop that prints its milliseconds for 10,000 rounds, to compare boards."""
_FAST: Final = "the same on this machine's own processor"


class Answers(msgspec.Struct, frozen=True):
    """The times of touches in milliseconds: until the picture flips, and until all is saved."""

    flips: list[float]
    saves: list[float]


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of touches, saving, startup and the serial line, which take about five minutes."""
    slow, fast = Once(lambda: _answers(effort, slow=True)), Once(lambda: _answers(effort, slow=False))
    return (
        Measurement("speed of the slow board", lambda: [_speed()]),
        Measurement("slow board: touch to flip", lambda: [_touch(slow().flips, fast().flips)]),
        Measurement("slow board: saved", lambda: [_saved(slow().saves, fast().saves)]),
        Measurement("slow board, slow card: saved", lambda: _saved_on_slow_card(effort, slow)),
        Measurement("slow board: first frame", lambda: [_start(effort)]),
        Measurement("slow board: serial line", lambda: [_line(effort)]),
    )


def _speed() -> Figure:
    return Figure(
        "10,000 rounds of a loop of Python on the slow board",
        "ms",
        _loop_ms(slow=True),
        _FAST,
        _loop_ms(slow=False),
    )


def _loop_ms(*, slow: bool) -> float:
    command = [*board(slow=slow), sys.executable, "-c", LOOP]
    return float(
        subprocess.run(command, capture_output=True, check=True, text=True, timeout=_PATIENCE_S).stdout
    )


def _touch(slow: list[float], fast: list[float]) -> Figure:
    more = f"median {percentile(slow, 50):.1f} ms; {len(slow)} touches"
    what = "slow board: touch to flip, p99"
    return Figure(what, "ms", percentile(slow, 99), _FAST, percentile(fast, 99), aim="30", more=more)


def _saved(slow: list[float], fast: list[float]) -> Figure:
    what, more = "slow board: touch to saved, p99", f"median {percentile(slow, 50):.1f} ms"
    return Figure(what, "ms", percentile(slow, 99), _FAST, percentile(fast, 99), more=more)


def _saved_on_slow_card(effort: Effort, slow: Once[Answers]) -> Sequence[Figure]:
    """Return times of flip and saving on a card whose flushes take 20 ms more, beside one without flushes."""
    answers, usual = _answers(effort, slow=True, flush_ms=FLUSH_MS), "the same without flushes"
    card = f"slow board and a flush of {FLUSH_MS} ms"
    return (
        Figure(
            f"{card}: touch to flip, p99", "ms", percentile(answers.flips, 99), usual,
            percentile(slow().flips, 99), aim="30", more=f"median {percentile(answers.flips, 50):.1f} ms",
        ),
        Figure(
            f"{card}: touch to saved, p99", "ms", percentile(answers.saves, 99), "one such flush",
            FLUSH_MS, more=f"median {percentile(answers.saves, 50):.1f} ms",
        ),
    )  # fmt: skip


def _start(effort: Effort) -> Figure:
    starts = effort.count(STARTS)
    ours, bare = (statistics.median(once() for _ in range(starts)) for once in (_started_s, _bare_s))
    what = "slow board: start to first frame"
    return Figure(what, "s", ours, "pygame alone, an empty picture", bare)


def _line(effort: Effort) -> Figure:
    share, percent = _slow_share(effort)
    fast = link_share(0.0, QUANTUM_MS, effort)
    return Figure(
        "slow board: serial payload share of the line", "%", share, "both ends on this processor",
        fast, "more", ">= 90 %", f"{percent:.0f} % of the slow core",
    )  # fmt: skip


def board(*, slow: bool, flush_ms: int = 0, is_first: bool = True) -> list[str]:
    """Return the prefix of a command to run a program on a board. Raises Unavailable.

    flush_ms: added to each flush of a file.
    is_first: run before all other programs, but not with a serial line, whose bytes the kernel moves at
        normal
        priority.
    """
    # The first name is that of Debian up to trixie, the second of forky.
    names = f"qemu-{platform.machine()}-static", f"qemu-{platform.machine()}"
    emulator = next(filter(shutil.which, names), "")
    if slow and not emulator:
        raise Unavailable(f"{names[0]} is not installed: apt install qemu-user-static, or qemu-user")
    if flush_ms and shutil.which("strace") is None:
        raise Unavailable("strace is not installed: apt install strace")
    delay = f"inject=fsync,fdatasync:delay_exit={flush_ms * 1000}"
    trace = [
        "strace",
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=fsync,fdatasync",
        "-e",
        delay,
    ]
    return [*(_core() if is_first else []), *(trace if flush_ms else []), *([emulator] if slow else [])]


def _core() -> list[str]:
    """Return a command prefix that reserves a core, or nothing if that isn't permitted."""
    core = ["chrt", "-f", "1", "taskset", "-c", str(max(os.sched_getaffinity(0)))]
    try:
        subprocess.run([*core, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return core


@contextlib.contextmanager
def _punctual() -> Iterator[None]:
    """Give this thread, which touches and measures, priority over all others, if permitted."""
    before = os.sched_getaffinity(0)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {min(before)})
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(2))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            os.sched_setaffinity(0, before)


def _answers(effort: Effort, *, slow: bool, flush_ms: int = 0) -> Answers:
    """Touch a terminal with its data in memory, so that flushes take exactly the given time."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        folder = Path(name)
        os.mkfifo(folder / FINGER)
        ours = [sys.executable, "-m", "bench.table.touched_from_outside", name]
        with _running([*board(slow=slow, flush_ms=flush_ms), *ours]) as process:
            assert process.stdout is not None
            places = msgspec.json.decode(process.stdout.readline(), type=list[tuple[float, float]])
            with Finger(folder, process.stdout) as finger, _punctual():
                return finger.touches(places, effort.count(_WARM, 2), effort.count(TAPS, _WARM))


@contextlib.contextmanager
def _running(command: list[str], **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program; afterwards, end it and any program that strace started for it."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **_QUIET, **environment},
        bufsize=0,
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()


class Finger:
    """A simulated finger that touches a terminal through pipes and measures the response."""

    def __init__(self, folder: Path, events: IO[bytes]) -> None:
        self._glass = os.open(folder / FINGER, os.O_WRONLY)
        self._bell = os.open(folder / BELL, os.O_RDWR)
        self._events = events.fileno()
        self._selector = selectors.DefaultSelector()
        self._selector.register(events, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        os.close(self._glass)
        os.close(self._bell)

    def touches(self, places: Sequence[tuple[float, float]], warm: int, taps: int) -> Answers:
        """Touch the places in turn, and time each touch after the first ``warm`` ones."""
        chance, found = random.Random(7), Answers([], [])
        self._pause(_UNTIL_TARGETS_LISTEN_S)
        for tap in range(warm + taps):
            self._pause(chance.uniform(*_PAUSE_S))
            flipped_ms, saved_ms = self._tap(places[tap % len(places)])
            if tap >= warm:
                found.flips.append(flipped_ms)
                found.saves.append(saved_ms)
        return found

    def _tap(self, place: tuple[float, float]) -> tuple[float, float]:
        """Touch a place, and return the milliseconds until the first flip, and until all is saved."""
        down, times = self._touch(place, is_down=True), dict[bytes, float]()
        lift, end, is_down = down + _DOWN_S, down + _ANSWER_S, True
        while is_down or len(times) < len((FLIPPED, SAVED)):
            now = time.perf_counter()
            if is_down and now >= lift:
                self._touch(place, is_down=False)
                is_down = False
            if now > end:
                raise TimeoutError(f"only {list(times)} within {_ANSWER_S} s")
            for event in self._heard((lift if is_down else end) - now):
                times.setdefault(event, (time.perf_counter() - down) * 1000)
        return times[FLIPPED], times[SAVED]

    def _touch(self, place: tuple[float, float], *, is_down: bool) -> float:
        """Put the finger down or lift it, wake the terminal as the kernel does, and return the time."""
        at = time.perf_counter()
        os.write(self._glass, TOUCH.pack(is_down, *place))
        os.write(self._bell, _EVENT)
        return at

    def _pause(self, seconds: float) -> None:
        """Wait for a time in which reports belong to the previous touch."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._heard(left)

    def _heard(self, limit_s: float) -> tuple[bytes, ...]:
        """Return the terminal's next reports, waiting at most this long."""
        if not self._selector.select(max(0.0, limit_s)):
            return ()
        said = os.read(self._events, 64)
        if not said:
            raise RuntimeError("the terminal has ended")
        return tuple(event for event in (FLIPPED, SAVED) if event in said)


def _started_s() -> float:
    """Return the seconds from the program's start to the first frame of a saved game, on the slow board."""
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        folder = Path(name)
        seat_players(folder / "data")
        told.bind(str(folder / "notify"))
        told.settimeout(_PATIENCE_S)
        terminal = (program("saloon-terminal"), "--data", str(folder / "data"), "--virtual", "0")
        command = [*board(slow=True), sys.executable, *terminal]
        began = time.monotonic()
        with _running(command, NOTIFY_SOCKET=str(folder / "notify")):
            told.recv(1024)
            return time.monotonic() - began


def _bare_s() -> float:
    began = time.monotonic()
    command = [*board(slow=True), sys.executable, "-c", _BARE]
    subprocess.run(command, check=True, timeout=_PATIENCE_S, env={**os.environ, **_QUIET})
    return time.monotonic() - began


def _slow_share(effort: Effort) -> tuple[float, float]:
    """Return the payload as a percentage of the line's capacity, and the sender's use of its core."""
    size = effort.count(BYTES // 61, 40) * 61
    sent = events(size // 61)
    with tempfile.TemporaryDirectory() as name, Rig(Path(name), quantum_ms=QUANTUM_MS) as rig:
        command = [
            *board(slow=True, is_first=False),
            sys.executable,
            "-m",
            "bench.table.slow_line",
            str(rig.b),
            str(size),
        ]
        with closing(linked(rig.a)) as here, _running(command) as process:
            here.open()
            arrived, began_s, ran_s, first = bytearray(), 0.0, 0.0, 0
            end = time.monotonic() + _PATIENCE_S
            while len(arrived) < len(sent) and time.monotonic() < end:
                here.advance(now_ms())
                arrived += here.read()
                if arrived and not began_s:
                    began_s, ran_s, first = time.monotonic(), cpu_s(process.pid), len(arrived)
                time.sleep(0.001)
            took_s = time.monotonic() - began_s
            percent = 100 * (cpu_s(process.pid) - ran_s) / took_s
    if arrived != sent:
        raise ValueError("the data arrived damaged")
    return 100 * (len(sent) - first) / took_s / BYTES_A_S, percent
