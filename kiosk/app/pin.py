"""The judge's PIN: checked off the main thread, locked after too many wrong ones."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import argon2

from saloon.kiosk.table_view import PinState

_TRIES = 5
_FIRST_LOCK_MS = 30_000


class PinCheck:
    """Compares PINs with a hash; ``wake`` is called, on another thread, when an answer is there."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pool = ThreadPoolExecutor(1, "pin")
        self._running: Future[bool] | None = None
        self._wrong = 0
        self._locks = 0
        self._locked_until_ms = 0
        self._state = PinState.NONE

    def begin(self, pin: str, hashed: str, now_ms: int) -> bool:
        """Start to compare; False, and nothing happens, while one runs or the lock is on."""
        if self._running is not None or now_ms < self._locked_until_ms:
            return False
        self._state = PinState.CHECKING
        self._running = self._pool.submit(_matches, pin, hashed)
        self._running.add_done_callback(lambda _: self._wake())
        return True

    def state(self, now_ms: int) -> PinState:
        """What became of the last PIN; RIGHT is told once."""
        if self._running is not None and self._running.done():
            right = self._running.result()
            self._running = None
            self._state = PinState.RIGHT if right else PinState.WRONG
            self._count(now_ms, right=right)
        if now_ms < self._locked_until_ms:
            return PinState.LOCKED
        if self._state is PinState.LOCKED:
            self._state = PinState.NONE
        return self._state

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """When the lock ends; None without one."""
        return self._locked_until_ms if now_ms < self._locked_until_ms else None

    def forget(self) -> None:
        """A right answer was used; a wrong one stays to be read until the next is typed."""
        if self._state is PinState.RIGHT:
            self._state = PinState.NONE

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=True)

    def _count(self, now_ms: int, *, right: bool) -> None:
        if right:
            self._wrong = self._locks = 0
            return
        self._wrong += 1
        if self._wrong >= _TRIES:
            self._wrong = 0
            self._locked_until_ms = now_ms + _FIRST_LOCK_MS * 2**self._locks
            self._locks += 1
            self._state = PinState.LOCKED


def _matches(pin: str, hashed: str) -> bool:
    try:
        return argon2.PasswordHasher().verify(hashed, pin)
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False
