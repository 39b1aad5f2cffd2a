"""Where a terminal's image keeps what belongs to its updates, and what lies there.

root: of the file system; another one in tests. The program that runs is mounted at ``run/saloon/app``, from
the image or from ``data/updates``; who mounts it is the image's script ``choose-app``, and what it noted of
versions that failed lies in ``data/updates/refused``, a file by digest with the reason in it.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from saloon import __version__
from saloon.core.errors import BadData, SaloonError, Unavailable
from saloon.sync.update.about import About, about_of
from saloon.sync.update.bundle import Manifest
from saloon.sync.update.keys import public_key_in
from saloon.sync.update.messages import UpdateReason
from saloon.sync.update.part_file import PART
from saloon.sync.whole_file import told, write_in_memory

REQUEST: Final = "update"
"""The file in the terminal's runtime folder by which it asks the system to apply a bundle: its digest."""
DRAWN, REACHED = "drawn", "reached"
"""Files there by which it says that the first picture is on the screen, and that a station answered."""
SPARE: Final = 64 * 1024 * 1024
"""Bytes that are left to the journal whatever an update needs."""
_WORDS: Final = 64


class Place(msgspec.Struct, frozen=True):
    """The files of an image's updates. run: the terminal's runtime folder; None where nobody watches it."""

    root: Path
    run: Path | None = None

    @property
    def updates(self) -> Path:
        """What outlives a start."""
        return self.root / "data/updates"

    @property
    def incoming(self) -> Path:
        """Where the terminal, which has no rights beyond, writes what it fetches."""
        return self.updates / "incoming"

    def about(self) -> About:
        """The program that runs and the base below it; from no image only its version."""
        with contextlib.suppress(OSError, BadData):
            file = self.root / "run/saloon/app/release"
            about, _ = about_of(file.read_bytes(), str(file))
            base = (self.root / "usr/lib/saloon/base").read_text(encoding="ascii").strip()
            return msgspec.convert([*msgspec.structs.astuple(about)[:4], base], About)
        return About(__version__)

    def key(self) -> bytes | None:
        """The maintainers' public key; None where no update can be believed."""
        with contextlib.suppress(SaloonError):
            return public_key_in(self.root / "usr/lib/saloon/release.pub")
        return None

    def refused(self, name: str) -> UpdateReason | None:
        """Why a version was left at this terminal, by its payload's digest; None for one never tried."""
        try:
            word = (self.updates / "refused" / name).read_bytes()[:_WORDS]
        except FileNotFoundError:
            return None
        except OSError:
            return UpdateReason.SYSTEM
        try:
            return UpdateReason(word.decode("ascii", "replace").strip())
        except ValueError:
            return UpdateReason.SYSTEM

    def noted_ns(self, name: str) -> int:
        """When ``refused`` was noted last, by the card's clock: another number for each note; 0 for none."""
        try:
            return (self.updates / "refused" / name).stat().st_mtime_ns
        except OSError:
            return 0

    def has_room(self, manifest: Manifest) -> bool:
        """Whether a payload can be fetched and put in place beside all that must stay. Writes nothing.

        What was fetched of it already needs no room any more; what was fetched of others gives way.
        """
        try:
            found = os.statvfs(self.updates)
            lie = {path.name: path.stat().st_size for path in self._fetched()}
        except OSError:
            return False
        have = min(lie.pop(manifest.name + PART, 0), manifest.payload)
        room = found.f_bavail * found.f_frsize + sum(lie.values())
        return room >= 2 * manifest.payload - have + SPARE

    def request(self, name: str) -> None:
        """Ask the system to apply what was fetched, by its digest. Raises Unavailable if nobody watches."""
        if self.run is None:
            raise Unavailable("not started by the system: nobody would apply an update")
        self._say(REQUEST, name)

    def take_back(self) -> None:
        """The system shall not apply it now. Raises Unavailable."""
        if self.run is not None:
            with told(self.run):
                (self.run / REQUEST).unlink(missing_ok=True)

    def says(self, word: str, about: About) -> None:
        """Tell the system how far this start has come; nobody may be there to hear it."""
        if self.run is not None:
            with contextlib.suppress(Unavailable):
                self._say(word, about.name)

    def _fetched(self) -> Iterator[Path]:
        return self.incoming.iterdir() if self.incoming.is_dir() else iter(())

    def _say(self, word: str, what: str) -> None:
        assert self.run is not None  # asked before
        file = self.run / word
        with told(file):
            write_in_memory(file, f"{what}\n".encode("ascii"))
