"""Read a file that holds secrets from the card's boot partition, and leave nothing of it there."""

from pathlib import Path
from typing import Final, Protocol

from saloon.base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove

_SECTOR: Final = 512
"""Bytes that a card writes whole or not at all."""
GONE: Final = b"\0"
"""The first byte of a file whose content was wiped: no text begins so."""


class CardFiles(Files, Protocol):
    """The file operations of the boot partition, with overwriting in place."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Overwrite bytes of a file in place, on the same blocks; durable only after ``flush``."""


class DiskCard(DiskFiles):
    """The boot partition of this machine."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """See CardFiles."""
        with path.open("r+b") as out:
            out.seek(start)
            out.write(content)


def wipe(card: CardFiles, source: Path, size: int) -> None:
    """Remove the file and its content: a name that is removed from FAT leaves its blocks as they were.

    The first sector is wiped first: a power cut in between leaves a file that is recognised as wiped.
    Raises Unavailable.
    """
    with disk_errors_as_unavailable(source):
        for start, end in ((0, min(size, _SECTOR)), (_SECTOR, size)):
            if end > start:
                card.overwrite(source, start, b"\0" * (end - start))
                card.flush(source)
    remove(card, source)
