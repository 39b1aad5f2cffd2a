import threading
from pathlib import Path

import argon2
import pytest

from kiosk.terminal.pin import (
    LONGEST_LOCK_MS,
    FailedAttemptFile,
    FailedPinAttempts,
    PinCheck,
    add_failed_attempt,
)
from kiosk.view.table_view import PinState
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN

ANOTHER = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)


class Board:
    """A terminal's board: its card is kept, and its program ends at power cuts."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.start()

    def start(self) -> None:
        self._answered = threading.Semaphore(0)
        self.check = PinCheck(self._answered.release, FailedAttemptFile(self.folder))

    def types(self, pin: str, now_ms: int, hashed: str = CHEAP_PIN) -> PinState:
        if self.check.begin(pin, hashed, now_ms):
            assert self._answered.acquire(timeout=10)
        self.check.advance(hashed, now_ms)
        return self.check.state(now_ms)

    def lock(self, now_ms: int = 0) -> None:
        for _ in range(5):
            self.types("1", now_ms)

    def let_pass(self, ms: int) -> None:
        """Let time pass, and start again."""
        self.check.advance(CHEAP_PIN, ms)
        self.check.close()
        self.start()


@pytest.fixture
def judge() -> Board:
    return Board(None)


def test_the_right_pin_is_right_until_the_next_step(judge: Board) -> None:
    assert judge.check.state(0) is PinState.NONE
    assert judge.types(PIN, 0) is PinState.RIGHT
    assert judge.check.state(0) is PinState.RIGHT
    judge.check.advance(CHEAP_PIN, 0)
    assert judge.check.state(0) is PinState.NONE


@pytest.mark.parametrize("hashed", ["", "nonsense", "ü", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
def test_no_pin_is_right_where_the_station_sent_none(judge: Board, hashed: str) -> None:
    assert judge.types(PIN, 0, hashed) is PinState.WRONG


def test_a_wrong_one_stays_to_be_read(judge: Board) -> None:
    judge.types("1", 0)
    judge.check.advance(CHEAP_PIN, 0)
    assert judge.check.state(0) is PinState.WRONG


def test_five_wrong_ones_lock_and_each_lock_is_twice_as_long(judge: Board) -> None:
    now_ms = 0
    for lock_ms in (30_000, 60_000, 120_000):
        for _ in range(4):
            assert judge.types("1", now_ms) is PinState.WRONG
        assert judge.types("1", now_ms) is PinState.LOCKED
        assert judge.check.wait_ms(now_ms) == lock_ms
        assert judge.check.next_deadline_ms(now_ms) == now_ms + 1_000
        assert judge.types(PIN, now_ms + lock_ms - 1) is PinState.LOCKED
        now_ms += lock_ms
        judge.check.advance(CHEAP_PIN, now_ms)
        assert judge.check.state(now_ms) is PinState.NONE
        assert judge.check.next_deadline_ms(now_ms) is None


def test_while_one_is_compared_or_the_lock_is_on_no_other_begins(judge: Board) -> None:
    assert judge.check.begin(PIN, CHEAP_PIN, 0)
    assert not judge.check.begin("1", CHEAP_PIN, 0)
    judge.check.close()


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


def test_each_try_is_counted_before_it_is_answered(board: Board) -> None:
    for _ in range(4):
        assert board.check.begin("1", CHEAP_PIN, 0)
        assert board._answered.acquire(timeout=10)
        board.start()  # killed before anybody read the answer
    assert board.types("1", 0) is PinState.LOCKED


def test_a_lock_goes_on_in_full_after_a_restart(board: Board) -> None:
    board.lock()
    assert board.check.wait_ms(29_000) == 1_000
    board.start()
    board.check.advance(CHEAP_PIN, 0)
    assert board.check.state(0) is PinState.LOCKED
    assert board.check.wait_ms(0) == 30_000
    assert not board.check.begin(PIN, CHEAP_PIN, 29_999)
    assert board.types(PIN, 30_000) is PinState.RIGHT


@pytest.mark.slow
def test_locks_grow_over_restarts_up_to_an_hour(board: Board) -> None:
    waits = []
    for _ in range(9):
        board.lock()
        board.start()
        board.check.advance(CHEAP_PIN, 0)
        waits.append(board.check.wait_ms(0))
        board.let_pass(waits[-1])
        assert board.check.state(0) is PinState.NONE
    assert waits[:3] == [30_000, 60_000, 120_000]
    assert waits[-1] == LONGEST_LOCK_MS


@pytest.mark.slow
def test_what_is_left_of_a_long_lock_is_kept_each_minute(board: Board) -> None:
    for _ in range(4):
        board.lock()
        board.let_pass(board.check.wait_ms(0))
    board.lock()
    assert board.check.wait_ms(0) == 480_000
    board.let_pass(60_000)
    assert board.check.wait_ms(0) == 420_000


def test_a_right_pin_wipes_the_slate_durably(board: Board) -> None:
    for _ in range(4):
        board.types("1", 0)
    assert board.types(PIN, 0) is PinState.RIGHT
    board.start()
    for _ in range(4):
        assert board.types("1", 0) is PinState.WRONG


def test_a_pin_set_anew_at_the_station_opens_the_lock(board: Board) -> None:
    board.lock()
    board.start()
    assert board.check.state(0) is PinState.LOCKED
    board.check.advance(ANOTHER, 0)
    assert board.check.state(0) is PinState.NONE
    assert board.types(PIN, 0, ANOTHER) is PinState.RIGHT


def test_a_clock_that_begins_anew_does_not_shorten_the_wait(board: Board) -> None:
    board.lock(now_ms=1_000_000)
    board.start()
    assert board.check.wait_ms(5) == 30_000


def test_a_card_that_cannot_be_written_keeps_no_judge_from_working(tmp_path: Path) -> None:
    board = Board(tmp_path / "no such folder")
    board.lock()
    assert board.check.state(0) is PinState.LOCKED
    assert board.types(PIN, 30_000) is PinState.RIGHT


def test_a_slate_never_forgets_locks_by_wrong_ones() -> None:
    slate = FailedPinAttempts("x")
    for _ in range(50):
        slate = add_failed_attempt(slate)
    assert slate.locks == 10
    assert slate.wait_ms == LONGEST_LOCK_MS


def test_a_lock_is_reported_once_whenever_the_plug_was_pulled(board: Board) -> None:
    for _ in range(4):
        board.types("1", 0)
    assert board.check.take_unreported() == 0
    assert board.check.begin("1", CHEAP_PIN, 0)
    assert board._answered.acquire(timeout=10)
    board.start()  # killed before anybody read the answer
    assert (board.check.take_unreported(), board.check.take_unreported()) == (5, 0)
    board.check.close()
    board.start()
    assert board.check.take_unreported() == 0
    board.check.advance(CHEAP_PIN, 0)
    board.check.advance(CHEAP_PIN, 30_000)
    board.lock(30_000)
    assert board.check.take_unreported() == 10
