from pathlib import Path

import msgspec
import pytest

from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.state.game import GameState, Phase
from core.terms import GameId, SeatNo
from kiosk.terminal.lock import LockFile, TableLock
from kiosk.view.intents import LockTable
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.scenes.conftest import hand_on
from tests.scenarios.moments import Table

AFTER_S = 60
QUIET_MS = AFTER_S * 1_000
GAME = Table(5).begun().state
NOT_BEGUN = Table(5).state
ANOTHER = msgspec.structs.replace(GAME, game=GameId("another"))


def locks(lock: TableLock, game: GameState | None, after_s: int, now_ms: int) -> bool:
    lock.advance(game, after_s, now_ms)
    return lock.is_locked


def test_a_table_is_open_until_somebody_locks_it() -> None:
    lock = TableLock(LockFile(None))
    assert not locks(lock, GAME, 0, 10_000_000)
    assert lock.next_deadline_ms(GAME, 0) is None
    lock.choose(is_locked=True, now_ms=5)
    assert locks(lock, GAME, 0, 6)
    lock.choose(is_locked=False, now_ms=7)
    assert not locks(lock, GAME, 0, 8)


def test_it_locks_by_itself_after_a_quiet_time_only_where_that_was_chosen() -> None:
    lock = TableLock(LockFile(None))
    lock.on_touch(1_000)
    assert lock.next_deadline_ms(GAME, AFTER_S) == 1_000 + QUIET_MS
    assert not locks(lock, GAME, AFTER_S, QUIET_MS + 999)
    assert not locks(lock, GAME, 0, QUIET_MS + 1_000)
    assert locks(lock, GAME, AFTER_S, QUIET_MS + 1_000)
    assert lock.next_deadline_ms(GAME, AFTER_S) is None


def test_an_open_question_keeps_it_from_locking_by_itself() -> None:
    wounded = Table(5).begun()
    while wounded.state.seats[1].life > 0:
        wounded.do(LoseLife(SeatNo(2)))
    assert wounded.state.pending
    assert not locks(TableLock(LockFile(None)), wounded.state, AFTER_S, QUIET_MS)
    assert TableLock(LockFile(None)).next_deadline_ms(wounded.state, AFTER_S) is None


@pytest.mark.parametrize("game", [None, NOT_BEGUN], ids=["no game", "seating"])
def test_a_lock_does_not_outlast_the_running_game_and_nobody_waits_for_one(game: GameState | None) -> None:
    lock = TableLock(LockFile(None))
    assert lock.next_deadline_ms(game, AFTER_S) is None
    lock.choose(is_locked=True, now_ms=0)
    assert not locks(lock, game, 0, 1)
    assert not locks(lock, GAME, 0, 2)


def test_buttons_of_a_locked_panel_only_call_the_judge() -> None:
    lock = TableLock(LockFile(None))
    lock.choose(is_locked=True, now_ms=0)
    commands = (EndTurn(), Reshuffle(), CallJudge(), AnswerJudgeCall())
    assert [lock.refuses(command) for command in commands] == [True, True, False, False]


def test_a_locked_screen_offers_the_lock_and_the_judge_and_nothing_else() -> None:
    view = Table(7).running().view()
    hand = hand_on(view)
    screen = hand.screen
    hand.touch("menu", view=view)
    assert screen.scene_name() == "menu"
    screen.update(msgspec.structs.replace(view, is_locked=True))
    assert screen.scene_name() == "locked"
    assert {target.id for target in screen.targets()} == {"unlock", "call-judge"}
    hand.touch("unlock")
    assert hand.intents == [LockTable(is_locked=False)]
    unlock = next(target for target in screen.targets() if target.id == "unlock")
    assert unlock.hold_ms >= 800


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_the_lock_is_on_the_table_screen(seats: int) -> None:
    hand = hand_on(Table(seats).begun().view())
    hand.touch("lock")
    assert hand.intents == [LockTable(is_locked=True)]


@pytest.mark.slow
def test_a_table_that_is_locked_by_hand_comes_back_locked_and_an_unlocked_one_open(
    five: VirtualTable,
) -> None:
    five.touch("lock")
    five.restart()
    assert five.scene() == "locked"
    five.touch("unlock")
    assert five.scene() == "play"
    five.restart()
    assert five.scene() == "play"


def test_a_table_that_locked_itself_writes_nothing_and_locks_itself_again(tmp_path: Path) -> None:
    file = LockFile(tmp_path)
    for start_ms in (0, 500_000):
        lock = TableLock(file)
        assert locks(lock, GAME, AFTER_S, start_ms + QUIET_MS)
    file.close()
    assert not (tmp_path / "lock.json").exists()


def test_the_lock_of_a_game_that_ended_or_of_another_is_forgotten(tmp_path: Path) -> None:
    def comes_back(game: GameState) -> bool:
        file = LockFile(tmp_path)
        lock = TableLock(file)
        is_locked = locks(lock, game, 0, 0)
        file.close()
        return is_locked

    for other in (msgspec.structs.replace(GAME, phase=Phase.ENDED), ANOTHER):
        file = LockFile(tmp_path)
        file.keep(GAME.game)
        file.close()
        assert [comes_back(game) for game in (GAME, other, GAME)] == [True, False, False]


def test_only_what_changed_is_written() -> None:
    kept: list[GameId | None] = []

    class Store(LockFile):
        def read(self) -> GameId | None:
            return GAME.game

        def keep(self, state: GameId | None) -> None:
            kept.append(state)

    lock = TableLock(Store(None))
    assert not locks(lock, None, 0, 0)
    assert [locks(lock, GAME, 0, now_ms) for now_ms in range(3)] == [True] * 3
    assert kept == []
    for is_locked in (False, False, True, True, False):
        lock.choose(is_locked=is_locked, now_ms=5)
        locks(lock, GAME, 0, 6)
    assert kept == [None, GAME.game, None]
    lock.choose(is_locked=True, now_ms=7)
    locks(lock, NOT_BEGUN, 0, 8)
    assert kept == [None, GAME.game, None]
