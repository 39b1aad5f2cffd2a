"""The check of the judge's PIN, off the main thread, with a lock-out after too many wrong ones.

Failed attempts are kept across restarts. As a Pi's wall clock may be wrong, no times are stored, only the
number of wrong attempts and locks and the remaining time of the current lock. A restart continues with the
remaining time written last, so cutting the power never shortens a lock.
"""

import hashlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Final

import msgspec

from base.state_file import StateFile
from kiosk.view.intents import AskGame, UnlockGlass
from kiosk.view.table_view import PinState

_TRIES: Final = 5
"""The number of wrong PINs that starts a lock."""
_FIRST_LOCK_MS: Final = 30_000
"""The duration of the first lock; each further one is twice as long."""
LONGEST_LOCK_MS: Final = 3_600_000
_NAME: Final = "pin.json"
_MOST_DOUBLED: Final = 7
_SECOND_MS: Final = 1_000
_KEPT_EVERY_MS: Final = 60_000
_Count = Annotated[int, msgspec.Meta(ge=0)]


class FailedPinAttempts(msgspec.Struct, frozen=True):
    """The wrong PINs since the last lock, and the locks so far.

    of: the digest of the hash that they were compared with; a new PIN starts at 0.
    wait_ms: remaining time of the current lock, or 0.
    reported: how many locks were reported to the station.
    """

    of: str = ""
    wrong: _Count = 0
    locks: _Count = 0
    wait_ms: _Count = 0
    reported: _Count = 0


def _pin_digest(hashed: str) -> str:
    """Return a digest that identifies a PIN; as the station salts its hash, any newly set PIN differs."""
    return hashlib.sha256(hashed.encode()).hexdigest()[:16]


def add_failed_attempt(failed: FailedPinAttempts) -> FailedPinAttempts:
    """Return the attempts after another wrong PIN; every fifth one starts a lock."""
    if failed.wrong + 1 < _TRIES:
        return msgspec.structs.replace(failed, wrong=failed.wrong + 1, wait_ms=0)
    wait_ms = min(LONGEST_LOCK_MS, _FIRST_LOCK_MS * 2 ** min(failed.locks, _MOST_DOUBLED))
    return msgspec.structs.replace(failed, wrong=0, locks=failed.locks + 1, wait_ms=wait_ms)


class FailedAttemptFile(StateFile[FailedPinAttempts]):
    """A file in the data folder; if it can't be written, attempts are kept only until a restart."""

    def __init__(self, data: Path | None) -> None:
        super().__init__(
            data and data / _NAME, "failed PINs", lambda raw: msgspec.json.decode(raw, type=FailedPinAttempts)
        )

    def read(self) -> FailedPinAttempts:
        return super().read() or FailedPinAttempts()


