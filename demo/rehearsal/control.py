"""The socket for requests to a rehearsal: a file in its folder, one line of JSON each way."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import msgspec

from saloon.station.rehearsals.contract import RehearsalState, Request, request_decoder

_LONGEST: Final = 65_536
_PATIENCE_S: Final = 5.0


class Control:
    """A server on a thread while the block runs. Only this user can reach the socket.

    A request that cannot be read gets no answer.
    """

    def __init__(self, path: Path, answer: Callable[[Request], RehearsalState]) -> None:
        self._path = path
        self._answer = answer
        self._over = False

    def __enter__(self) -> Self:
        self._path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX)
        former = os.umask(0o177)
        try:
            self._socket.bind(str(self._path))
        finally:
            os.umask(former)
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as knock:
            knock.connect(str(self._path))
        self._thread.join()
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while not self._over:
            asker, _ = self._socket.accept()
            with asker, contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
                asker.settimeout(_PATIENCE_S)
                line = _line(asker)
                if line:
                    told = self._answer(request_decoder.decode(line))
                    asker.sendall(msgspec.json.encode(told) + b"\n")


def _line(asker: socket.socket) -> bytes:
    """Return one line, or nothing where it is too long or never ends."""
    data = b""
    while b"\n" not in data:
        more = asker.recv(4096)
        if not more or len(data) > _LONGEST:
            return b""
        data += more
    return data.partition(b"\n")[0]
