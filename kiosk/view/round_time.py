"""The round's clock, and the timer of a turn, as the screen shows them."""

import msgspec


class RoundTime(msgspec.Struct, frozen=True):
    """The remaining time of the round at this table.

    left_s: negative when it is over for so long. extended_s: what was given in addition to the limit.
    is_rough: the terminal was off or away, and the station has not said since what is left.
    warns_min: the warning that was reached just now, in minutes; 0 for the end.
    """

    left_s: int
    limit_s: int
    is_started: bool = True
    is_held_by_station: bool = False
    is_held_here: bool = False
    extended_s: int = 0
    is_rough: bool = False
    warns_min: int | None = None

    @property
    def is_paused(self) -> bool:
        """Return whether somebody has stopped it."""
        return self.is_held_by_station or self.is_held_here

    @property
    def is_over(self) -> bool:
        """Return whether no time is left."""
        return self.is_started and self.left_s <= 0

    @property
    def minutes(self) -> int:
        """Minutes left, a begun one as a whole; 0 when it is over."""
        return max(0, -(-self.left_s // 60))


class TurnTime(msgspec.Struct, frozen=True):
    """The time taken by a turn so far, in steps of some seconds; never more than its limit.

    stands: stopped, as the table waits for the judge, or for an answer.
    """

    spent_s: int
    limit_s: int
    stands: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether the turn has reached its limit."""
        return self.spent_s >= self.limit_s
