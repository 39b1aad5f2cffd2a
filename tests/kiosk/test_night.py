"""The brightness of a table: full during a game, dimmed between games; waking it has no other effect."""

import msgspec
import pytest

from core.game.ending.sheet import VoidGame
from core.game.orders import AssignTable
from core.terms import TableNo
from hardware.contract import PanelButton
from kiosk.terminal.display.screen_dimming import DARK_AFTER_MS, DIM_AFTER_MS, UNSEEN_MS
from kiosk.ui.touch_recogniser import GHOST_MS
from kiosk.view.intents import AskGame, ChangePreferences, CloseExport, ShowCodes
from kiosk.view.table_view import ParcelContents
from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable

MIDDLE = (400, 240)
CONNECTION = "connection"


@pytest.fixture
def table(painted: VirtualTable) -> VirtualTable:
    return painted


@pytest.fixture
def idle(table: VirtualTable) -> VirtualTable:
    """Return a table without a game."""
    table.order(AssignTable(TableNo(3), ""))
    return table


@pytest.fixture
def dark(idle: VirtualTable) -> VirtualTable:
    """Return a table without a game that was left alone for a long time."""
    idle.advance(DARK_AFTER_MS / 1000 + 1)
    assert idle.is_black()
    return idle


def test_between_games_it_grows_dim_and_then_dark(idle: VirtualTable) -> None:
    assert idle.brightness() == 80
    idle.advance(DIM_AFTER_MS / 1000 + 1)
    assert idle.brightness() == 20
    assert not idle.is_black()
    idle.advance((DARK_AFTER_MS - DIM_AFTER_MS) / 1000)
    assert idle.brightness() == 0
    assert idle.is_black()


@pytest.mark.nightly
@pytest.mark.slow
def test_a_running_game_is_never_dim(five: VirtualTable) -> None:
    five.advance(2 * DARK_AFTER_MS / 1000)
    assert five.brightness() == 80
    assert not five.is_black()


@pytest.mark.slow
def test_a_game_that_is_over_lets_the_light_go_down_from_then_on(five: VirtualTable) -> None:
    five.advance(2 * DIM_AFTER_MS / 1000)
    five.terminal.carry_out((AskGame(VoidGame("nobody came back")),), five.clock.now_ms)
    five.after(0)
    five.advance(DIM_AFTER_MS / 1000 - 1)
    assert five.brightness() == 80
    five.advance(2)
    assert five.brightness() == 20


def test_on_a_dim_screen_a_touch_acts(idle: VirtualTable) -> None:
    idle.advance(DIM_AFTER_MS / 1000 + 1)
    idle.touch(CONNECTION)
    assert idle.scene() == CONNECTION
    assert idle.brightness() == 80


@pytest.mark.parametrize("hold_ms", [0, 3_000])
def test_the_touch_that_wakes_a_dark_screen_only_wakes(dark: VirtualTable, hold_ms: int) -> None:
    place = dark.place(CONNECTION)
    dark.touch_at(*place, hold_ms=hold_ms)
    assert dark.scene() == "waiting"
    assert not dark.is_black()
    assert dark.brightness() == 80
    dark.advance(1)
    dark.touch_at(*place)
    assert dark.scene() == CONNECTION


def test_a_second_finger_beside_the_one_that_wakes_does_nothing_either(dark: VirtualTable) -> None:
    place = dark.place(CONNECTION)
    dark.lay(MIDDLE)
    dark.advance(2)
    dark.lay(place, 2)
    dark.after(100)
    dark.lift(2)
    dark.lift()
    assert dark.scene() == "waiting"


def test_a_waking_finger_whose_lift_the_panel_lost_keeps_the_others_off_only_for_a_while(
    dark: VirtualTable,
) -> None:
    dark.lay(MIDDLE)
    dark.fingers.lose(1)
    dark.advance(GHOST_MS / 1000 + 1)
    dark.lay(CONNECTION, 2)
    dark.after(100)
    dark.lift(2)
    assert dark.scene() == CONNECTION


def test_a_tap_right_after_the_one_that_woke_was_not_meant(dark: VirtualTable) -> None:
    place = dark.place(CONNECTION)
    for finger in (1, 2):
        dark.lay(place, finger)
        dark.after(UNSEEN_MS // 4)
        dark.lift(finger)
    assert dark.scene() == "waiting"


def test_a_button_wakes_and_does_nothing_else_and_a_hold_of_it_neither(five: VirtualTable) -> None:
    five.terminal.carry_out((AskGame(VoidGame("nobody came back")),), five.clock.now_ms)
    five.after(0)
    five.advance(DARK_AFTER_MS / 1000 + 1)
    before = five.entries()
    five.press(PanelButton.CALL_JUDGE, hold_ms=2_000)
    assert not five.is_black()
    assert five.entries() == before


def test_the_key_wakes_and_counts(dark: VirtualTable) -> None:
    dark.turn_key(on=True)
    assert dark.view.judge_present
    assert not dark.is_black()


def test_a_call_to_the_seats_wakes(dark: VirtualTable) -> None:
    seated(dark)
    assert not dark.is_black()
    assert dark.brightness() == 80


def test_another_table_wakes(dark: VirtualTable) -> None:
    dark.order(AssignTable(TableNo(4), ""))
    assert not dark.is_black()


@pytest.mark.slow
def test_what_was_left_open_in_the_dark_is_closed(idle: VirtualTable) -> None:
    idle.touch(CONNECTION)
    idle.advance(DARK_AFTER_MS / 1000 + 1)
    assert idle.scene() == "waiting"


def test_the_light_is_as_bright_as_people_chose_and_never_nothing(table: VirtualTable) -> None:
    for chosen, expected in ((100, 100), (50, 50), (0, 10)):
        wanted = msgspec.structs.replace(table.view.preferences, brightness=chosen)
        table.terminal.carry_out((ChangePreferences(wanted),), table.clock.now_ms)
        table.after(0)
        assert table.brightness() == expected


def test_a_code_is_shown_as_bright_as_the_screen_goes_and_not_longer(five: VirtualTable) -> None:
    chosen = five.brightness()
    assert chosen < 100
    now_ms = five.clock.now_ms
    five.terminal.carry_out((ShowCodes(ParcelContents.GAME, by_judge=True),), now_ms)
    five.after(0)
    assert five.brightness() == 100
    five.terminal.carry_out((CloseExport(),), now_ms)
    five.after(0)
    assert five.brightness() == chosen
