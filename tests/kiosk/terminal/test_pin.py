import threading

import argon2
import pytest

from kiosk.terminal.pin import FailedAttemptFile, PinCheck
from kiosk.view.table_view import PinState

CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("2019")


class Judge:
    """A judge who types a PIN and waits for the comparison."""

    def __init__(self) -> None:
        self._answered = threading.Semaphore(0)
        self.check = PinCheck(self._answered.release, FailedAttemptFile(None))

    def types(self, pin: str, now_ms: int, hashed: str = CHEAP) -> PinState:
        if self.check.begin(pin, hashed, now_ms):
            assert self._answered.acquire(timeout=10)
        self.check.advance(hashed, now_ms)
        return self.check.state(now_ms)


@pytest.fixture
def judge() -> Judge:
    return Judge()


def test_the_right_pin_is_right_until_the_next_step(judge: Judge) -> None:
    assert judge.check.state(0) is PinState.NONE
    assert judge.types("2019", 0) is PinState.RIGHT
    assert judge.check.state(0) is PinState.RIGHT
    judge.check.advance(CHEAP, 0)
    assert judge.check.state(0) is PinState.NONE


@pytest.mark.parametrize("hashed", ["", "nonsense", "ü", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
def test_no_pin_is_right_where_the_station_sent_none(judge: Judge, hashed: str) -> None:
    assert judge.types("2019", 0, hashed) is PinState.WRONG


def test_a_wrong_one_stays_to_be_read(judge: Judge) -> None:
    judge.types("1", 0)
    judge.check.advance(CHEAP, 0)
    assert judge.check.state(0) is PinState.WRONG


def test_five_wrong_ones_lock_and_each_lock_is_twice_as_long(judge: Judge) -> None:
    now_ms = 0
    for lock_ms in (30_000, 60_000, 120_000):
        for _ in range(4):
            assert judge.types("1", now_ms) is PinState.WRONG
        assert judge.types("1", now_ms) is PinState.LOCKED
        assert judge.check.wait_ms(now_ms) == lock_ms
        assert judge.check.next_deadline_ms(now_ms) == now_ms + 1_000
        assert judge.types("2019", now_ms + lock_ms - 1) is PinState.LOCKED
        now_ms += lock_ms
        judge.check.advance(CHEAP, now_ms)
        assert judge.check.state(now_ms) is PinState.NONE
        assert judge.check.next_deadline_ms(now_ms) is None


def test_a_right_one_wipes_the_slate(judge: Judge) -> None:
    for _ in range(4):
        judge.types("1", 0)
    assert judge.types("2019", 0) is PinState.RIGHT
    for _ in range(4):
        assert judge.types("1", 0) is PinState.WRONG


def test_while_one_is_compared_or_the_lock_is_on_no_other_begins(judge: Judge) -> None:
    assert judge.check.begin("2019", CHEAP, 0)
    assert not judge.check.begin("1", CHEAP, 0)
    judge.check.close()
