"""A table's terminal beside a loop that always draws whole frames, and beside Chromium's kiosk mode.

It measures touch to picture, one panel against the whole screen, an idle game, memory, startup and growth.
"""

import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement, Once, milliseconds, percentile
from bench.table.page import kiosk
from bench.table.process_counters import Rest, at_rest, pss_mb, rss_mb
from bench.table.seated import PLAYERS, seat_players
from bench.tap_to_frame import Hand
from demo.hall import running_hall
from demo.processes import poll_until_timeout, program
from kiosk.rehearsal.terminal_client import TerminalClient

TAPS: Final = 200
IDLE_S: Final = 20.0
STARTS: Final = 5
SETTLED_S: Final = 3.0
_PATIENCE_S: Final = 120.0
_QUIET: Final = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "MALLOC_ARENA_MAX": "1"}
_NAIVE, _CHROMIUM = (
    "pygame, redrawing the whole screen 60 times a second",
    "the scene as a page in Chromium's kiosk mode",
)
_FLOOR = "fill and flip of a bare screen"
_PICTURE, PICTURE_MB = "one picture of the glass", 800 * 480 * 4 / 1_000_000


class Seen:
    """The results of one program: touches in milliseconds, load at rest, memory, and startup in seconds."""

    def __init__(self, taps: list[float], rest: Rest, memory_mb: float, start_s: float) -> None:
        self.taps = taps
        self.rest = rest
        self.memory_mb = memory_mb
        self.start_s = start_s


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of touches, painting, idling, memory, growth and startup; under five minutes."""
    naive = Once(lambda: _naive(effort))
    page = Once(lambda: _page(effort))
    taps = Once(lambda: _taps_of_ours(effort.count(TAPS, 20)))
    playing = Once(lambda: _playing_terminal(effort))
    start_s = Once(lambda: statistics.median(_started_in_s() for _ in range(effort.count(STARTS))))
    memory, start = "memory of a terminal with net and pins", "start to first frame"
    return (
        Measurement(
            "touch to flip, naive loop",
            lambda: [_touch(taps(), _NAIVE, naive().taps, "at most 3 ms, and a fifth of the peer's")],
        ),
        Measurement("touch to flip, Chromium", lambda: [_touch(taps(), _CHROMIUM, page().taps, "")]),
        Measurement("painting", lambda: _painting(effort)),
        Measurement(
            "idle in a running game, naive loop", lambda: _idle_beside_naive(playing()[0], naive().rest)
        ),
        Measurement(
            "idle in a running game, Chromium", lambda: [_idle(playing()[0], _CHROMIUM, page().rest, "")]
        ),
        Measurement(f"{memory}, Chromium", lambda: [_memory(playing(), page().memory_mb)]),
        Measurement(
            f"{memory}, naive loop",
            lambda: [Figure(memory, "MB (PSS)", playing()[1], _NAIVE, naive().memory_mb)],
        ),
        Measurement("growth over a million moments of fingers", lambda: [_growth(effort)]),
        Measurement(
            f"{start}, Chromium",
            lambda: [Figure(start, "s", start_s(), _CHROMIUM, page().start_s, aim="0.4")],
        ),
        Measurement(f"{start}, naive loop", lambda: [Figure(start, "s", start_s(), _NAIVE, naive().start_s)]),
    )


def _idle_beside_naive(ours: Rest, naive: Rest) -> Sequence[Figure]:
    return (
        _idle(ours, _NAIVE, naive, "at most 0.5 %, and a tenth of the peer's"),
        Figure("idle in a running game, wake-ups", "a second", ours.wakes, _NAIVE, naive.wakes, aim="5"),
    )


def _memory(playing: tuple[Rest, float, float], chromium_mb: float) -> Figure:
    _, pss, rss = playing
    return Figure(
        "memory of a terminal with net and pins",
        "MB (PSS)",
        pss,
        _CHROMIUM,
        chromium_mb,
        aim="60 resident; a fifth of Chromium's",
        more=f"resident {rss:.0f} MB",
    )


def _growth(effort: Effort) -> Figure:
    what = "growth over a million moments of fingers"
    return Figure(what, "MB", _grown_mb(effort), _PICTURE, PICTURE_MB, aim="none")


def _touch(ours: list[float], name: str, peer: list[float], aim: str) -> Figure:
    more = f"median {percentile(ours, 50):.2f} ms, the peer's {percentile(peer, 50):.2f} ms"
    return Figure(
        "touch to flip, p99", "ms", percentile(ours, 99), name, percentile(peer, 99), aim=aim, more=more
    )


def _idle(ours: Rest, name: str, peer: Rest, aim: str) -> Figure:
    more = f"{ours.wakes:.1f} wake-ups a second, the peer's {peer.wakes:.0f}"
    return Figure(
        "idle in a running game", "% of a core", ours.percent, name, peer.percent, aim=aim, more=more
    )


def _painting(effort: Effort) -> Sequence[Figure]:
    """Measure painting a changed panel, beside painting the whole screen, without the flip."""
    hand, many, some = Hand(), effort.count(1_000, 20), effort.count(500, 20)
    milliseconds(hand.panel, 20)
    panels, wholes = milliseconds(hand.panel, many), milliseconds(hand.whole, many)
    full = milliseconds(hand.repaint, some)
    floor = percentile(milliseconds(hand.floor, some), 50)
    return (
        Figure(
            "one panel painted, median", "ms", percentile(panels, 50),
            "the whole glass painted", percentile(wholes, 50),
            aim="a tenth of the whole",
        ),
        Figure("one panel painted, p99", "ms", percentile(panels, 99), _FLOOR, floor, aim="0.3"),
        Figure("full repaint 800x480, p99", "ms", percentile(full, 99), _FLOOR, floor, aim="1.5"),
    )  # fmt: skip


def _naive(effort: Effort) -> Seen:
    began = time.monotonic()
    with _program("bench.table.naive", str(effort.count(TAPS, 20))) as process:
        assert process.stdout is not None
        process.stdout.readline()
        start_s = time.monotonic() - began
        taps: list[float] = json.loads(process.stdout.readline())
        return Seen(taps, at_rest(process.pid, effort.seconds(IDLE_S)), pss_mb(process.pid), start_s)


def _page(effort: Effort) -> Seen:
    folder = Path(tempfile.mkdtemp())
    try:
        with kiosk(folder) as shown:
            time.sleep(effort.seconds(SETTLED_S))
            rest, memory = at_rest(shown.pid, effort.seconds(IDLE_S)), pss_mb(shown.pid)
            return Seen(shown.taps(effort.count(TAPS, 20)), rest, memory, shown.start_s)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _taps_of_ours(count: int) -> list[float]:
    with _program("bench.table.ours", str(count)) as process:
        assert process.stdout is not None
        taps: list[float] = json.loads(process.stdout.readline())
        return taps


def _grown_mb(effort: Effort) -> float:
    with _program("bench.table.growth", str(effort.share)) as process:
        assert process.stdout is not None
        return max(0.0, float(process.stdout.readline()))


@contextlib.contextmanager
def _program(module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **_QUIET},
    ) as process:
        yield process
        process.kill()


def _playing_terminal(effort: Effort) -> tuple[Rest, float, float]:
    """Measure a terminal during a paused game: load at rest, PSS and RSS."""
    with tempfile.TemporaryDirectory() as name, running_hall(Path(name), frozenset()) as (hall, processes):
        os.environ["MALLOC_ARENA_MAX"] = _QUIET["MALLOC_ARENA_MAX"]
        hall.start_station()
        judge = hall.enter_station()
        judge.open_tournament("Bench", "championship-2022", "2026-11-20")
        table, _other = (hall.start_terminal(number, judge.provisioning(number)) for number in (1, 2))
        names = "".join(f"Player {number}\n" for number in range(2 * PLAYERS))
        judge.register("players.csv", f"name\n{names}".encode())
        judge.begin_round("bench")
        hall.start_players(table, speed=30, seed=1, pin=judge.pin(1))
        door = TerminalClient(table.door)
        for _ in poll_until_timeout(_PATIENCE_S, 0.2):
            with contextlib.suppress(Unavailable):
                if door.see().scene == "play":
                    break
        time.sleep(effort.seconds(SETTLED_S))
        processes.end("players-1")
        time.sleep(effort.seconds(SETTLED_S))
        pid = processes.pid("terminal-1")
        found = at_rest(pid, effort.seconds(IDLE_S)), pss_mb(pid), rss_mb(pid)
        judge.close()
        return found


def _started_in_s() -> float:
    """Return the seconds from the program's start to the first frame of a saved game."""
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        folder = Path(name)
        seat_players(folder / "data")
        told.bind(str(folder / "notify"))
        command = (program("saloon-terminal"), "--data", str(folder / "data"), "--virtual", "0")
        own = {"NOTIFY_SOCKET": str(folder / "notify")}
        began = time.monotonic()
        with subprocess.Popen(
            command, stderr=subprocess.DEVNULL, env={**os.environ, **_QUIET, **own}
        ) as process:
            said = told.recv(1024)
            took = time.monotonic() - began
            process.terminate()
        assert said.startswith(b"READY=1")
        return took
