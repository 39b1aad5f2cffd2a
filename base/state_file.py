"""Values in small files that survive a restart of the program."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import structlog

from base.errors import BadData
from base.whole_file import write_whole

_State = TypeVar("_State")
_log = structlog.get_logger()


class StateFile(Generic[_State]):
    """A value in a file. Errors are logged and never raised, and an unreadable file counts as missing.

    path: None if the value isn't stored at all.
    what: the value's name in the log.
    decode: may raise BadData or a msgspec error.
    """

    def __init__(
        self,
        path: Path | None,
        what: str,
        decode: Callable[[bytes], _State],
        encode: Callable[[_State], bytes] = msgspec.json.encode,
    ) -> None:
        self._path = path
        self._what = what
        self._decode = decode
        self._encode = encode
        self._writer = ThreadPoolExecutor(1, what)

    def read(self) -> _State | None:
        """Return the last value written, or None if there is none."""
        if self._path is None:
            return None
        try:
            return self._decode(self._path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, BadData, msgspec.DecodeError, UnicodeDecodeError) as error:
            _log.warning("state not read", what=self._what, problem=str(error))
            return None

    def keep(self, state: _State | None) -> None:
        """Write a value on another thread. None removes the file."""
        if self._path is not None:
            self._writer.submit(self.write, state)

    def write(self, state: _State | None) -> None:
        """Write a value durably. None removes the file, which a power cut may undo."""
        if self._path is None:
            return
        try:
            if state is None:
                self._path.unlink(missing_ok=True)
            else:
                write_whole(self._path, self._encode(state))
        except OSError as error:
            _log.warning("state not saved", what=self._what, problem=str(error))

    def close(self) -> None:
        self._writer.shutdown(wait=True)
