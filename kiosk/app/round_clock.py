"""How long the round still lasts, as far as this terminal knows."""

from saloon.core.terms import GameId

_MINUTE_MS = 60_000


class RoundClock:
    """Runs from the moment a game was seated here. After a restart it shows nothing rather than a guess."""

    def __init__(self) -> None:
        self._game: GameId | None = None
        self._began_ms: int | None = None

    def resumed(self, game: GameId | None) -> None:
        """The game that the journal held: when it was seated, nobody knows any more."""
        self._game, self._began_ms = game, None

    def left_s(self, game: GameId | None, limit_min: int | None, now_ms: int) -> int | None:
        """Seconds to the end of the round, 0 when it is over; None without a limit, or not known."""
        if game != self._game:
            self._game, self._began_ms = game, now_ms
        if game is None or limit_min is None or self._began_ms is None:
            return None
        return max(0, limit_min * 60 - (now_ms - self._began_ms) // 1000)

    def next_minute_ms(self, now_ms: int) -> int | None:
        """When fewer minutes are left than now; None where no clock runs."""
        if self._began_ms is None or self._game is None:
            return None
        return now_ms + _MINUTE_MS - (now_ms - self._began_ms) % _MINUTE_MS
