"""The time taken by the turn so far; it informs, and never acts."""

from typing import Final

from saloon.core.game.state import GameState, Phase
from saloon.core.terms import GameId
from saloon.hardware.contract import Tune
from saloon.kiosk.view.round_time import TurnTime

STEP_S: Final = 5
"""The screen counts in steps: a bar that moves each second draws the eyes off the cards."""
_STEP_MS: Final = STEP_S * 1_000


class TurnTimer:
    """Counts from where a turn is seen to start; after a restart from there on."""

    def __init__(self) -> None:
        self._turn: tuple[GameId, int] | None = None
        self._limit_s = 0
        self._spent_ms = 0
        self._at_ms: int | None = None
        self._has_warned = False

    def look(self, game: GameState | None, limit_s: int, now_ms: int, *, stands: bool) -> Tune | None:
        """Return the tune to play now. limit_s: 0 for no timer. stands: the round's clock is stopped."""
        self._limit_s = limit_s
        if game is None or not limit_s or game.phase not in {Phase.PLAYING, Phase.DUEL} or game.turn is None:
            self._turn = self._at_ms = None
            return None
        turn = game.game, game.turns
        if turn != self._turn:
            self._turn, self._spent_ms, self._at_ms, self._has_warned = turn, 0, None, False
        if self._at_ms is not None:
            self._spent_ms += max(0, now_ms - self._at_ms)
        waits = stands or game.judge_called or bool(game.pending) or game.revolution_question is not None
        self._at_ms = None if waits else now_ms
        if self._has_warned or self._spent_ms < limit_s * 1_000:
            return None
        self._has_warned = True
        return Tune.TURN_LONG

    def view(self) -> TurnTime | None:
        """Return the time for the screen; None without a timer, or a turn."""
        if self._turn is None:
            return None
        spent = self._spent_ms // _STEP_MS * STEP_S
        return TurnTime(min(spent, self._limit_s), self._limit_s, stands=self._at_ms is None)

    def next_deadline_ms(self) -> int | None:
        """Return the time at which the bar moves next; None while it is stopped, or full."""
        if self._at_ms is None or self._has_warned:
            return None
        return self._at_ms + _STEP_MS - self._spent_ms % _STEP_MS
