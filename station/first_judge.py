"""The first judge's account, opened from a browser by whoever stands at the station.

While nobody has an account the station shows a code at its own screen, or on the console that it was
started from. Whoever types it at the pages opens the first account; then it is worth nothing.
"""

import enum
import hmac
import secrets
import threading
from collections.abc import Callable
from typing import Final

from saloon.core.errors import BadData, Refused
from saloon.station.judges import Judge, Judges
from saloon.sync.enrolment.join_code import RANDOM_BYTES, code_of, code_typed, in_groups

_WRONG_TRIES: Final = 5


class NoEntry(enum.Enum):
    """Why the first account is not opened: sentences for people."""

    WRONG_CODE = (
        "The code is wrong. Read it again where the station shows it; after some tries it is another one."
    )
    TAKEN = "There is an account already: log in, or let its judge make yours."


class FirstJudge:
    """The code of a station without judges. Calls block; they may come from any thread.

    chance: random bytes.
    """

    def __init__(self, judges: Judges, chance: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._judges = judges
        self._chance = chance
        self._lock = threading.Lock()
        self._wrong = 0
        self._code = self._made()

    def code(self) -> str:
        """The code, in groups; empty as soon as somebody has an account. Raises Unavailable."""
        with self._lock:
            return in_groups(self._valid())

    def check(self, typed: str) -> None:
        """Raises Refused unless this is the code; five wrong ones make another one."""
        with self._lock:
            self._check(typed)

    def open(self, typed: str, name: str, password: str) -> Judge:
        """Open the first account. Raises Refused, Unavailable, BadData for no possible name or password."""
        with self._lock:
            self._check(typed)
            return self._judges.add(name, password)

    def _check(self, typed: str) -> None:
        code = self._valid()
        if not code:
            raise Refused(NoEntry.TAKEN)
        try:
            is_right = hmac.compare_digest(code_typed(typed), code)
        except BadData:
            is_right = False
        if is_right:
            return
        self._wrong += 1
        if self._wrong >= _WRONG_TRIES:
            self._wrong, self._code = 0, self._made()
        raise Refused(NoEntry.WRONG_CODE)

    def _valid(self) -> str:
        return "" if self._judges.all() else self._code

    def _made(self) -> str:
        return code_of(self._chance(RANDOM_BYTES))
