"""The writes of a game to a terminal's card: bytes, writes and flushes of the real journal on ext4.

The file system is on a loop device of its own (which needs root), so that the device's counters cover only
it, including ext4's own journal and metadata.
"""

import contextlib
import os
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement
from demo.hall import running_hall
from demo.processes import poll_until_timeout

GAMES: Final = 3
SEATS: Final = 7
SPEED: Final = 15.0
"""The speed as a multiple of people's, which is slow enough that two steps are rarely saved together."""
REST_S: Final = 120.0
_SECTOR: Final = 512
_WRITES, _SECTORS, _FLUSHES = 4, 6, 15
"""Indices of fields in a block device's ``stat``."""
_PATIENCE_S: Final = 900.0
_SETTLED_S: Final = 40.0
"""A time longer than ext4 and the kernel delay writes, which is half a minute."""


class Written(msgspec.Struct, frozen=True):
    """The writes to a disk since it was created: bytes, writes and flushes."""

    size: int
    writes: int
    flushes: int

    def since(self, before: "Written") -> "Written":
        return Written(self.size - before.size, self.writes - before.writes, self.flushes - before.flushes)


class DataDisk:
    """A separate ext4 file system, mounted with the options of a terminal's data partition."""

    def __init__(self, folder: Path) -> None:
        self._number = folder.stat().st_dev

    def written(self) -> Written:
        """Return the writes so far."""
        device = f"{os.major(self._number)}:{os.minor(self._number)}"
        fields = (Path("/sys/dev/block") / device / "stat").read_text(encoding="ascii").split()
        return Written(int(fields[_SECTORS]) * _SECTOR, int(fields[_WRITES]), int(fields[_FLUSHES]))


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return the measurement of three games at one of two tables, followed by two minutes of rest."""
    return (Measurement("written on a terminal's card", lambda: _card(effort)),)


def _card(effort: Effort) -> Sequence[Figure]:
    """Return the figures. Raises Unavailable without root."""
    games, rest_s = effort.count(GAMES), effort.seconds(REST_S, 2.0)
    with tempfile.TemporaryDirectory() as name, data_disk(Path(name)) as (disk, mounted):
        game, entries, rest = _played(Path(name), disk, mounted, effort)
    bare = sum(entries) / games
    more = f"{game.writes / games:.0f} writes, {len(entries) / games:.0f} entries"
    return (
        Figure(
            "written on the card for a game",
            "kB",
            game.size / games / 1000,
            "the bare entries",
            bare / 1000,
            more=more,
        ),
        Figure(
            "flushes of the card for a game",
            "flushes",
            game.flushes / games,
            "a flush an entry",
            len(entries) / games,
        ),
        Figure(
            "written on the card in a minute without touches",
            "kB",
            rest.size / 1000 / (rest_s / 60),
            "one block",
            4.096,
        ),
    )


@contextlib.contextmanager
def data_disk(folder: Path) -> Iterator[tuple[DataDisk, Path]]:
    """Yield an empty file system of 256 MB, mounted below the folder. Raises Unavailable without root."""
    image, mounted = folder / "card.img", folder / "card"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(256 * 1024 * 1024)
    try:
        _run("mke2fs", "-q", "-t", "ext4", "-b", "4096", str(image))
        _run("mount", "-o", "loop,noatime,commit=30", str(image), str(mounted))
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"cannot mount a separate file system; run this as root: {error}") from error
    try:
        yield DataDisk(mounted), mounted
    finally:
        _run("umount", "-l", str(mounted))


def _played(
    folder: Path, disk: DataDisk, mounted: Path, effort: Effort
) -> tuple[Written, list[int], Written]:
    """Return the writes of the games, the sizes of the entries, and the writes at rest."""
    data = mounted / "data"
    data.mkdir()
    with running_hall(folder, frozenset()) as (hall, processes):
        (folder / "terminal-1").symlink_to(data, target_is_directory=True)
        hall.start_station()
        judge = hall.enter_station()
        judge.open_tournament("Card", "championship-2022", "2026-11-20")
        judge.register(
            "players.csv", ("name\n" + "".join(f"Player {n}\n" for n in range(2 * SEATS))).encode()
        )
        for number in (1, 2):
            table = hall.start_terminal(number, judge.provisioning(number))
            hall.start_players(table, speed=SPEED / effort.share, seed=number, pin=judge.pin(number))
        time.sleep(effort.seconds(_SETTLED_S))
        before = disk.written()
        for _ in range(effort.count(GAMES)):
            judge.begin_round("card")
            for _ in poll_until_timeout(_PATIENCE_S, 1.0):
                if all(sheet in {"accepted", "disputed"} for sheet in judge.sheets().values()):
                    break
        time.sleep(effort.seconds(_SETTLED_S))
        played = disk.written().since(before)
        processes.end("players-1")
        quiet = disk.written()
        time.sleep(effort.seconds(REST_S, 2.0))
        rest = disk.written().since(quiet)
        judge.close()
        return played, _sizes(data), rest


def _sizes(data: Path) -> list[int]:
    """Return the size of each entry in the journal, in bytes."""
    with contextlib.closing(sqlite3.connect(data / "journal.db")) as db:
        return [int(size) for (size,) in db.execute("SELECT length(raw) FROM own")]


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
