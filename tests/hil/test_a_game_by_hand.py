"""Whole games at real terminals: by buttons, key and touches, and with the power cut in the middle."""

import contextlib
import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import argon2
import msgspec
import pytest

from base.errors import Unavailable
from core.game.events import GameStep
from core.game.orders import AssignTable
from core.game.state.game import Phase
from core.game.timeline import fold
from core.terms import TableNo
from demo.hall import Table
from demo.processes import free_port, poll_until_timeout
from hardware.contract import Lamp, PanelState
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.protocol.entry import StreamId, TerminalId
from tests.kiosk.rig.stand_ins import seat_order
from tests.rigs.ends import Station
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
    wait(lambda: "Rule question" in small_hall.judge.floor())
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


PIN = "2019"
GAME_S = 90.0


class Program:
    """``saloon-terminal --virtual``, that can lose its power."""

    def __init__(self, directory: Path, provisioning: Path) -> None:
        self._port = free_port()
        self.door = TerminalClient(f"http://127.0.0.1:{self._port}")
        self._log = directory / "terminal.log"
        self._command = [
            *(str(Path(sys.executable).with_name("saloon-terminal")), "--data", str(directory / "terminal")),
            *("--provisioning", str(provisioning), "--virtual", str(self._port), "--pins", "mock"),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        end = time.monotonic() + GAME_S
        while True:
            try:
                self.door.see()
            except Unavailable:
                assert self._process.poll() is None, self._log.read_text()
                assert time.monotonic() < end, self._log.read_text()
                time.sleep(0.05)
            else:
                return

    def end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(GAME_S)
            self._process = None


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def program(station: Station, tmp_path: Path) -> Iterator[Program]:
    part = StationPart(station.identity[1].read_text(), (f"127.0.0.1:{station.port}",))
    provisioning = tmp_path / "provisioning.toml"
    provisioning.write_text(provisioning_text(part, TableNo(3), "welcome"), encoding="utf-8")
    made = Program(tmp_path, provisioning)
    made.start()
    yield made
    made.end(signal.SIGTERM)


def seat(station: Station, terminal: TerminalId) -> None:
    hashed = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
    for order in (AssignTable(TableNo(3), hashed), seat_order()):
        station.give_order(terminal, msgspec.msgpack.encode(order))


def played(door: TerminalClient, brain: Brain, until: int | None) -> str:
    """Touch so often, or until the record sheet is confirmed; the scene at the end."""
    end = time.monotonic() + GAME_S
    touches = 0
    while time.monotonic() < end:
        seen = door.see()
        if seen.scene == "confirmed" or touches == until:
            return seen.scene
        touch = brain.next_touch(seen)
        if touch is None:
            time.sleep(0.05)
            continue
        door.touch(touch)
        touches += 1
    pytest.fail(f"the game is not over: {door.see().scene}")


def steps_of(station: Station, terminal: TerminalId) -> tuple[GameStep, ...]:
    decoder = msgspec.msgpack.Decoder(GameStep)
    return tuple(decoder.decode(body) for body in station.raws(terminal))


@pytest.mark.faults
def test_a_game_goes_on_after_the_power_was_cut_and_ends_at_the_station(
    station: Station, program: Program
) -> None:
    station.wait_for(lambda: bool(station.links))
    (terminal,) = station.known
    seat(station, terminal)
    station.wait_for(lambda: len(station.raws(terminal)) == 1)
    brain = Brain(7, PIN)
    played(program.door, brain, until=60)
    written = station.raws(terminal)
    before = program.door.see()
    program.end(signal.SIGKILL)
    program.start()
    after = program.door.see()
    assert after.scene == before.scene
    assert {target.id for target in after.targets} == {target.id for target in before.targets}
    assert played(program.door, brain, until=None) == "confirmed"
    station.wait_for(lambda: _is_confirmed(steps_of(station, terminal)))
    assert station.raws(terminal)[: len(written)] == written
    entries = station.store.entries(StreamId(f"table/{terminal}"), 0, 100_000)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert not station.quarantine
    assert not station.alarms


def _is_confirmed(steps: tuple[GameStep, ...]) -> bool:
    timeline = fold(steps)
    return timeline is not None and timeline.state.phase is Phase.CONFIRMED
