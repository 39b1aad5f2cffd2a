"""Asking many idle terminals at once whether they want a turn, and taking voices apart that have met."""

from saloon.sync.bus.members import Member, Members

_ASK_EVERY_MS = 200
"""How long busy terminals may go on before the idle ones are asked."""
_POLLED_ONE_BY_ONE = 4


class Asking:
    """Whom to ask together next."""

    def __init__(self) -> None:
        self._groups: list[tuple[Member, ...]] = []
        self._asked_ms = 0

    def next_group(
        self, members: Members, turn: Member | None, now_ms: int, rest_until_ms: int
    ) -> tuple[Member, ...]:
        """Who is to be asked now; nobody while it is not time. turn: who wants one already."""
        if self._groups:
            return self._groups.pop()
        is_time = now_ms >= (rest_until_ms if turn is None else self._asked_ms + _ASK_EVERY_MS)
        return members.idle(now_ms) if is_time else ()

    def answered(self, asked: tuple[Member, ...], now_ms: int, *, is_garbage: bool) -> None:
        """The window is over. Garbage: voices have met; ask halves, or poll few one by one."""
        self._asked_ms = now_ms
        if not is_garbage:
            return
        if len(asked) <= _POLLED_ONE_BY_ONE:
            for member in asked:
                member.waits = max(1, member.waits)
            return
        middle = len(asked) // 2
        self._groups += [asked[middle:], asked[:middle]]

    def left(self, member: Member) -> None:
        """A member is no more."""
        kept = (tuple(one for one in asked if one is not member) for asked in self._groups)
        self._groups = [asked for asked in kept if asked]
