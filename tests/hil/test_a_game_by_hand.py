"""Buttons, key and touches in; screen, lamp, buzzer and the station's page out. Over the serial line."""

import contextlib
import json
import urllib.request
from collections.abc import Callable

import msgspec
import pytest

from base.errors import Unavailable
from demo.hall import Table
from demo.processes import poll_until_timeout
from hardware.contract import Lamp, PanelState
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tests.rigs.small_hall import SmallHall

pytestmark = pytest.mark.hil

CHARACTERS = ("bart-cassidy", "black-jack", "calamity-janet", "jesse-jones", "kit-carlson")
PATIENCE_S = 10.0


class Hand:
    """A hand at one table: touches by name, presses buttons, turns the key, looks."""

    def __init__(self, table: Table) -> None:
        self._url = table.door
        self._door = TerminalClient(table.door)

    def touch(self, *names: str) -> None:
        for name in names:
            wait(lambda name=name: self._door.see().target(name) is not None)  # type: ignore[misc]
            target = self._door.see().target(name)
            assert target is not None
            assert self._door.touch(Touch(name, 0, target.hold_ms))

    def wait_for_scene(self, scene: str) -> None:
        wait(lambda: self._door.see().scene == scene)

    def panel(self) -> PanelState:
        with urllib.request.urlopen(self._url + "/panel") as answer:
            return msgspec.json.decode(answer.read(), type=PanelState)

    def act(self, **what: object) -> None:
        request = urllib.request.Request(
            self._url + "/panel", json.dumps(what).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200

    def wait_for_lamp(self, lamp: Lamp) -> None:
        wait(lambda: self.panel().lamp_says is lamp)


def wait(wanted: Callable[[], bool]) -> None:
    for _ in poll_until_timeout(PATIENCE_S, 0.02):
        with contextlib.suppress(Unavailable):
            if wanted():
                return


def begin(hand: Hand) -> None:
    hand.wait_for_scene("seating")
    hand.touch(*(f"seat-{seat}-check-in" for seat in range(1, 6)), "roles-dealt")
    for seat, character in enumerate(CHARACTERS, 1):
        hand.touch(f"seat-{seat}-character", f"character-{character}")
    hand.touch("begin-game")
    hand.wait_for_scene("play")


def shoot(hand: Hand, victim: int, shots: int, role: str) -> None:
    """Seat 1 shoots a seat until it is out."""
    hand.touch(*[f"seat-{victim}-minus"] * shots)
    hand.touch("eliminated", "by-seat-1", "same-turn", f"role-{role}")


def card(hall: SmallHall, number: int, wanted: str) -> None:
    """Wait until the card of a table on the floor says something."""

    def says() -> bool:
        html = hall.judge.floor()
        start = html.index(f'id="table-{number}"')
        return wanted in html[start : html.index("</article>", start)]

    wait(says)


@pytest.mark.nightly
def test_a_game_at_the_serial_table_from_the_seats_to_the_confirmed_sheet(small_hall: SmallHall) -> None:
    small_hall.judge.begin_round("hand")
    table = small_hall.tables[1]
    assert table.wire == "serial"
    hand = Hand(table)
    begin(hand)
    hand.wait_for_lamp(Lamp.PLAYING)
    card(small_hall, 2, "turn 1")

    hand.act(press="call-judge")
    hand.wait_for_lamp(Lamp.JUDGE_CALLED)
    card(small_hall, 2, "calls the judge")
    small_hall.judge.answer_calls()
    hand.touch("reason-rule")
    card(small_hall, 2, "Rule question")
    hand.touch("judge-called")
    hand.touch("judge-came")
    hand.wait_for_lamp(Lamp.PLAYING)

    for count in (1, 2, 3):
        hand.touch("reshuffle")
        card(small_hall, 2, f"{count} reshuffle")
    card(small_hall, 2, "is near")
    hand.act(press="end-turn")
    hand.wait_for_lamp(Lamp.HIGH_NOON)
    wait(lambda: hand.panel().sounding)
    card(small_hall, 2, "3 reshuffles")
    card(small_hall, 2, "noon")

    shoot(hand, 3, 4, "outlaw")
    shoot(hand, 4, 4, "outlaw")
    shoot(hand, 5, 4, "renegade")
    hand.wait_for_scene("ending")
    hand.wait_for_lamp(Lamp.ENDED)
    hand.touch(*(f"seat-{seat}-agrees" for seat in range(1, 6)))
    hand.touch("to-roles", "declare-roles")
    hand.wait_for_scene("sheet")
    card(small_hall, 2, "proposed")

    hand.act(key=True)
    wait(lambda: hand.panel().key_on)
    hand.touch("confirm-sheet")
    hand.wait_for_scene("confirmed")
    card(small_hall, 2, "accepted")
