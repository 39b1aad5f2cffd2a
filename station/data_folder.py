"""The folder where a station keeps all it has; one program at a time writes there."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from saloon.core.errors import Unavailable
from saloon.station.database import sqlite_url
from saloon.station.secret_files import write_secret_file
from saloon.station.settings import CERTIFICATE, KEY, Settings
from saloon.sync.trust import own_identity


class DataFolder:
    """The files of a station."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / "station.sqlite"
        self.url = sqlite_url(self.database)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep other programs of the station out while the block runs.

        Raises Unavailable when one is in, or the folder cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Unavailable(f"{self.path}: {error.strerror}") from error
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise Unavailable(
                    f"{self.path}: the station is running here; stop it first, or use its pages"
                ) from error
            yield
        finally:
            os.close(descriptor)


def identity(folder: DataFolder, settings: Settings) -> tuple[Path, Path]:
    """The files of the station's key and certificate.

    They are kept in the database too, so that a backup holds them and a restored station is still
    the one that its terminals believe.
    """
    key, certificate = settings.get(KEY), settings.get(CERTIFICATE)
    files = (folder.path / "key.pem", folder.path / "certificate.pem")
    if key is not None and certificate is not None:
        for file, text in zip(files, (key, certificate), strict=True):
            if not file.exists() or file.read_text(encoding="ascii", errors="replace") != text:
                write_secret_file(file, text.encode("ascii"))
        return files
    made = own_identity(folder.path, "Saloon station")
    settings.set(CERTIFICATE, made[1].read_text(encoding="ascii"))
    settings.set(KEY, made[0].read_text(encoding="ascii"))
    return made
