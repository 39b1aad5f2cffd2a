"""A terminal dies in the middle of a game; a spare goes on with it, and the dead unit comes back later."""

import contextlib
import time

import pytest

from base.errors import Unavailable
from demo.hall import Table
from demo.processes import poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.rigs.small_hall import SmallHall

pytestmark = [pytest.mark.hil, pytest.mark.faults, pytest.mark.nightly]

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


def sees(door: TerminalClient, wanted: Seen) -> None:
    """Wait until a screen shows the same targets with the same words."""
    for _ in poll_until_timeout(PATIENCE_S, 0.05):
        with contextlib.suppress(Unavailable):
            if door.see() == wanted:
                return


def sees_scene(door: TerminalClient, *scenes: str) -> None:
    for _ in poll_until_timeout(LONG_S, 0.05):
        with contextlib.suppress(Unavailable):
            if door.see().scene in scenes:
                return


def page_says(hall: SmallHall, wanted: str) -> None:
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        if wanted in hall.judge.table(1, 1):
            return


def page_says_no_more(hall: SmallHall, unwanted: str) -> None:
    """Wait until the spare's copies have come back to the station."""
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        if unwanted not in hall.judge.table(1, 1):
            return


def owes_nothing(hall: SmallHall, steps: int) -> None:
    """Wait until the station has so many steps of table 1."""
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        if hall.judge.table(1, 1).count("<time>") >= steps:
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
        while broken.see().scene != "play":
            plays(broken, brain, 1)
        plays(broken, brain, 12)
        while broken.see().scene != "play":
            plays(broken, brain, 1)
        self.at_station = broken.see()
        owes_nothing(hall, 10)
        time.sleep(0.5)
        hall.processes.kill("station")
        plays(broken, brain, 5)
        while broken.see().scene != "play":
            plays(broken, brain, 1)
        self.at_death = broken.see()
        hall.processes.kill("terminal-1")
        hall.hall.restart_station()
        hall.hall.wait_for_station()
        self.spare: Table = hall.hall.start_terminal(3, hall.judge.provisioning(None))
        self.door = TerminalClient(self.spare.door)
        page = ""
        for _ in poll_until_timeout(PATIENCE_S, 0.1):
            page = hall.judge.terminals()
            if "spare</strong>" in page and 'class="link tcp' in page:
                break

    def to_the_spare(self) -> float:
        """The judge swaps; seconds until the spare shows what the station had."""
        begun = time.monotonic()
        self.hall.judge.swap(1, 1)
        sees(self.door, self.at_station)
        return time.monotonic() - begun


def test_the_dead_units_last_steps_are_merged_when_the_spare_has_entered_nothing(
    small_hall: SmallHall,
) -> None:
    swap = Swap(small_hall)
    assert swap.to_the_spare() < SWAP_S
    small_hall.hall.restart_terminal(small_hall.tables[0])
    sees(swap.door, swap.at_death)
    sees_scene(TerminalClient(small_hall.tables[0].door), "relieved")
    page_says_no_more(small_hall, NOT_COUNTED)


def test_the_dead_units_last_steps_are_shown_when_the_spare_has_gone_on(small_hall: SmallHall) -> None:
    swap = Swap(small_hall)
    assert swap.to_the_spare() < SWAP_S
    brain = Brain(5)
    plays(swap.door, brain, 2)
    small_hall.hall.restart_terminal(small_hall.tables[0])
    page_says(small_hall, NOT_COUNTED)
    sees_scene(TerminalClient(small_hall.tables[0].door), "relieved")
    small_hall.hall.start_players(swap.spare, speed=120, seed=3, pin=small_hall.judge.pin(1))
    sees_scene(swap.door, "confirmed")
    page_says(small_hall, "Confirmed")
    assert NOT_COUNTED in small_hall.judge.table(1, 1)
