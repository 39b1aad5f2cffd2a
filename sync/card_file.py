"""A file on the card's boot partition that holds secrets: taken, and then nothing of it is left there."""

from pathlib import Path
from typing import Final, Protocol

from saloon.sync.whole_file import DiskFiles, Files, remove, told

_SECTOR: Final = 512
"""What a card writes whole or not at all."""
GONE: Final = b"\0"
"""How a file begins whose content has left: no text begins so."""


class CardFiles(Files, Protocol):
    """What is asked of the boot partition besides."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """Other bytes in the place of a file's own, on the same blocks; durable only after ``flush``."""


class DiskCard(DiskFiles):
    """The boot partition of this machine."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        """See CardFiles."""
        with path.open("r+b") as out:
            out.seek(start)
            out.write(content)


def wipe(card: CardFiles, source: Path, size: int) -> None:
    """Remove the file and its content: a name that is removed from FAT leaves its blocks as they were.

    The first sector goes first: a cut in between leaves a file that says by itself that its content has
    left. Raises Unavailable.
    """
    with told(source):
        for start, end in ((0, min(size, _SECTOR)), (_SECTOR, size)):
            if end > start:
                card.overwrite(source, start, b"\0" * (end - start))
                card.flush(source)
    remove(card, source)
