"""The memory of a terminal and a station in use, beside processes that only load the same libraries."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from bench.figure import Effort, Figure, Measurement, Once
from demo.hall import running_hall

_MEGABYTE = 1024 * 1024
_PLAYED_S = 20.0
_BARE_TERMINAL = (
    "import pygame, time; pygame.display.init(); pygame.display.set_mode((800, 480)); time.sleep(30)"
)
_BARE_STATION = "import litestar, uvicorn, sqlalchemy, jinja2, time; time.sleep(30)"


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return the measurement of resident memory after some seconds of play at ten times the normal pace."""
    played = Once(lambda: _played(effort.seconds(_PLAYED_S, 2.0)))
    return (
        Measurement("memory of a terminal that plays", lambda: [_terminal(played())]),
        Measurement("memory of a station with two tables", lambda: [_station(played())]),
    )


def _terminal(resident: tuple[float, float]) -> Figure:
    what, peer = "memory of a terminal that plays", "bare pygame with a window"
    return Figure(what, "MB", resident[0], peer, _bare(_BARE_TERMINAL))


def _station(resident: tuple[float, float]) -> Figure:
    what, peer = "memory of a station with two tables", "its libraries, imported"
    return Figure(what, "MB", resident[1], peer, _bare(_BARE_STATION))


def _played(seconds: float) -> tuple[float, float]:
    """Return the resident megabytes of a terminal and of the station after some seconds of play."""
    with tempfile.TemporaryDirectory() as name, running_hall(Path(name), frozenset()) as (hall, processes):
        hall.start_station()
        judge = hall.enter_station()
        judge.open_tournament("Memory", "championship-2022", "2026-11-20")
        tables = [hall.start_terminal(number, judge.provisioning(number)) for number in (1, 2)]
        judge.register("players.csv", ("name\n" + "".join(f"Player {n}\n" for n in range(12))).encode())
        judge.begin_round("memory")
        for table in tables:
            hall.start_players(table, speed=60, seed=table.number, pin=judge.pin(table.number))
        time.sleep(seconds)
        resident = _resident(processes.pid("terminal-1")), _resident(processes.pid("station"))
        judge.close()
        return resident


def _resident(pid: int) -> float:
    return float(psutil.Process(pid).memory_info().rss) / _MEGABYTE


def _bare(code: str) -> float:
    with subprocess.Popen([sys.executable, "-c", code], env={"SDL_VIDEODRIVER": "dummy"}) as process:
        time.sleep(3)
        resident = _resident(process.pid)
        process.kill()
    return resident
