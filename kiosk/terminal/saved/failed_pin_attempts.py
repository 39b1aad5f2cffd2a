"""The failed PIN attempts of a terminal, kept over any restart.

The wall clock of a Pi may be wrong, so no moment is kept: how many were wrong, how many locks there
were, and how long the lock that runs still has to last. A restart goes on with the rest that was
written last; pulling the plug never makes a wait shorter.
"""

import hashlib
from pathlib import Path
from typing import Annotated, Final, Protocol

import msgspec

from saloon.base.state_file import StateFile

TRIES: Final = 5
"""The number of wrong PINs that lock."""
FIRST_LOCK_MS: Final = 30_000
"""Each lock is twice as long as the one before."""
LONGEST_LOCK_MS: Final = 3_600_000
_NAME: Final = "pin.json"
_MOST_DOUBLED: Final = 7
_Count = Annotated[int, msgspec.Meta(ge=0)]


class FailedPinAttempts(msgspec.Struct, frozen=True):
    """Wrong PINs so far. of: digest of the hash they were compared with; another PIN has a clean slate.

    wrong: since the last lock. locks: so far. wait_ms: what is left of the lock that runs, 0 for none.
    reported: the locks that are in the journal for the station.
    """

    of: str = ""
    wrong: _Count = 0
    locks: _Count = 0
    wait_ms: _Count = 0
    reported: _Count = 0


def pin_digest(hashed: str) -> str:
    """Return the digest that identifies a PIN: the station salts the hash, so a newly set PIN differs."""
    return hashlib.sha256(hashed.encode()).hexdigest()[:16]


def add_failed_attempt(failed: FailedPinAttempts) -> FailedPinAttempts:
    """Return the attempts after one more wrong PIN; the last of five begins a lock."""
    if failed.wrong + 1 < TRIES:
        return msgspec.structs.replace(failed, wrong=failed.wrong + 1, wait_ms=0)
    wait_ms = min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** min(failed.locks, _MOST_DOUBLED))
    return msgspec.structs.replace(failed, wrong=0, locks=failed.locks + 1, wait_ms=wait_ms)


class FailedAttemptStore(Protocol):
    """A store of failed attempts. ``write`` returns when it would survive a power cut; it never raises."""

    def read(self) -> FailedPinAttempts:
        """Return the attempts saved last; none if nothing was saved."""

    def write(self, failed: FailedPinAttempts) -> None:
        """Keep this failed instead. Called on another thread than the screen's."""


class NoFailedAttemptFile:
    """Keeps nothing: for a terminal without a folder of its own."""

    def read(self) -> FailedPinAttempts:
        """Return no failed attempts."""
        return FailedPinAttempts()

    def write(self, failed: FailedPinAttempts) -> None:
        """Write nothing."""


class FailedAttemptFile(StateFile[FailedPinAttempts]):
    """The file in the folder of a terminal's data; if it cannot be written, attempts last until a restart."""

    def __init__(self, data: Path) -> None:
        super().__init__(
            data / _NAME, "failed PINs", lambda raw: msgspec.json.decode(raw, type=FailedPinAttempts)
        )

    def read(self) -> FailedPinAttempts:
        """Return the attempts saved last; none if nothing was saved or it cannot be read."""
        return super().read() or FailedPinAttempts()
