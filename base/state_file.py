"""Small files of state that survive a restart, and never keep a program from working."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import structlog

from saloon.base.errors import BadData
from saloon.base.whole_file import write_whole

_State = TypeVar("_State")
_log = structlog.get_logger()


class StateFile(Generic[_State]):
    """One value in a file. A file that cannot be read or written is logged, and counts as missing.

    what: the value's name in the log. decode: may raise BadData or a msgspec error.
    """

    def __init__(
        self,
        path: Path,
        what: str,
        decode: Callable[[bytes], _State],
        encode: Callable[[_State], bytes] = msgspec.json.encode,
    ) -> None:
        self._path = path
        self._what = what
        self._decode = decode
        self._encode = encode
        self._writer = ThreadPoolExecutor(1, path.stem)

    def read(self) -> _State | None:
        """Return the value written last; None for none."""
        try:
            return self._decode(self._path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, BadData, msgspec.DecodeError, UnicodeDecodeError) as error:
            _log.warning("state not read", what=self._what, problem=str(error))
            return None

    def keep(self, state: _State | None) -> None:
        """Write a value soon, on another thread; the last one counts. None removes the file."""
        self._writer.submit(self.write, state)

    def write(self, state: _State | None) -> None:
        """Write a value, durably on return. A removal is not flushed: a power cut may undo it."""
        try:
            if state is None:
                self._path.unlink(missing_ok=True)
            else:
                write_whole(self._path, self._encode(state))
        except OSError as error:
            _log.warning("state not saved", what=self._what, problem=str(error))

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._writer.shutdown(wait=True)
