"""The turn timer, and the round's clock in the whole app: orders, touches, lamp, tunes and restarts."""

import msgspec
import pytest
from msgspec.structs import replace

from core.game.orders import SetClock
from core.game.state.game import GameState
from core.terms import GameId, SeatNo, Seconds
from hardware.contract import Lamp, Tune
from kiosk.terminal.clocks import TurnTimer
from kiosk.view.table_view import TurnTime
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.scenarios.moments import Table


class Watch:
    """A timer with a clock. tunes: those that were played."""

    def __init__(self, limit_s: int = 60) -> None:
        self.timer, self.limit_s, self.now_ms = TurnTimer(), limit_s, 5_000
        self.tunes: list[Tune] = []
        self.wakes = 0

    def after(self, seconds: int, game: GameState | None, *, stands: bool = False) -> TurnTime | None:
        end = self.now_ms + seconds * 1_000
        self.look(game, stands=stands)
        while True:
            due = self.timer.next_deadline_ms()
            if due is None or due > end:
                break
            self.now_ms, self.wakes = due, self.wakes + 1
            self.look(game, stands=stands)
        self.now_ms = end
        self.look(game, stands=stands)
        return self.timer.view()

    def look(self, game: GameState | None, *, stands: bool) -> None:
        tune = self.timer.look(game, self.limit_s, self.now_ms, stands=stands)
        self.tunes += [] if tune is None else [tune]


@pytest.fixture
def game() -> GameState:
    return Table(5).running().state


def test_it_counts_in_steps_and_warns_once(game: GameState) -> None:
    watch = Watch()
    assert watch.after(32, game) == TurnTime(30, 60)
    assert watch.after(200, game) == TurnTime(60, 60)
    assert (TurnTime(30, 60).is_over, TurnTime(60, 60).is_over) == (False, True)
    assert watch.tunes == [Tune.TURN_LONG]
    assert watch.wakes == 12
    assert watch.timer.next_deadline_ms() is None


def test_each_turn_begins_anew(game: GameState) -> None:
    watch = Watch()
    watch.after(70, game)
    assert watch.after(0, replace(game, turns=game.turns + 1)) == TurnTime(0, 60)


def test_it_stands_while_the_table_waits_for_somebody(game: GameState) -> None:
    watch = Watch()
    watch.after(20, game)
    for waits in (replace(game, judge_called=True), replace(game, pending=(SeatNo(1),))):
        assert watch.after(100, waits) == TurnTime(20, 60, stands=True)
        assert watch.timer.next_deadline_ms() is None
    assert watch.after(100, game, stands=True) == TurnTime(20, 60, stands=True)
    assert watch.after(10, game) == TurnTime(30, 60)
    assert watch.tunes == []


def test_without_a_choice_there_is_none(game: GameState) -> None:
    watch = Watch(limit_s=0)
    assert watch.after(100, game) is None
    assert Watch().after(100, None) is None
    assert watch.tunes == []


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
def test_a_limit_that_is_set_while_the_game_is_played_is_shown(five: VirtualTable) -> None:
    assert five.view.round_time is None
    five.advance(60)
    five.order(SetClock(GAME, 0, LIMIT_S, LIMIT_S, started=False))
    assert (five.round_time.left_s, five.round_time.is_started) == (LIMIT_S, False)
