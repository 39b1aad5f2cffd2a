"""The round's clock in the whole app: orders, touches, lamp, tunes, restarts, and its file."""

import msgspec
import pytest

from core.game.orders import SetClock
from core.terms import GameId, Seconds
from hardware.contract import Lamp
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import VirtualTable

GAME = GameId("g1")
LIMIT_S = Seconds(3_600)


@pytest.fixture
def running(table: VirtualTable) -> VirtualTable:
    """Bring a table to its first turn, with an hour to play and a clock started well after the connection."""
    seated(table, msgspec.structs.replace(seat_game(time_limit_min=60), clock_waits=True))
    table.advance(60)
    table.order(SetClock(GAME, 1, LIMIT_S, LIMIT_S))
    return table


def test_the_judge_stops_the_table_lets_it_run_and_gives_time(running: VirtualTable) -> None:
    running.turn_key(on=True)
    running.touch("menu", "judge-menu", "clock", "clock-pause")
    left = running.round_time.left_s
    running.advance(600)
    assert (running.round_time.left_s, running.round_time.is_held_here) == (left, True)
    running.touch("clock-resume", "clock-extend-5")
    assert abs(running.round_time.left_s - left - 300) <= 1
    assert running.round_time.extended_s == 300


@pytest.mark.slow
def test_lamp_and_words_warn_and_say_what_to_do_at_the_end(running: VirtualTable) -> None:
    assert running.lamp().pattern is Lamp.PLAYING
    running.order(SetClock(GAME, 2, LIMIT_S, Seconds(305)))
    running.advance(8)
    assert running.lamp().pattern is Lamp.TIME_SHORT
    assert any("5 minutes left." in words for words in running.says())
    running.advance(30)
    assert running.lamp().pattern is Lamp.PLAYING
    running.advance(300)
    assert running.lamp().pattern is Lamp.TIME_OVER
    assert any("Time's up." in words and "no winner" in words for words in running.says())


def test_the_clock_comes_back_with_the_table_after_a_restart(running: VirtualTable) -> None:
    running.advance(100)
    left = running.round_time.left_s
    running.restart()
    assert abs(running.round_time.left_s - left) <= 60


@pytest.mark.slow
def test_the_station_ends_a_pause_once_and_a_table_that_was_stopped_restarts_stopped(
    running: VirtualTable,
) -> None:
    running.turn_key(on=True)
    running.touch("menu", "judge-menu", "clock", "clock-pause")
    left = running.round_time.left_s
    running.advance(600)
    running.order(SetClock(GAME, 2, LIMIT_S, Seconds(left - 600), ends_pause=1))
    assert (running.round_time.left_s, running.round_time.is_paused) == (left, False)
    running.touch("clock-pause")
    running.restart()
    running.advance(300)
    assert (running.round_time.is_held_here, running.round_time.left_s) == (True, left)


@pytest.mark.slow
def test_a_limit_that_is_set_while_the_game_is_played_is_shown(table: VirtualTable) -> None:
    seated(table)
    assert table.view.round_time is None
    table.advance(60)
    table.order(SetClock(GAME, 0, LIMIT_S, LIMIT_S, started=False))
    assert (table.round_time.left_s, table.round_time.is_started) == (LIMIT_S, False)
