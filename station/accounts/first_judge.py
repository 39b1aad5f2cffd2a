"""Open the first judge's account from a browser with a code that the station shows.

While there is no account, the station shows a code on its screen, or on the console from which it was
started. The code opens the first account and is invalid afterwards. Wrong attempts do not change it: 50 bits
cannot be guessed, and a stranger's attempts must not invalidate the code that the organiser is typing.
"""

import enum
import hmac
import secrets
import threading
from collections.abc import Callable

from base.errors import BadData, Refused
from station.accounts.judges import Judge, Judges
from sync.enrolment.agreement import RANDOM_BYTES, code_of, code_typed, in_groups


class FirstJudgeRefusal(enum.Enum):
    """The reasons for refusing to open the first account, as sentences for people."""

    WRONG_CODE = "That code is wrong. Check it where the station shows it, then try again."
    TAKEN = "There's already an account: log in, or ask that judge to create one for you."


class FirstJudge:
    """The code that opens the first account. Calls block; they are thread-safe.

    ``chance`` returns random bytes.
    """

    def __init__(self, judges: Judges, chance: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._judges = judges
        self._lock = threading.Lock()
        self._code = code_of(chance(RANDOM_BYTES))

    def code(self) -> str:
        """Return the code, in groups of characters, or an empty string once there is an account.

        Raises Unavailable.
        """
        with self._lock:
            return in_groups(self._valid())

    def check(self, typed: str) -> None:
        """Check a typed code. Raises Refused if it is wrong or no longer valid."""
        with self._lock:
            self._check(typed)

    def open(self, typed: str, name: str, password: str) -> Judge:
        """Open the first account. Raises Refused, Unavailable, BadData for an unsuitable name or password."""
        with self._lock:
            self._check(typed)
            judge = self._judges.add_first(name, password)
        if judge is None:
            raise Refused(FirstJudgeRefusal.TAKEN)
        return judge

    def _check(self, typed: str) -> None:
        code = self._valid()
        if not code:
            raise Refused(FirstJudgeRefusal.TAKEN)
        try:
            is_right = hmac.compare_digest(code_typed(typed), code)
        except BadData:
            is_right = False
        if not is_right:
            raise Refused(FirstJudgeRefusal.WRONG_CODE)

    def _valid(self) -> str:
        return "" if self._judges.all() else self._code
