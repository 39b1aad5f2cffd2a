"""Join codes: shown on the judge's page for three minutes; each can enrol one terminal, in one try."""

from collections.abc import Callable

import msgspec

from core.terms import TableNo
from station.store.database import Database
from station.store.settings import Settings
from sync.protocol.entry import TerminalId

VALID_MS = 3 * 60 * 1000
_REPEAT_MS = 10 * 60 * 1000
"""The time in which an enrolled terminal may repeat its request, in case the response was lost."""
_REPEATS = 8
_NAME = "join-code"


class JoinCode(msgspec.Struct, frozen=True):
    """The current join code, or the last one.

    table: the table for its terminal.
    by, trusted: the person who shows it, and whether that is a floor or head judge.
    made_ms: wall clock.
    tried_by: the terminal that used the try.
    was_right: the outcome, None until known.
    repeats: number of repeated requests by that terminal.
    """

    code: str
    table: TableNo | None
    made_ms: int
    tried_by: TerminalId | None = None
    was_right: bool | None = None
    repeats: int = 0
    by: str = ""
    trusted: bool = False


class JoinCodes:
    """The station's join code, in the database so that several stations share it. Calls block."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._settings = Settings(database)
        self._now_ms = now_ms

    def show(self, code: str, table: TableNo | None, *, by: str = "", trusted: bool = True) -> JoinCode:
        """Store a new code to show, replacing the previous one."""
        made = JoinCode(code, table, self._now_ms(), by=by, trusted=trusted)
        self._settings.set(_NAME, _text(made))
        return made

    def last(self) -> JoinCode | None:
        """Return the last code shown, tried or not, or None if it is too old to matter."""
        code = self._read_code()[1]
        return code if code is not None and self._age_ms(code) < _REPEAT_MS else None

    def remaining_ms(self, code: JoinCode) -> int:
        """Return the time left to try a code, in milliseconds, or 0 if it is used or expired."""
        return max(0, VALID_MS - self._age_ms(code)) if code.tried_by is None else 0

    def claim(self, terminal: TerminalId) -> JoinCode | None:
        """Use up the try, and return None if there is none.

        An enrolled terminal may repeat its try for a while.
        """
        text, code = self._read_code()
        if code is None:
            return None
        if self.remaining_ms(code):
            claimed = msgspec.structs.replace(code, tried_by=terminal)
        elif self._may_repeat(code, terminal):
            claimed = msgspec.structs.replace(code, repeats=code.repeats + 1)
        else:
            return None
        # Of two simultaneous tries, even at two stations, only one finds the value unchanged.
        return claimed if self._settings.compare_and_set(_NAME, text, _text(claimed)) else None

    def record_outcome(self, code: JoinCode, *, was_right: bool) -> None:
        """Record the outcome of a try allowed by ``claim``, unless there is a newer code."""
        self._settings.compare_and_set(
            _NAME, _text(code), _text(msgspec.structs.replace(code, was_right=was_right))
        )

    def _read_code(self) -> tuple[str, JoinCode | None]:
        text = self._settings.get(_NAME) or ""
        return text, msgspec.json.decode(text, type=JoinCode) if text else None

    def _may_repeat(self, code: JoinCode, terminal: TerminalId) -> bool:
        was_let_in = code.tried_by == terminal and code.was_right is True
        return was_let_in and code.repeats < _REPEATS and self._age_ms(code) < _REPEAT_MS

    def _age_ms(self, code: JoinCode) -> int:
        """Return a code's age. If the clock was set back, the code counts as old."""
        age = self._now_ms() - code.made_ms
        return age if age >= 0 else _REPEAT_MS


def _text(code: JoinCode) -> str:
    return msgspec.json.encode(code).decode()
