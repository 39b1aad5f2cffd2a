"""The files of a terminal's updates, including the payload being fetched.

The running program is mounted at ``run/saloon/app``, from the image or from ``data/updates``, by the image's
script ``choose-app``. The script records failed versions in ``data/updates/refused``: each in a file that is
named by its digest and contains the reason.
"""

import contextlib
import hashlib
import shutil
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from base import __version__
from base.errors import BadData, SaloonError, Unavailable
from base.whole_file import disk_errors_as_unavailable, keep_private, write_in_memory, write_whole
from sync.update.bundle import About, Manifest, about_of
from sync.update.bundle_file import public_key_in
from sync.update.messages import UpdateReason

_STEP: Final = 512 * 1024
PART, HEAD = ".part", ".head"


class PartFile:
    """The payload of a manifest while it is being fetched. All methods may raise Unavailable."""

    def __init__(self, folder: Path, manifest: Manifest, head: bytes) -> None:
        self.path = folder / (manifest.name + PART)
        self._manifest = manifest
        self._hash = hashlib.sha256()
        self._looked = 0
        with disk_errors_as_unavailable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _forget_others(folder, manifest.name)
            write_whole(folder / (manifest.name + HEAD), head)
            keep_private(self.path)
            self._file: BinaryIO = self.path.open("a+b")
            self.have = self._file.seek(0, 2)
            if self.have > manifest.payload:
                self.restart()

    @property
    def is_looked_at(self) -> bool:
        return self._looked == self.have

    @property
    def is_right(self) -> bool:
        """Return whether this is the complete, signed payload."""
        is_whole = self.have == self._manifest.payload and self.is_looked_at
        return is_whole and self._hash.digest() == self._manifest.digest

    def look(self) -> None:
        """Add the next bytes left by an earlier start to the digest."""
        with disk_errors_as_unavailable(self.path):
            self._file.seek(self._looked)
            piece = self._file.read(min(_STEP, self.have - self._looked))
        if not piece:
            raise Unavailable(f"{self.path}: the file became shorter")
        self._hash.update(piece)
        self._looked += len(piece)

    def add(self, data: bytes) -> None:
        """Append the next bytes. Requires ``is_looked_at``."""
        with disk_errors_as_unavailable(self.path):
            self._file.write(data)
            self._file.flush()
        self._hash.update(data)
        self.have += len(data)
        self._looked += len(data)

    def restart(self) -> None:
        """Discard the file's content."""
        with disk_errors_as_unavailable(self.path):
            self._file.truncate(0)
        self.have = self._looked = 0
        self._hash = hashlib.sha256()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()

    def remove(self) -> None:
        """Close and delete the file."""
        self.close()
        with disk_errors_as_unavailable(self.path):
            self.path.unlink(missing_ok=True)
            self.path.with_suffix(HEAD).unlink(missing_ok=True)


def forget_all(folder: Path) -> None:
    """Remove all fetched files. Raises Unavailable."""
    with disk_errors_as_unavailable(folder):
        if folder.is_dir():
            _forget_others(folder, "")


def _forget_others(folder: Path, name: str) -> None:
    """Remove the files of other payloads, as a card has room for only one. Raises OSError."""
    for file in folder.iterdir():
        if file.suffix in {PART, HEAD} and file.stem != name:
            file.unlink(missing_ok=True)


REQUEST: Final = "update"
"""The file in the runtime folder that requests the installation of a bundle; it contains the digest."""
DRAWN, REACHED = "drawn", "reached"
"""The files that report the first frame on the screen, and an answer from a station."""
SPARE: Final = 64 * 1024 * 1024
"""Bytes of the card reserved for the journal."""
_WORDS: Final = 64


class UpdateFolders(msgspec.Struct, frozen=True):
    """The files of an image's updates.

    root: the root of the file system, replaced in tests.
    run: the terminal's runtime folder, or None if no system service watches it.
    """

    root: Path
    run: Path | None = None

    @property
    def updates(self) -> Path:
        return self.root / "data/updates"

    @property
    def incoming(self) -> Path:
        """The folder for fetched files, the only one that the terminal can write to."""
        return self.updates / "incoming"

    def about(self) -> About:
        """Return the running program and its base, or only the version if there is no image."""
        with contextlib.suppress(OSError, BadData):
            file = self.root / "run/saloon/app/release"
            about, _ = about_of(file.read_bytes(), str(file))
            base = (self.root / "usr/lib/saloon/base").read_text(encoding="ascii").strip()
            return msgspec.convert([*msgspec.structs.astuple(about)[:4], base], About)
        return About(__version__)

    def key(self) -> bytes | None:
        """Return the maintainers' public key, or None if it can't be read, so that no update is trusted."""
        with contextlib.suppress(SaloonError):
            return public_key_in(self.root / "usr/lib/saloon/release.pub")
        return None

    def refusal_of(self, name: str) -> UpdateReason | None:
        """Return the reason why the version with this digest was abandoned here, or None if it wasn't."""
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

    def last_refusal_ns(self, name: str) -> int:
        """Return when a version was last abandoned (ns, by the file's time), or 0 if it never was."""
        try:
            return (self.updates / "refused" / name).stat().st_mtime_ns
        except OSError:
            return 0

    def has_room(self, manifest: Manifest) -> bool:
        """Return whether there is room to fetch and install a payload.

        Bytes already fetched need no more room, and files of other payloads can be removed.
        """
        try:
            free = shutil.disk_usage(self.updates).free
            files = self.incoming.iterdir() if self.incoming.is_dir() else ()
            lie = {path.name: path.stat().st_size for path in files}
        except OSError:
            return False
        have = min(lie.pop(manifest.name + PART, 0), manifest.payload)
        room = free + sum(lie.values())
        return room >= 2 * manifest.payload - have + SPARE

    def request(self, name: str) -> None:
        """Request the installation of the fetched bundle with this digest.

        Raises Unavailable if no system service watches.
        """
        if self.run is None:
            raise Unavailable("not started by the system: nobody would apply an update")
        self._say(REQUEST, name)

    def take_back(self) -> None:
        """Withdraw the request for installation. Raises Unavailable."""
        if self.run is not None:
            with disk_errors_as_unavailable(self.run):
                (self.run / REQUEST).unlink(missing_ok=True)

    def write_verdict(self, word: str, about: About) -> None:
        """Report the progress of this start to the system, if it watches."""
        if self.run is not None:
            with contextlib.suppress(Unavailable):
                self._say(word, about.name)

    def _say(self, word: str, what: str) -> None:
        assert self.run is not None  # checked by the caller
        file = self.run / word
        with disk_errors_as_unavailable(file):
            write_in_memory(file, f"{what}\n".encode("ascii"))
