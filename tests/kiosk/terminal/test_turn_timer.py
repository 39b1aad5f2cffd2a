"""The turn timer: it counts, pauses while the table waits, warns once, and has no other effect."""

import pytest
from msgspec.structs import replace

from core.game.state.game import GameState
from core.terms import SeatNo
from hardware.contract import Tune
from kiosk.terminal.clocks import TurnTimer
from kiosk.view.table_view import TurnTime
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
