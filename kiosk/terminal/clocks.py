"""The clocks of a table: the round's clock, and the turn timer."""

from collections.abc import Callable
from typing import Final

from core.game.clock import ClockEvent, RequestTimeLeft, ResumeClock
from core.game.state.game import GameState, Phase
from core.game.state.seats import has_question
from core.terms import GameId
from hardware.contract import Tune
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.round_clock import ClockFile, RoundClock
from kiosk.view.intents import AskClock
from kiosk.view.table_view import RoundTime, TurnTime

STEP_S: Final = 5
"""The length of a step in seconds: the bar moves in steps, so as not to distract the players."""
_STEP_MS: Final = STEP_S * 1_000


class TurnTimer:
    """A timer for the current turn, which starts again after a restart."""

    def __init__(self) -> None:
        self._turn: tuple[GameId, int] | None = None
        self._limit_s = 0
        self._spent_ms = 0
        self._at_ms: int | None = None
        self._has_warned = False

    def look(self, game: GameState | None, limit_s: int, now_ms: int, *, stands: bool) -> Tune | None:
        """Update the timer and return the tune to play now. ``limit_s`` is 0 if it is off.

        With ``stands``, nobody plays, and the timer is stopped.
        """
        self._limit_s = limit_s
        if game is None or not limit_s or game.phase not in {Phase.PLAYING, Phase.DUEL} or game.turn is None:
            self._turn = self._at_ms = None
            return None
        turn = game.game, game.turns
        if turn != self._turn:
            self._turn, self._spent_ms, self._at_ms, self._has_warned = turn, 0, None, False
        if self._at_ms is not None:
            self._spent_ms += max(0, now_ms - self._at_ms)
        self._at_ms = None if stands or game.judge_called or has_question(game) else now_ms
        if self._has_warned or self._spent_ms < limit_s * 1_000:
            return None
        self._has_warned = True
        return Tune.TURN_LONG

    def view(self) -> TurnTime | None:
        """Return the time for the screen, or None without a timer or a turn."""
        if self._turn is None:
            return None
        spent = self._spent_ms // _STEP_MS * STEP_S
        return TurnTime(min(spent, self._limit_s), self._limit_s, stands=self._at_ms is None)

    def next_deadline_ms(self) -> int | None:
        """Return the time at which the bar moves next, or None while it is stopped or full."""
        if self._at_ms is None or self._has_warned:
            return None
        return self._at_ms + _STEP_MS - self._spent_ms % _STEP_MS


class Clocks:
    """The round's clock and the turn timer. ``store`` keeps the round's clock across a restart.

    ``enter`` is called with requests to the station, and with the end of a pause that the station has ended.
    """

    def __init__(self, store: ClockFile, enter: Callable[[RequestTimeLeft | ResumeClock], None]) -> None:
        self._round = RoundClock(store, lambda left_s: enter(RequestTimeLeft(left_s)))
        self._enter = enter
        self._turn = TurnTimer()
        self._has_found_station = False
        self.round_time: RoundTime | None = None

    def on_resume(self, game: GameState | None) -> None:
        self._round.on_resume(None if game is None else game.game)

    def on_connection(self) -> None:
        self._has_found_station = True

    def command(self, request: AskClock, now_ms: int) -> ClockEvent | None:
        return self._round.command(request, now_ms)

    def advance(self, keeper: GameKeeper, limit_s: int, now_ms: int) -> Tune | None:
        """Update both clocks, and return the tune to play, the round's first. ``limit_s`` limits a turn."""
        tune = self._look(keeper, limit_s, now_ms)
        ended = self._round.resume_command(keeper.clock, now_ms)
        if ended is not None:
            self._enter(ended)
            tune = self._look(keeper, limit_s, now_ms) or tune
        return tune

    def _look(self, keeper: GameKeeper, limit_s: int, now_ms: int) -> Tune | None:
        if self._has_found_station:
            self._has_found_station = False
            self._round.on_connection(now_ms)
        edition = keeper.edition
        warnings = () if edition is None else edition.clock_warnings_min
        of_round = self._round.look(keeper.clock, warnings, now_ms)
        self.round_time = self._round.view(now_ms)
        stands = self.round_time is not None and self.round_time.is_paused
        of_turn = self._turn.look(keeper.game, limit_s, now_ms, stands=stands)
        return of_turn if of_round is None else of_round

    def turn_time(self) -> TurnTime | None:
        return self._turn.view()

    def next_deadline_ms(self, now_ms: int) -> int | None:
        due = (self._round.next_deadline_ms(now_ms), self._turn.next_deadline_ms())
        return min((at_ms for at_ms in due if at_ms is not None), default=None)
