"""The folder of a station's data, to which only one program at a time may write, and its secret files.

Stations that share a PostgreSQL database have a folder each, with files of the same key.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlalchemy.engine import URL

from base import system
from base.errors import Unavailable
from base.whole_file import disk_errors_as_unavailable, write_whole
from station.store.database import database_errors_as_ours, sqlite_url
from station.store.settings import CERTIFICATE, KEY, Settings
from sync.tls.certificates import own_identity


def write_secret_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file with mode 0600, atomically and durably. Raises Unavailable."""
    with database_errors_as_ours(str(path)):
        write_whole(path, content)


class DataFolder:
    """The files of a station. ``shared`` is the database of several stations that replaces the file."""

    def __init__(self, path: Path, shared: URL | None = None) -> None:
        self.path = path
        self.database = path / "station.sqlite"
        self.url = sqlite_url(self.database) if shared is None else shared
        self.is_shared = shared is not None

    @contextlib.contextmanager
    def exclusive_lock(self) -> Iterator[None]:
        """Lock the folder against other programs of the station within the block.

        Raises Unavailable if one of them is running, or if the folder can't be written.
        """
        with disk_errors_as_unavailable(self.path):
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.fdopen(os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        with file:
            try:
                system.lock_file(file)
            except OSError as error:
                raise Unavailable(
                    f"{self.path}: the station is running here; stop it first, or use its pages"
                ) from error
            yield

    @contextlib.contextmanager
    def lock_unless_shared(self) -> Iterator[None]:
        """Lock the folder within the block, unless a shared database allows several writers."""
        if not self.is_shared:
            with self.exclusive_lock():
                yield
            return
        with disk_errors_as_unavailable(self.path):
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield


def load_station_identity(folder: DataFolder, settings: Settings) -> tuple[Path, Path]:
    """Return the files of the station's key and certificate, writing them if missing or outdated.

    The database stores both, so that terminals trust a restored station, and every station that shares it.
    """
    if settings.get(KEY) is None:
        key, certificate = own_identity(folder.path, "Saloon station")
        own = {KEY: key.read_text(encoding="ascii"), CERTIFICATE: certificate.read_text(encoding="ascii")}
        settings.set_defaults(own)
    files = (folder.path / "key.pem", folder.path / "certificate.pem")
    for file, name in zip(files, (KEY, CERTIFICATE), strict=True):
        text = settings.get(name) or ""
        if not file.exists() or file.read_text(encoding="ascii", errors="replace") != text:
            write_secret_file(file, text.encode("ascii"))
    return files
