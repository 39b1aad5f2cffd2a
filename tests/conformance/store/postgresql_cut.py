"""A wire to PostgreSQL that is cut at a commit, either before the server receives it or before it answers."""

import contextlib
import enum
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url


class Cut(enum.Enum):
    """The places at which the wire is cut."""

    NOWHERE = "nowhere"
    BEFORE_COMMIT = "before the commit"
    AFTER_COMMIT = "after the commit"


class CutWire:
    """A proxy between a station and a server, which cuts the next commits at a given place."""

    def __init__(self, url: str, folder: Path) -> None:
        address = make_url(url)
        self._server = f"{address.query['host']}/.s.PGSQL.5432"
        self.url = url.replace(str(address.query["host"]), str(folder))
        self.cut = Cut.NOWHERE
        self.cuts = 0
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / ".s.PGSQL.5432"))
        self._door.listen()
        self._ends: list[socket.socket] = [self._door]
        threading.Thread(target=self._take_in, daemon=True).start()

    def close(self) -> None:
        for end in self._ends:
            end.close()

    def _take_in(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._door.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._ends += [client, server]
                for work in (self._up, self._down):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for data in _read(client):
                if b"COMMIT\0" in data and self.cut is not Cut.NOWHERE:
                    _shut(client)
                    if self.cut is Cut.AFTER_COMMIT:
                        # The answer finds nobody, the work is done.
                        server.sendall(data)
                    self.cuts += 1
                    break
                server.sendall(data)
        _shut(client)
        if self.cut is not Cut.AFTER_COMMIT:
            _shut(server)

    def _down(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for data in _read(server):
                client.sendall(data)
        _shut(client)


def _read(end: socket.socket) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        while data := end.recv(65536):
            yield data


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
