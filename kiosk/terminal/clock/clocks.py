"""The clocks that a table sees and hears: the round's, and the timer of the turn."""

from collections.abc import Callable

from saloon.core.game.clock.clock_commands import ClockCommand, ResumeClock
from saloon.core.game.state import GameState
from saloon.core.terms import Seconds
from saloon.hardware.contract import Tune
from saloon.kiosk.intents import AskClock
from saloon.kiosk.terminal.clock.clock_file import NoClockFile
from saloon.kiosk.terminal.clock.round_clock import ClockStore, RoundClock
from saloon.kiosk.terminal.clock.turn_timer import TurnTimer
from saloon.kiosk.terminal.game_keeper import Keeper
from saloon.kiosk.view.round_time import RoundTime, TurnTime


class Clocks:
    """Both clocks between two moments. doubts: called with requests to the station."""

    def __init__(self, doubts: Callable[[Seconds | None], None]) -> None:
        self._doubts = doubts
        self._round = RoundClock(NoClockFile(), doubts)
        self._turn = TurnTimer()
        self._has_found_station = False
        self.round_time: RoundTime | None = None

    def keep(self, store: ClockStore) -> None:
        """Set the store that keeps the round's clock over a restart."""
        self._round = RoundClock(store, self._doubts)

    def resumed(self, game: GameState | None) -> None:
        """Note the game found in the journal."""
        self._round.resumed(None if game is None else game.game)

    def connected(self) -> None:
        """Note that the station was found."""
        self._has_found_station = True

    def command(self, asked: AskClock, now_ms: int) -> ClockCommand | None:
        """Return the judge's command with the current reading of the round's clock; None if it is unknown."""
        return self._round.command(asked, now_ms)

    def look(self, keeper: Keeper, limit_s: int, now_ms: int) -> Tune | None:
        """Update both clocks; return the tune, the round's first. limit_s: of a turn, 0 for none."""
        if self._has_found_station:
            self._has_found_station = False
            self._round.connected(now_ms)
        edition = keeper.edition
        warnings = () if edition is None else edition.clock_warnings_min
        of_round = self._round.look(keeper.clock, warnings, now_ms)
        self.round_time = self._round.view(now_ms)
        stands = self.round_time is not None and self.round_time.is_paused
        of_turn = self._turn.look(keeper.game, limit_s, now_ms, stands=stands)
        return of_turn if of_round is None else of_round

    def let_run(self, keeper: Keeper, now_ms: int) -> ResumeClock | None:
        """Return the command that ends a pause which the station has ended; None if it has ended none."""
        return self._round.let_run(keeper.clock, now_ms)

    def turn_time(self) -> TurnTime | None:
        """Return the time taken by the turn; None without a timer, or a turn."""
        return self._turn.view()

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which a clock next changes what is seen or heard."""
        due = (self._round.next_deadline_ms(now_ms), self._turn.next_deadline_ms())
        return min((at_ms for at_ms in due if at_ms is not None), default=None)
