"""The terminal's record of its station, and the provisioning files that the record comes from.

The record is a file in the data folder, of mode 0600, in the format of a provisioning file. As long as it
contains a token, the terminal has yet to enrol with the station. A file on the card's boot partition is wiped
once it is stored.
"""

import contextlib
import hashlib
from pathlib import Path
from typing import Final, Protocol

import msgspec
import structlog

from base.errors import BadData, Unavailable
from base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove, replace
from sync.enrolment.provisioning import Provisioning, StationPart, TerminalPart, provisioning_from, text_of

_log = structlog.get_logger()
_NAME = "provisioning.toml"


class StationRecord:
    """The record of a terminal's station, in a data folder."""

    def __init__(self, folder: Path, files: Files | None = None) -> None:
        self._file = folder / _NAME
        self._files = files or DiskFiles()

    def load(self) -> Provisioning | None:
        """Return the record, or None if there is none. Raises BadData or Unavailable."""
        raw = self._read(self._file)
        return None if raw is None else provisioning_from(raw, str(self._file))

    def save(self, provisioning: Provisioning) -> None:
        """Store a record durably, replacing any earlier one. Raises Unavailable."""
        replace(self._files, self._file, text_of(provisioning).encode())

    def save_joined(self, certificate: str, addresses: tuple[str, ...], serial: str) -> Provisioning:
        """Store the station that enrolled this terminal by cable or by code, and return the record."""
        former = self._load_or_none()
        # Keep ``taken_from``, as the imported file may still be there and is read at each start, and the
        # settings of panel and screen, which apply to any station.
        terminal = former.terminal if former is not None else TerminalPart()
        terminal = msgspec.structs.replace(
            terminal, token="", table=None, serial=serial, bus=False, rts=False
        )
        known = Provisioning(StationPart(certificate, addresses), terminal)
        self.save(known)
        return known

    def forget_token(self) -> None:
        """Remove the token once it is used up. Raises Unavailable."""
        known = self.load()
        if known is not None and known.terminal.token:
            self.save(_with_terminal(known, token=""))

    def import_file(self, source: Path, *, moves: bool) -> Provisioning | None:
        """Import a provisioning file and return the record, or None if neither exists.

        A file that was imported before changes nothing. If ``moves``, the file is removed once it is stored
        durably.
        Raises BadData for an invalid file, which is not removed, or Unavailable.
        """
        content = self._read(source)
        if content is None:
            return self.load()
        fresh = provisioning_from(content, str(source))
        # If root copied it from elsewhere, the original is the one to remove.
        origin = fresh.terminal.taken_from or hashlib.sha256(content).hexdigest()
        known = self._load_or_none()
        if known is None or known.terminal.taken_from != origin:
            known = _with_terminal(fresh.without_system(), taken_from=origin)
            self.save(known)
        if moves:
            self._remove(source)
        return known

    def settings_after_import(self, sources: tuple[Path, ...]) -> TerminalPart:
        """Return the settings that importing these files would give, ignoring invalid ones."""
        for source in (*reversed(sources), self._file):
            with contextlib.suppress(BadData, Unavailable):
                content = self._read(source)
                if content is not None:
                    return provisioning_from(content, str(source)).terminal
        return TerminalPart()

    def _read(self, source: Path) -> bytes | None:
        with disk_errors_as_unavailable(source):
            return self._files.read(source)

    def _load_or_none(self) -> Provisioning | None:
        """Return the record, or None if it is damaged, as a new file replaces it."""
        try:
            return self.load()
        except BadData as error:
            _log.warning("the record of the station is damaged", problem=str(error))
            return None

    def _remove(self, source: Path) -> None:
        try:
            remove(self._files, source)
        except Unavailable as error:
            # Its token is worthless once used, and the file is recognised at the next start.
            _log.warning("the provisioning file could not be removed", problem=str(error))


def _with_terminal(known: Provisioning, **changed: str) -> Provisioning:
    return msgspec.structs.replace(known, terminal=msgspec.structs.replace(known.terminal, **changed))


_SECTOR: Final = 512
"""Bytes that a card writes atomically."""
GONE: Final = b"\0"
"""The first byte of a wiped file, which no text starts with."""


class CardFiles(Files, Protocol):
    """The file operations of the boot partition, which include overwriting in place."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Overwrite bytes of a file in the same blocks, durable only after ``flush``."""


class DiskCard(DiskFiles):
    """The boot partition of this machine."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Implement ``CardFiles.overwrite``."""
        with path.open("r+b") as out:
            out.seek(start)
            out.write(content)


def wipe(card: CardFiles, source: Path, size: int) -> None:
    """Remove a file after overwriting its content, as FAT would leave its blocks unchanged.

    The first sector is overwritten first, so that a power cut leaves a file that is recognisable as wiped.
    Raises Unavailable.
    """
    with disk_errors_as_unavailable(source):
        for start, end in ((0, min(size, _SECTOR)), (_SECTOR, size)):
            if end > start:
                card.overwrite(source, start, b"\0" * (end - start))
                card.flush(source)
    remove(card, source)
