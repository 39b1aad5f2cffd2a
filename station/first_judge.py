"""The first judge's account, opened from a browser by whoever stands at the station.

While nobody has an account the station shows a code at its own screen, or on the console that it was
started from. Whoever types it at the pages opens the first account; then it is worth nothing. It stays the
same however many wrong ones are typed: nobody guesses 50 bits, and a stranger who types nonsense must not
take the code from the organiser who is just typing it.
"""

import enum
import hmac
import secrets
import threading
from collections.abc import Callable

from saloon.core.errors import BadData, Refused
from saloon.station.judges import Judge, Judges
from saloon.sync.enrolment.join_code import RANDOM_BYTES, code_of, code_typed, in_groups


class NoEntry(enum.Enum):
    """Why the first account is not opened: sentences for people."""

    WRONG_CODE = "The code is wrong. Read it again where the station shows it."
    TAKEN = "There is an account already: log in, or let its judge make yours."


class FirstJudge:
    """The code of a station without judges. Calls block; they may come from any thread.

    chance: random bytes.
    """

    def __init__(self, judges: Judges, chance: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._judges = judges
        self._lock = threading.Lock()
        self._code = code_of(chance(RANDOM_BYTES))

    def code(self) -> str:
        """The code, in groups; empty as soon as somebody has an account. Raises Unavailable."""
        with self._lock:
            return in_groups(self._valid())

    def check(self, typed: str) -> None:
        """Raises Refused unless this is the code."""
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
        if not is_right:
            raise Refused(NoEntry.WRONG_CODE)

    def _valid(self) -> str:
        return "" if self._judges.all() else self._code
