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


def test_two_fingers_on_two_panels_both_count(table: VirtualTable) -> None:
    seated(table)
    before = [seat.life for seat in table.game.seats]
    table.lay("seat-2-minus", 1)
    table.lay("seat-4-minus", 2)
    table.after(60)
    table.lift(1, 2)
    lost = [was - seat.life for was, seat in zip(before, table.game.seats, strict=True)]
    assert lost == [0, 1, 0, 1, 0]


def test_buttons_key_and_lamp_are_those_of_the_panel(table: VirtualTable) -> None:
    seated(table)
    table.press(PanelButton.CALL_JUDGE)
    assert table.game.judge_called
    assert table.lamp().pattern is Lamp.JUDGE_CALLED
    table.press(PanelButton.CALL_JUDGE)
    assert table.lamp().pattern is Lamp.JUDGE_CALLED
    table.touch("back", "back", "judge-called", "judge-came")
    assert table.lamp().pattern is Lamp.PLAYING
    table.turn_key(on=True)
    assert table.view.judge_present
    table.turn_key(on=False)
    assert not table.view.judge_present


def test_the_judges_menu_closes_when_the_judge_takes_the_key_away(table: VirtualTable) -> None:
    seated(table)
    table.turn_key(on=True)
    table.touch("menu", "judge-menu", "void-game")
    table.turn_key(on=False)
    assert table.scene() == "play"
    table.turn_key(on=True)
    table.touch("menu", "judge-menu", "self-test")
    table.turn_key(on=False)
    assert table.scene() == "test-start"


@pytest.mark.slow
def test_the_judges_menu_that_a_pin_opened_closes_after_five_minutes(table: VirtualTable) -> None:
    seated(table)
    table.touch("menu", "judge-menu")
    table.type_pin(PIN[::-1])
    assert table.scene() == "pin"
    table.type_pin()
    table.advance(299)
    assert table.scene() == "judge"
    table.touch("connection")
    table.advance(900)
    assert table.scene() == "connection"
    table.touch("back")
    table.advance(301)
    assert table.scene() == "play"


def test_time_that_passes_shows_in_the_clock_of_the_round(table: VirtualTable) -> None:
    seated(table, seat_game(time_limit_min=90))
    before = table.round_time.left_s
    table.advance(90)
    assert before - table.round_time.left_s in {89, 90, 91}


def test_a_cut_cable_stops_nothing_and_all_arrives_once_it_is_back(table: VirtualTable) -> None:
    seated(table)
    table.station.is_away = True
    table.tap(2, "minus")
    delivery = table.view.delivery
    assert delivery.entered == delivery.saved > delivery.received
    assert delivery.link is LinkPhase.SEARCHING
    table.station.is_away = False
    table.after(100)
    assert table.view.delivery.received == delivery.entered


@pytest.mark.slow
def test_a_key_that_turns_under_a_finger_confirms_nothing(table: VirtualTable) -> None:
    """Without the key the button needs a tap, with it a hold: one must not become the other."""
    seated(table)
    play(table, Brain(1), until=lambda _game: table.scene() == "sheet")
    table.lay("confirm-sheet")
    table.turn_key(on=True)
    table.lift()
    assert table.scene() == "sheet"
    table.after(100)
    table.touch("confirm-sheet")
    assert table.scene() == "confirmed"


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
