"""Store the terminals' versions, one file per architecture, and the phase of each rollout."""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import structlog

from base.errors import BadData, Unavailable
from base.system import flush_descriptor
from base.whole_file import disk_errors_as_unavailable, flush_folder, keep_private, write_whole
from station.updates.rollout import Rollout
from sync.update.bundle_file import BundleFile, open_bundle, open_checked_bundle, public_key_in

_log = structlog.get_logger()
_ENDING: Final = ".saloon"
_SYSTEM_KEY: Final = Path("/usr/lib/saloon/release.pub")
_ROLLOUTS: Final = msgspec.json.Decoder(dict[str, Rollout])


class BundleUpload:
    """A bundle being uploaded to a temporary file, which is not used until it has been checked."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    def add(self, piece: bytes) -> None:
        """Write the next bytes. Raises Unavailable."""
        with disk_errors_as_unavailable(self.path):
            self._file.write(piece)

    def end(self) -> None:
        """Flush the complete file to disk and close it. Raises Unavailable."""
        with disk_errors_as_unavailable(self.path):
            self._file.flush()
            flush_descriptor(self._file.fileno())
            self._file.close()

    def forget(self) -> None:
        """Discard the upload."""
        # On a full disk, closing fails again; still delete the file to free space.
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


class UpdateStore:
    """The folder of a station's versions, which may contain another public key than the maintainers'."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        own = folder / "release.pub"
        self._key = own if own.exists() else _SYSTEM_KEY
        self._uploads = 0

    def bundles(self) -> tuple[BundleFile, ...]:
        """Return the stored bundles; skip and log unreadable ones."""
        bundles = []
        for path in sorted(self._folder.glob(f"*{_ENDING}")) if self._folder.is_dir() else ():
            try:
                bundles.append(open_checked_bundle(path, None))
            except (BadData, Unavailable) as error:
                _log.error("a version cannot be read", problem=str(error))
        return tuple(bundles)

    def rollouts(self) -> dict[str, Rollout]:
        """Return the stored rollouts, by architecture; none if they are unreadable."""
        try:
            return _ROLLOUTS.decode((self._folder / "rollouts.json").read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as error:
            _log.error("rollouts cannot be read", problem=str(error))
            return {}

    def save_rollouts(self, rollouts: dict[str, Rollout]) -> None:
        """Store the rollouts. Raises Unavailable."""
        with disk_errors_as_unavailable(self._folder):
            write_whole(self._folder / "rollouts.json", msgspec.json.encode(rollouts))

    def remove_leftovers(self) -> None:
        """Remove uploads interrupted by a power cut, and make the bundles private."""
        with contextlib.suppress(OSError):
            for path in self._folder.glob("upload-*.new"):
                path.unlink(missing_ok=True)
            for path in self._folder.glob(f"*{_ENDING}"):
                keep_private(path)

    def upload(self) -> BundleUpload:
        """Start an upload. Raises Unavailable."""
        self._uploads += 1
        path = self._folder / f"upload-{os.getpid()}-{self._uploads}.new"
        with disk_errors_as_unavailable(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            keep_private(path)
            return BundleUpload(path, path.open("wb"))

    def add(self, upload: BundleUpload) -> BundleFile:
        """Check and store an uploaded bundle. Raises BadData for an invalid one, Unavailable."""
        try:
            upload.end()
            bundle = open_bundle(upload.path, public_key_in(self._key))
            place = self._place(bundle)
            with disk_errors_as_unavailable(place):
                upload.path.replace(place)
                flush_folder(self._folder)
        except BaseException:
            upload.forget()
            raise
        return BundleFile(place, bundle.head)

    def _place(self, bundle: BundleFile) -> Path:
        about = bundle.head.manifest.about
        if not (about.architecture and about.base):
            raise BadData(str(bundle.path), "this names no board and no base that it is for")
        return self._folder / f"{about.architecture}{_ENDING}"

    def remove(self, bundle: BundleFile) -> None:
        """Delete a version. Raises Unavailable."""
        with disk_errors_as_unavailable(bundle.path):
            bundle.path.unlink(missing_ok=True)
            flush_folder(self._folder)
