"""Group polling of idle terminals, and suspects to report for a noisy pair; pure."""

from collections.abc import Callable

from sync.bus.events import PairJammed, PairQuiet
from sync.bus.frame import MOST_TERMINALS
from sync.bus.members import Member, Members

_ASK_EVERY_MS = 200
"""Milliseconds that busy terminals may use before the idle ones are asked."""
_POLLED_ONE_BY_ONE = 4


class GroupPolling:
    """The choice of the terminals to ask together next."""

    def __init__(self) -> None:
        self._groups: list[tuple[Member, ...]] = []
        self._asked_ms = 0

    def next_group(
        self, members: Members, turn: Member | None, now_ms: int, rest_until_ms: int
    ) -> tuple[Member, ...]:
        """Return the members to ask next, or an empty tuple if it is too early.

        ``turn`` is a member that wants a turn.
        """
        if self._groups:
            return self._groups.pop()
        is_time = now_ms >= (rest_until_ms if turn is None else self._asked_ms + _ASK_EVERY_MS)
        return members.idle(now_ms) if is_time else ()

    def end_window(self, group: tuple[Member, ...], now_ms: int, *, is_garbage: bool) -> None:
        """End an answer window; after a collision, split the group or poll its members one by one.

        ``is_garbage`` means that answers collided.
        """
        self._asked_ms = now_ms
        if not is_garbage:
            return
        if len(group) <= _POLLED_ONE_BY_ONE:
            for member in group:
                member.waits = max(1, member.waits)
            return
        middle = len(group) // 2
        self._groups += [group[middle:], group[:middle]]

    def remove(self, member: Member) -> None:
        """Remove a member from the groups still to be asked."""
        kept = (tuple(one for one in group if one is not member) for group in self._groups)
        self._groups = [group for group in kept if group]


class Suspects:
    """Units that fell silent when the noise began. ``is_here`` returns whether a unit is heard again."""

    def __init__(self, is_here: Callable[[bytes], bool]) -> None:
        self._is_here = is_here
        self._lost: list[bytes] = []
        self._reported: tuple[bytes, ...] | None = None

    def suspect(self, unit: bytes) -> None:
        """Suspect a unit that fell silent while the pair was noisy, until it is heard again."""
        self._lost.append(unit)

    def noisy(self, silent: tuple[bytes, ...]) -> PairJammed | None:
        """Return the suspects of a noisy pair, or None if they have not changed.

        ``silent`` lists units that don't answer now.
        """
        units = dict.fromkeys((*silent, *self._lost))
        self._lost = [unit for unit in units if unit in silent or not self._is_here(unit)]
        suspects = tuple(self._lost[:MOST_TERMINALS])
        if suspects == self._reported:
            return None
        self._reported = suspects
        return PairJammed(suspects)

    def quiet(self) -> PairQuiet | None:
        """Return PairQuiet when a noisy pair is quiet again, or None if it already was."""
        self._lost.clear()
        if self._reported is None:
            return None
        self._reported = None
        return PairQuiet()
