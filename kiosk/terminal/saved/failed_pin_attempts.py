"""The failed PIN attempts of a terminal, kept across restarts.

As a Pi's wall clock may be wrong, no times are stored, only the number of wrong attempts and locks and the
remaining time of the current lock. A restart continues with the remaining time written last, so cutting the
power never shortens a lock.
"""

import hashlib
from pathlib import Path
from typing import Annotated, Final, Protocol

import msgspec

from base.state_file import StateFile

TRIES: Final = 5
"""The number of wrong PINs that starts a lock."""
FIRST_LOCK_MS: Final = 30_000
"""The duration of the first lock; each further one is twice as long."""
LONGEST_LOCK_MS: Final = 3_600_000
_NAME: Final = "pin.json"
_MOST_DOUBLED: Final = 7
_Count = Annotated[int, msgspec.Meta(ge=0)]


class FailedPinAttempts(msgspec.Struct, frozen=True):
    """The wrong PINs so far.

    of: the digest of the hash that they were compared with; a new PIN starts at 0.
    wrong: wrong PINs since the last lock.
    locks: locks so far.
    wait_ms: remaining time of the current lock, or 0.
    reported: how many locks were reported to the station.
    """

    of: str = ""
    wrong: _Count = 0
    locks: _Count = 0
    wait_ms: _Count = 0
    reported: _Count = 0


def pin_digest(hashed: str) -> str:
    """Return a digest that identifies a PIN; as the station salts its hash, any newly set PIN differs."""
    return hashlib.sha256(hashed.encode()).hexdigest()[:16]


def add_failed_attempt(failed: FailedPinAttempts) -> FailedPinAttempts:
    """Return the attempts after another wrong PIN; every fifth one starts a lock."""
    if failed.wrong + 1 < TRIES:
        return msgspec.structs.replace(failed, wrong=failed.wrong + 1, wait_ms=0)
    wait_ms = min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** min(failed.locks, _MOST_DOUBLED))
    return msgspec.structs.replace(failed, wrong=0, locks=failed.locks + 1, wait_ms=wait_ms)


class FailedAttemptStore(Protocol):
    """A store for failed attempts. ``write`` returns once the data is durable; it never raises."""

    def read(self) -> FailedPinAttempts:
        """Return the attempts saved last, or empty ones."""

    def write(self, failed: FailedPinAttempts) -> None:
        """Save these attempts. Called on another thread than the screen's."""


class NoFailedAttemptFile:
    """A store that keeps nothing, for a terminal without a data folder."""

    def read(self) -> FailedPinAttempts:
        return FailedPinAttempts()

    def write(self, failed: FailedPinAttempts) -> None:
        """Do nothing."""


class FailedAttemptFile(StateFile[FailedPinAttempts]):
    """A file in the data folder; if it can't be written, attempts are kept only until a restart."""

    def __init__(self, data: Path) -> None:
        super().__init__(
            data / _NAME, "failed PINs", lambda raw: msgspec.json.decode(raw, type=FailedPinAttempts)
        )

    def read(self) -> FailedPinAttempts:
        """Return the attempts saved last, or empty ones if there are none or the file can't be read."""
        return super().read() or FailedPinAttempts()
