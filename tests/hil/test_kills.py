"""Kill either side with SIGKILL again and again in the middle of games; then nothing may be missing."""

import contextlib
import random
import sqlite3
import time
from pathlib import Path

import httpx
import pytest

from demo.pages import PageTrouble
from demo.processes import poll_until_timeout
from sync.protocol.entry import Epoch, StreamId, TerminalId, orders_of
from sync.tls.certificates import fingerprint_of_pem
from tests.rigs.small_hall import SmallHall
from tests.soak.oracle import JournalView, StationView, first_difference, journal_view, station_view

pytestmark = [pytest.mark.hil, pytest.mark.faults, pytest.mark.nightly]

KILLS = 100
SETTLE_S = 60.0
ENOUGH = 50


def terminal_of(data: Path) -> TerminalId:
    return fingerprint_of_pem((data / "certificate.pem").read_text(encoding="ascii"), "test")


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


def views(hall: SmallHall) -> tuple[list[JournalView], StationView]:
    """The journals and the station's database as they lie on the disk now."""
    journals = []
    for table in hall.tables:
        data = hall.terminal_data(table.number)
        terminal = terminal_of(data)
        journals.append(journal_view(data / "journal.db", StreamId(f"table/{terminal}"), orders_of(terminal)))
    file = hall.directory / "station" / "station.sqlite"
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        ((epoch,),) = db.execute("SELECT value FROM settings WHERE name = 'epoch'")
    return journals, station_view(file, Epoch(epoch))


def settled(hall: SmallHall) -> tuple[list[JournalView], StationView]:
    """The views once nothing is owed any more (or time is up)."""
    seen = views(hall)
    with contextlib.suppress(TimeoutError):
        for _ in poll_until_timeout(SETTLE_S):
            seen = views(hall)
            if first_difference(*seen, settled=True) is None:
                break
    return seen


def test_a_hundred_kills_lose_double_or_alter_nothing(small_hall: SmallHall) -> None:
    hall = small_hall
    hall.judge.begin_round("hil")
    for table in hall.tables:
        hall.hall.start_players(table, speed=120, seed=table.number, pin=hall.judge.pin(table.number))
    chance = random.Random(20260)
    for number in range(KILLS):
        time.sleep(chance.uniform(0.0, 0.9))
        kill_and_restart(hall, chance.choice(("terminal-1", "terminal-2", "station")))
        if number % 5 == 0:
            keep_playing(hall)
    # On a busy machine little was played between the kills: then they play on.
    with contextlib.suppress(TimeoutError):
        for _ in poll_until_timeout(SETTLE_S, 1.0):
            if all(len(journal.raws) > ENOUGH for journal in views(hall)[0]):
                break
            keep_playing(hall)
    for table in hall.tables:
        hall.processes.end(f"players-{table.number}")
    hall.hall.wait_for_station()
    journals, station = settled(hall)
    assert all(len(journal.raws) > ENOUGH for journal in journals), (
        "too few entries for the test to mean anything"
    )
    assert first_difference(journals, station, settled=True) is None
