"""The code that lets one terminal in: shown on the judge's page for three minutes, for one try."""

from collections.abc import Callable

import msgspec

from saloon.core.terms import TableNo
from saloon.station.database import Database
from saloon.station.settings import Settings
from saloon.sync.entry import TerminalId

VALID_MS = 3 * 60 * 1000
_REPEAT_MS = 10 * 60 * 1000
"""How long a terminal that was let in may ask again, because the answer was lost."""
_REPEATS = 8
_NAME = "join-code"


class JoinCode(msgspec.Struct, frozen=True):
    """A code that is shown, or was last.

    table: for whom. made_ms: wall clock. tried_by: who used the try. was_right: and what came of
    it; None while it is not known. repeats: how often that terminal asked again.
    """

    code: str
    table: TableNo | None
    made_ms: int
    tried_by: TerminalId | None = None
    was_right: bool | None = None
    repeats: int = 0


class JoinCodes:
    """The one code of a station, in its database, so that each of several stations knows it. Calls block."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._settings = Settings(database)
        self._now_ms = now_ms

    def show(self, code: str, table: TableNo | None) -> JoinCode:
        """A new code; the one before it is void."""
        made = JoinCode(code, table, self._now_ms())
        self._settings.set(_NAME, _text(made))
        return made

    def last(self) -> JoinCode | None:
        """The code that was shown last, tried or not; None when it is too old to be of interest."""
        found = self._stored()[1]
        return found if found is not None and self._age_ms(found) < _REPEAT_MS else None

    def left_ms(self, code: JoinCode) -> int:
        """How long it may still be tried; 0 for not any more."""
        return max(0, VALID_MS - self._age_ms(code)) if code.tried_by is None else 0

    def claim(self, terminal: TerminalId) -> JoinCode | None:
        """Use the try up; None when there is none. Whoever was let in may ask again for a while."""
        text, found = self._stored()
        if found is None:
            return None
        if self.left_ms(found):
            claimed = msgspec.structs.replace(found, tried_by=terminal)
        elif self._may_repeat(found, terminal):
            claimed = msgspec.structs.replace(found, repeats=found.repeats + 1)
        else:
            return None
        # Two who try at once, at two stations even: only one finds the text unchanged.
        return claimed if self._settings.exchange(_NAME, text, _text(claimed)) else None

    def tried(self, code: JoinCode, *, was_right: bool) -> None:
        """What became of a try that ``claim`` allowed; a newer code stays as it is."""
        self._settings.exchange(_NAME, _text(code), _text(msgspec.structs.replace(code, was_right=was_right)))

    def _stored(self) -> tuple[str, JoinCode | None]:
        text = self._settings.get(_NAME) or ""
        return text, msgspec.json.decode(text, type=JoinCode) if text else None

    def _may_repeat(self, code: JoinCode, terminal: TerminalId) -> bool:
        was_let_in = code.tried_by == terminal and code.was_right is True
        return was_let_in and code.repeats < _REPEATS and self._age_ms(code) < _REPEAT_MS

    def _age_ms(self, code: JoinCode) -> int:
        """A clock that was set back makes a code old, not young."""
        age = self._now_ms() - code.made_ms
        return age if age >= 0 else _REPEAT_MS


def _text(code: JoinCode) -> str:
    return msgspec.json.encode(code).decode()
