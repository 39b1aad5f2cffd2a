"""The status of a running terminal for other programs on its computer, in a small file.

It is written atomically every few seconds, in memory rather than on the card. ``doctor`` reads it instead of
using a wire that the terminal has open.
"""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from base.clock import Clock
from base.errors import BadData, Unavailable
from base.system import is_running
from base.whole_file import write_whole
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import LinkPhase, LinkReport, UplinkContract

_EVERY_MS: Final = 5_000
_STALE_S: Final = 20
_SYSTEM: Final = Path("/run/saloon-terminal")


class TerminalStatus(msgspec.Struct, frozen=True):
    """The status of a terminal. ``at_s`` is the wall clock, in seconds since 1970."""

    pid: int
    at_s: int
    saved: int
    received: int
    link: LinkReport


def status_file(data: Path, folder: Path | None = None) -> Path:
    """Return the status file for a data folder, in the default runtime folder unless another is given."""
    if folder is None:
        runtime = os.environ.get("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR")
        folder = Path(runtime or tempfile.gettempdir())
    name = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:12]
    return folder / f"saloon-link-{name}.json"


class TerminalStatusWriter:
    """A writer of one terminal's status, which ignores errors."""

    def __init__(self, file: Path, journal: Journal, uplink: UplinkContract, clock: Clock) -> None:
        self._file = file
        self._journal = journal
        self._uplink = uplink
        self._clock = clock
        self._at_ms: int | None = None
        self._phase = LinkPhase.SEARCHING

    def write(self) -> None:
        """Write the status if some seconds have passed or the phase of the link has changed."""
        if not self._journal.is_open:
            return
        now_ms, link = self._clock.monotonic_ms(), self._uplink.report
        if self._at_ms is not None and now_ms - self._at_ms < _EVERY_MS and link.phase is self._phase:
            return
        self._at_ms, self._phase = now_ms, link.phase
        saved, received = self._journal.head().seq, self._uplink.received
        status = TerminalStatus(os.getpid(), self._clock.wall_ms() // 1000, saved, received, link)
        with contextlib.suppress(OSError):
            write_whole(self._file, msgspec.json.encode(status))

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)


def running_status(data: Path, now_s: int) -> TerminalStatus | None:
    """Return the recent status of a data folder's terminal, or None if it isn't running.

    Raises BadData for an invalid status file, Unavailable for one that can't be read.
    """
    for file in dict.fromkeys((status_file(data), status_file(data, _SYSTEM))):
        try:
            status = msgspec.json.decode(file.read_bytes(), type=TerminalStatus)
        except FileNotFoundError:
            continue
        except msgspec.DecodeError as error:
            raise BadData(str(file), f"this is not a terminal's status file: {error}") from error
        except OSError as error:
            raise Unavailable(f"{file}: {error.strerror}") from error
        if is_running(status.pid) and abs(now_s - status.at_s) <= _STALE_S:
            return status
    return None
