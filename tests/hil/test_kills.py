"""Kill either side with SIGKILL again and again in the middle of games; then nothing may be missing."""

import contextlib
import random
import sqlite3
import time
from pathlib import Path

import httpx
import pytest

from saloon.demo.hall import JUDGE_PIN
from saloon.demo.pages import PageTrouble
from saloon.demo.processes import waiting
from saloon.demo.small_hall import SmallHall
from saloon.sync.trust import fingerprint_of_pem

pytestmark = [pytest.mark.hil, pytest.mark.faults]

KILLS = 100
SETTLE_S = 60.0
Rows = dict[int, tuple[bytes, bytes]]


def journal_rows(data: Path) -> tuple[str, Rows]:
    """A terminal's epoch and its entries as they lie in its journal."""
    with contextlib.closing(sqlite3.connect(data / "journal.db")) as db:
        (epoch,) = db.execute("SELECT value FROM facts WHERE name = 'epoch'").fetchone()
        rows = {seq: (raw, digest) for seq, raw, digest in db.execute("SELECT seq, raw, hash FROM own")}
    return epoch, rows


def station_rows(data: Path, stream: str) -> dict[str, Rows]:
    """What the station's database holds of a stream, by epoch."""
    file = data / "station.sqlite"
    found: dict[str, Rows] = {}
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        query = "SELECT epoch, seq, raw, hash FROM entries WHERE stream = ?"
        for epoch, seq, raw, digest in db.execute(query, (stream,)):
            found.setdefault(epoch, {})[seq] = (bytes(raw), bytes(digest))
    return found


def stream_of(data: Path) -> str:
    certificate = (data / "certificate.pem").read_text(encoding="ascii")
    return f"table/{fingerprint_of_pem(certificate, 'test')}"


def kill_and_restart(hall: SmallHall, victim: str) -> None:
    hall.processes.kill(victim)
    if victim == "station":
        hall.hall.restart_station()
    else:
        table = hall.tables[int(victim.removeprefix("terminal-")) - 1]
        hall.hall.restart_terminal(table)


def keep_playing(hall: SmallHall) -> None:
    """Begin the next round when the last is over; while the station restarts, look again later."""
    with contextlib.suppress(httpx.TransportError, PageTrouble):
        sheets = hall.judge.sheets()
        if not sheets and not hall.judge.is_finished():
            hall.judge.begin_round("hil")


def settled(hall: SmallHall, data: Path) -> tuple[Rows, Rows]:
    """A terminal's entries and the station's, once both have the same numbers (or time is up)."""
    stream = stream_of(data)
    epoch, own = journal_rows(data)
    there: dict[str, Rows] = {}
    with contextlib.suppress(TimeoutError):
        for _ in waiting(SETTLE_S):
            epoch, own = journal_rows(data)
            there = station_rows(hall.directory / "station", stream)
            if there.get(epoch, {}).keys() == own.keys():
                break
    assert list(there) == [epoch]
    return own, there[epoch]


@pytest.mark.xdist_group("hil")
def test_a_hundred_kills_lose_double_or_alter_nothing(small_hall: SmallHall) -> None:
    hall = small_hall
    hall.judge.begin_round("hil")
    for table in hall.tables:
        hall.hall.start_players(table, speed=40, seed=table.number, pin=JUDGE_PIN)
    chance = random.Random(20260)
    for number in range(KILLS):
        time.sleep(chance.uniform(0.0, 0.9))
        kill_and_restart(hall, chance.choice(("terminal-1", "terminal-2", "station")))
        if number % 5 == 0:
            keep_playing(hall)
    for table in hall.tables:
        hall.processes.end(f"players-{table.number}")
    hall.wait_for_station()
    for table in hall.tables:
        data = hall.terminal_data(table.number)
        own, there = settled(hall, data)
        assert len(own) > 50, "too few entries were made for the test to mean anything"
        assert sorted(own) == list(range(1, len(own) + 1))
        assert there == own
