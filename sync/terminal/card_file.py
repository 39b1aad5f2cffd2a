"""Reading a file with secrets from the card's boot partition, and wiping it there."""

from pathlib import Path
from typing import Final, Protocol

from base.whole_file import DiskFiles, Files, disk_errors_as_unavailable, remove

_SECTOR: Final = 512
"""Bytes that a card writes atomically."""
GONE: Final = b"\0"
"""The first byte of a wiped file, which no text starts with."""


class CardFiles(Files, Protocol):
    """The file operations of the boot partition, with overwriting in place."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Overwrite bytes of a file in place, in the same blocks; durable only after ``flush``."""


class DiskCard(DiskFiles):
    """The boot partition of this machine."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Implement ``CardFiles.overwrite``."""
        with path.open("r+b") as out:
            out.seek(start)
            out.write(content)


def wipe(card: CardFiles, source: Path, size: int) -> None:
    """Remove a file and its content, as FAT would leave the blocks unchanged.

    The first sector is wiped first: a power cut in between leaves a file that is recognisable as wiped.
    Raises Unavailable.
    """
    with disk_errors_as_unavailable(source):
        for start, end in ((0, min(size, _SECTOR)), (_SECTOR, size)):
            if end > start:
                card.overwrite(source, start, b"\0" * (end - start))
                card.flush(source)
    remove(card, source)
