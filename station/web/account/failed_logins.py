"""A count of failed logins per address, which limits password guessing."""

from typing import Final

_WINDOW_S: Final = 60.0
_MOST: Final = 20
_MOST_ADDRESSES: Final = 4096


class FailedLogins:
    """The failed logins of the last minute by address.

    Right ones do not count: a whole team shares one address. A try counts from its beginning, so that many at
    once count too. Used on one event loop.
    """

    def __init__(self) -> None:
        self._tries: dict[str, list[float]] = {}

    def begin(self, address: str, now_s: float) -> bool:
        """Count a try, or return False when the address has used up its tries of this minute."""
        recent = [begun for begun in self._tries.pop(address, []) if begun > now_s - _WINDOW_S]
        may_try = len(recent) < _MOST
        # The address that tried last comes last; the longest silent one is forgotten first.
        self._tries[address] = [*recent, now_s] if may_try else recent
        while len(self._tries) > _MOST_ADDRESSES:
            del self._tries[next(iter(self._tries))]
        return may_try

    def forget_one(self, address: str, begun_s: float) -> None:
        """Remove the try that began then, as it was right."""
        begun = self._tries.get(address, [])
        if begun_s in begun:
            begun.remove(begun_s)
        if not begun:
            self._tries.pop(address, None)
