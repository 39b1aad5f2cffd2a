"""The virtual table: every kind of input has the effect of real touches, and a real hub gets its entries."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from base.clock import SystemClock
from core.game.events import GameStep
from core.game.orders import AssignTable, ConfirmFromStation
from core.game.state.game import Phase
from core.game.timeline import fold
from core.terms import GameId
from demo.shaped_line import ShapedLine
from hardware.contract import Lamp, PanelButton
from kiosk.rehearsal.brain import Brain
from kiosk.ui.geometry import screen_geometry_for
from sync.ports.link_port import LinkPort
from sync.ports.serial import BAUD, SerialPort
from sync.terminal.agent_contract import LinkPhase
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.fingertips import TouchStyle
from tests.kiosk.rig.games import TABLE, play, seat_game, seated
from tests.kiosk.rig.live_table import by_serial, by_tls, wait_until
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN, Rigging, VirtualTable
from tests.rigs.ends import Station

EVERY_TURN = [
    (style, turns) for style in (TouchStyle.FINGER, TouchStyle.FINGER_AND_MOUSE) for turns in range(4)
]


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize(("style", "turns"), [*EVERY_TURN, (TouchStyle.MOUSE, 1)])
def test_a_touch_counts_once_in_every_rotation_and_style(
    make_table: MakeTable, style: TouchStyle, turns: int
) -> None:
    table = make_table(Rigging(screen_geometry_for((800, 480), turns), style, paints=True))
    seated(table)
    for _ in range(3):
        table.tap(3, "minus")
    assert table.game.seats[2].life == table.game.seats[2].max_life - 3
    table.touch("undo")
    assert table.game.seats[2].life == table.game.seats[2].max_life - 2


def test_two_fingers_on_two_panels_both_count(five: VirtualTable) -> None:
    before = [seat.life for seat in five.game.seats]
    five.lay("seat-2-minus", 1)
    five.lay("seat-4-minus", 2)
    five.after(60)
    five.lift(1, 2)
    lost = [was - seat.life for was, seat in zip(before, five.game.seats, strict=True)]
    assert lost == [0, 1, 0, 1, 0]


def test_buttons_key_and_lamp_are_those_of_the_panel(five: VirtualTable) -> None:
    five.press(PanelButton.CALL_JUDGE)
    assert five.game.judge_called
    assert five.lamp().pattern is Lamp.JUDGE_CALLED
    five.press(PanelButton.CALL_JUDGE)
    assert five.lamp().pattern is Lamp.JUDGE_CALLED
    five.touch("back", "back", "judge-called", "judge-came")
    assert five.lamp().pattern is Lamp.PLAYING
    five.turn_key(on=True)
    assert five.view.judge_present
    five.turn_key(on=False)
    assert not five.view.judge_present


def test_the_judges_menu_closes_when_the_judge_takes_the_key_away(five: VirtualTable) -> None:
    five.turn_key(on=True)
    five.touch("menu", "judge-menu", "void-game")
    five.turn_key(on=False)
    assert five.scene() == "play"
    five.turn_key(on=True)
    five.touch("menu", "judge-menu", "self-test")
    five.turn_key(on=False)
    assert five.scene() == "test-start"


@pytest.mark.slow
def test_the_judges_menu_that_a_pin_opened_closes_after_five_minutes(five: VirtualTable) -> None:
    five.touch("menu", "judge-menu")
    five.type_pin(PIN[::-1])
    assert five.scene() == "pin"
    five.type_pin()
    five.advance(299)
    assert five.scene() == "judge"
    five.touch("connection")
    five.advance(900)
    assert five.scene() == "connection"
    five.touch("back")
    five.advance(301)
    assert five.scene() == "play"


def test_time_that_passes_shows_in_the_clock_of_the_round(table: VirtualTable) -> None:
    seated(table, seat_game(time_limit_min=90))
    before = table.round_time.left_s
    table.advance(90)
    assert before - table.round_time.left_s in {89, 90, 91}


def test_a_cut_cable_stops_nothing_and_all_arrives_once_it_is_back(five: VirtualTable) -> None:
    five.station.is_away = True
    five.tap(2, "minus")
    delivery = five.view.delivery
    assert delivery.entered == delivery.saved > delivery.received
    assert delivery.link is LinkPhase.SEARCHING
    five.station.is_away = False
    five.after(100)
    assert five.view.delivery.received == delivery.entered


@pytest.mark.slow
def test_a_key_that_turns_under_a_finger_confirms_nothing(five: VirtualTable) -> None:
    """Without the key the button needs a tap, with it a hold: one must not become the other."""
    play(five, Brain(1), until=lambda _game: five.scene() == "sheet")
    five.lay("confirm-sheet")
    five.turn_key(on=True)
    five.lift()
    assert five.scene() == "sheet"
    five.after(100)
    five.touch("confirm-sheet")
    assert five.scene() == "confirmed"


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("turns", [11, 14, 24])
def test_each_place_of_the_chart_is_wide_enough_for_a_finger(make_table: MakeTable, turns: int) -> None:
    glass = screen_geometry_for((1280, 720))
    table = make_table(Rigging(glass))
    seated(table)
    for _ in range(turns):
        table.press(PanelButton.END_TURN)
        table.advance(2)  # no faster than a hand
    table.touch("menu", "story", "story-chart")
    places = [target.rect for target in table.screen.targets() if target.id.startswith("turn-")]
    assert places
    assert min(width for _x, _y, width, _height in places) >= 10 * glass.px_per_mm - 1


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    yield made
    made.stop()


def all_received(table: VirtualTable) -> bool:
    delivery = table.view.delivery
    return delivery.received == delivery.entered


def played_at(table: VirtualTable, station: Station) -> None:
    """Play a game from the hub's order to its confirmation by the hub, with a power cut in between."""
    wait_until(table, lambda: table.view.delivery.link is LinkPhase.CONNECTED)
    for order in (AssignTable(TABLE, CHEAP_PIN), seat_game()):
        station.give_order(table.name, msgspec.msgpack.encode(order))
    wait_until(table, lambda: table.scene() == "seating")
    play(table, Brain(1), until=lambda game: game.turns >= 3)
    table.restart()
    play(table, Brain(1), until=lambda game: game.turns >= 6 or game.phase is not Phase.PLAYING)
    wait_until(table, lambda: all_received(table))
    station.give_order(table.name, msgspec.msgpack.encode(ConfirmFromStation(GameId("g1"))))
    wait_until(table, lambda: table.scene() == "confirmed")
    wait_until(table, lambda: all_received(table))
    steps = [msgspec.msgpack.decode(body, type=GameStep) for body in station.raws(table.name)]
    timeline = fold(steps)
    assert timeline is not None
    assert timeline.state == table.game
    assert len(steps) == len(table.entries())
    assert not station.quarantine


@pytest.mark.slow
def test_over_tls(make_table: MakeTable, station: Station) -> None:
    station.start()
    played_at(make_table(Rigging(carrier=by_tls(station))), station)


@pytest.mark.slow
def test_over_a_serial_line(make_table: MakeTable, station: Station, tmp_path: Path) -> None:
    ends = tmp_path / "terminal-end", tmp_path / "station-end"

    def at_station() -> LinkPort:
        return LinkPort(SerialPort(str(ends[1]), BAUD), SystemClock().monotonic_ms, baud=BAUD)

    with ShapedLine(*ends):
        station.start(serial=((str(ends[1]), at_station),))
        played_at(make_table(Rigging(carrier=by_serial(station, ends[0]))), station)
