"""Kill either side in the middle of games, or swap a dead terminal for a spare: nothing may be missing."""

import contextlib
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from base.errors import Unavailable
from demo.hall import Table
from demo.pages import PageTrouble
from demo.processes import poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from kiosk.rehearsal.terminal_client import TerminalClient
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


PATIENCE_S = 30.0
LONG_S = 120.0
SWAP_S = 10.0
NOT_COUNTED = "t counted"


def plays(door: TerminalClient, brain: Brain, touches: int) -> None:
    made = 0
    for _ in poll_until_timeout(LONG_S, 0.01):
        if made == touches:
            return
        touch = brain.next_touch(door.see())
        if touch is not None:
            door.touch(touch)
            made += 1


def plays_on(door: TerminalClient, brain: Brain, touches: int = 0) -> Seen:
    """Play until the table's game is shown at the end of a move, and return what it shows."""
    plays(door, brain, touches)
    while door.see().scene != "play":
        plays(door, brain, 1)
    return door.see()


def sees(door: TerminalClient, wanted: Callable[[Seen], bool], patience_s: float = PATIENCE_S) -> None:
    """Wait until a screen is as wanted."""
    for _ in poll_until_timeout(patience_s, 0.05):
        with contextlib.suppress(Unavailable):
            if wanted(door.see()):
                return


def sees_scene(door: TerminalClient, scene: str) -> None:
    sees(door, lambda seen: seen.scene == scene, LONG_S)


def page_is(hall: SmallHall, wanted: Callable[[str], bool]) -> None:
    """Wait until the page of table 1 is as wanted."""
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        if wanted(hall.judge.table(1, 1)):
            return


class Swap:
    """Table 1 in the middle of a game, its terminal dead, a spare at hand.

    at_station: the screen when the station had everything. at_death: some touches later.
    """

    def __init__(self, hall: SmallHall) -> None:
        self.hall = hall
        hall.judge.begin_round("swap")
        broken = TerminalClient(hall.tables[0].door)
        sees_scene(broken, "seating")
        brain = Brain(11)
        plays_on(broken, brain)
        self.at_station = plays_on(broken, brain, 12)
        page_is(hall, lambda page: page.count("<time>") >= 10)
        time.sleep(0.5)
        hall.processes.kill("station")
        self.at_death = plays_on(broken, brain, 5)
        hall.processes.kill("terminal-1")
        hall.hall.restart_station()
        hall.hall.wait_for_station()
        self.spare: Table = hall.hall.start_terminal(3, hall.judge.provisioning(None))
        self.door = TerminalClient(self.spare.door)
        for _ in poll_until_timeout(PATIENCE_S, 0.1):
            page = hall.judge.terminals()
            if "spare</strong>" in page and 'class="link tcp' in page:
                break

    def to_the_spare(self) -> None:
        """Swap as the judge does, and see that the spare soon shows what the station had."""
        begun = time.monotonic()
        self.hall.judge.swap(1, 1)
        sees(self.door, lambda seen: seen == self.at_station)
        assert time.monotonic() - begun < SWAP_S


def test_the_dead_units_last_steps_are_merged_when_the_spare_has_entered_nothing(
    small_hall: SmallHall,
) -> None:
    swap = Swap(small_hall)
    swap.to_the_spare()
    small_hall.hall.restart_terminal(small_hall.tables[0])
    sees(swap.door, lambda seen: seen == swap.at_death)
    sees_scene(TerminalClient(small_hall.tables[0].door), "relieved")
    page_is(small_hall, lambda page: NOT_COUNTED not in page)


def test_the_dead_units_last_steps_are_shown_when_the_spare_has_gone_on(small_hall: SmallHall) -> None:
    swap = Swap(small_hall)
    swap.to_the_spare()
    plays(swap.door, Brain(5), 2)
    small_hall.hall.restart_terminal(small_hall.tables[0])
    page_is(small_hall, lambda page: NOT_COUNTED in page)
    sees_scene(TerminalClient(small_hall.tables[0].door), "relieved")
    small_hall.hall.start_players(swap.spare, speed=120, seed=3, pin=small_hall.judge.pin(1))
    sees_scene(swap.door, "confirmed")
    page_is(small_hall, lambda page: "Confirmed" in page)
    assert NOT_COUNTED in small_hall.judge.table(1, 1)
