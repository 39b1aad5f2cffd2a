"""The round's clock in the whole app: orders, touches, lamp, tunes, restarts, and its file."""

from pathlib import Path

import msgspec
import pytest

from core.game.orders import SetClock
from core.terms import GameId, Seconds
from hardware.contract import Lamp
from kiosk.terminal.round_clock import ClockFile, SavedClock, new_clock
from kiosk.view.table_view import RoundTime
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


def time(table: VirtualTable) -> RoundTime:
    time_left = table.view.round_time
    assert time_left is not None
    return time_left


def test_the_judge_stops_the_table_lets_it_run_and_gives_time(running: VirtualTable) -> None:
    running.turn_key(on=True)
    running.touch("menu", "judge-menu", "clock", "clock-pause")
    left = time(running).left_s
    running.advance(600)
    assert (time(running).left_s, time(running).is_held_here) == (left, True)
    running.touch("clock-resume", "clock-extend-5")
    assert abs(time(running).left_s - left - 300) <= 1
    assert time(running).extended_s == 300


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
    left = time(running).left_s
    running.restart()
    assert abs(time(running).left_s - left) <= 60


def test_a_stopped_table_is_still_stopped_after_a_restart(running: VirtualTable) -> None:
    running.turn_key(on=True)
    running.touch("menu", "judge-menu", "clock", "clock-pause")
    left = time(running).left_s
    running.restart()
    running.advance(300)
    assert (time(running).is_held_here, time(running).left_s) == (True, left)


@pytest.mark.slow
def test_the_station_ends_a_pause_that_was_made_here_once(running: VirtualTable) -> None:
    running.turn_key(on=True)
    running.touch("menu", "judge-menu", "clock", "clock-pause")
    left = time(running).left_s
    running.advance(600)
    running.order(SetClock(GAME, 2, LIMIT_S, Seconds(left - 600), ends_pause=1))
    assert (time(running).left_s, time(running).is_paused) == (left, False)
    running.touch("clock-pause")
    running.restart()
    assert (time(running).is_held_here, time(running).left_s) == (True, left)


@pytest.mark.slow
def test_a_limit_that_is_set_while_the_game_is_played_is_shown(table: VirtualTable) -> None:
    seated(table)
    assert table.view.round_time is None
    table.advance(60)
    table.order(SetClock(GAME, 0, LIMIT_S, LIMIT_S, started=False))
    assert (time(table).left_s, time(table).is_started) == (LIMIT_S, False)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"game": 3}', b"\xff\xfe"])
def test_a_damaged_file_is_left_out(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "clock.json").write_bytes(damage)
    assert ClockFile(tmp_path).read() is None


def test_what_was_kept_is_read_again_and_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    kept = SavedClock(GAME, new_clock(3_600, 5, started=True), 7, "boot")
    file = ClockFile(tmp_path)
    file.keep(kept)
    file.close()
    assert ClockFile(tmp_path).read() == kept
    nowhere = ClockFile(tmp_path / "gone")
    nowhere.keep(kept)
    nowhere.close()
    assert nowhere.read() is None