class PinCheck:
    """A check of PINs against a hash. ``wake`` is called on another thread when the result is there.

    Each attempt is durably counted as wrong before the comparison, so that cutting the power costs an
    attempt. ``keeper`` keeps failed attempts across a restart. ``used`` counts the right PINs that allowed
    something.
    """

    def __init__(self, wake: Callable[[], None], keeper: FailedAttemptFile) -> None:
        self._wake = wake
        self._keeper = keeper
        self._pool = ThreadPoolExecutor(1, "pin")
        self._running: Future[bool] | None = None
        self._failed = self._keeper.read()
        self._counted = self._failed
        self._locked_until_ms: int | None = None
        self._kept_at_ms = 0
        self._state = PinState.NONE
        self._allowed: AskGame | UnlockGlass | None = None
        self.used = 0

    def begin(self, pin: str, hashed: str, now_ms: int, allowed: AskGame | UnlockGlass | None = None) -> bool:
        """Start a comparison, or return False if one is running already or the keypad is locked.

        ``allowed`` is what a right PIN allows, or None for the judge's menu.
        """
        self._compare_with(hashed, now_ms)
        if self._running is not None or self.wait_ms(now_ms):
            return False
        self._state = PinState.CHECKING
        self._allowed = allowed
        self._counted = add_failed_attempt(self._failed)
        self._running = self._pool.submit(self._compare, pin, hashed, self._counted)
        self._running.add_done_callback(lambda _: self._wake())
        return True

    def advance(self, hashed: str, now_ms: int) -> None:
        """Process a finished comparison and the time of the lock; forget an earlier right PIN.

        ``hashed`` is the PIN's hash from the station; a new one clears failed attempts and the lock.
        """
        self.forget()
        self._compare_with(hashed, now_ms)
        if self._running is not None and self._running.done():
            # If the comparison failed, the PIN wasn't right.
            compared, self._running = self._running, None
            self._state, self._failed = PinState.WRONG, self._counted
            self._locked_until_ms = None
            if compared.result():
                self._state, self._failed = PinState.RIGHT, FailedPinAttempts(self._counted.of)
        if self._failed.wait_ms:
            self._wait(self._failed, now_ms)

    def take_allowed(self, now_ms: int) -> AskGame | UnlockGlass | None:
        """Return what the PIN allows if it is right, once."""
        if self.state(now_ms) is not PinState.RIGHT or self._allowed is None:
            return None
        allowed, self._allowed = self._allowed, None
        self.forget()
        self.used += 1
        return allowed

    def state(self, now_ms: int) -> PinState:
        """Return the result of the last PIN; a right one only until the next ``advance``."""
        if self.wait_ms(now_ms):
            return PinState.LOCKED
        is_over = self._state is PinState.WRONG and self._failed.wrong == 0
        return PinState.NONE if is_over else self._state

    def wait_ms(self, now_ms: int) -> int:
        """Return the remaining time of the lock, or 0."""
        if self._locked_until_ms is None:
            return self._failed.wait_ms
        return max(0, self._locked_until_ms - now_ms)

    def _wait(self, failed: FailedPinAttempts, now_ms: int) -> None:
        if self._locked_until_ms is None:
            self._locked_until_ms = now_ms + failed.wait_ms
            self._kept_at_ms = now_ms
        left_ms = self.wait_ms(now_ms)
        if left_ms == 0 or now_ms - self._kept_at_ms >= _KEPT_EVERY_MS:
            self._failed = msgspec.structs.replace(failed, wait_ms=left_ms)
            self._keep(self._failed, now_ms)

    def _compare_with(self, hashed: str, now_ms: int) -> None:
        of = _pin_digest(hashed)
        if of == self._failed.of or self._running is not None or not hashed:
            return
        if self._failed != FailedPinAttempts(self._failed.of):
            self._state = PinState.NONE
            self._keep(FailedPinAttempts(of), now_ms)
        self._failed = FailedPinAttempts(of)
        self._locked_until_ms = None

    def next_deadline_ms(self, now_ms: int) -> int | None:
        left_ms = self.wait_ms(now_ms)
        return now_ms + ((left_ms - 1) % _SECOND_MS + 1) if left_ms else None

    def take_unreported(self) -> int:
        """Return the number of wrong PINs that led to an unreported lock, once; otherwise 0.

        A power cut between the lock and its report loses nothing.
        """
        if self._failed.locks <= self._failed.reported or self._running is not None:
            return 0
        self._failed = msgspec.structs.replace(self._failed, reported=self._failed.locks)
        self._pool.submit(self._keeper.write, self._failed)
        return self._failed.locks * _TRIES

    def forget(self) -> None:
        """Forget a right PIN that was used; a wrong one is shown until the next one is typed."""
        if self._state is PinState.RIGHT:
            self._state = PinState.NONE

    def close(self) -> None:
        self._pool.shutdown(wait=True)

    def _keep(self, failed: FailedPinAttempts, now_ms: int) -> None:
        self._kept_at_ms = now_ms
        self._pool.submit(self._keeper.write, failed)

    def _compare(self, pin: str, hashed: str, counted: FailedPinAttempts) -> bool:
        self._keeper.write(counted)
        right = _matches(pin, hashed)
        if right:
            self._keeper.write(FailedPinAttempts(counted.of))
        return right


def _matches(pin: str, hashed: str) -> bool:
    # Import it with the first PIN, on this thread.
    import argon2

    try:
        return argon2.PasswordHasher().verify(hashed, pin)
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError, UnicodeEncodeError):
        return False
