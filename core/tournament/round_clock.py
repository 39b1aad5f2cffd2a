"""The judge's control of a round's clock, for all tables or for one."""

from typing import Final, Self

from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import RoundNo, Seconds, TableNo
from core.tournament.state.decision import WRITTEN, Decision, HallFacts
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import HallClock, Round
from core.tournament.state.tournament import TournamentState

LONGEST_EXTENSION_S: Final = Seconds(60 * 60)


class _ClockChange(Decision, frozen=True):
    def apply(self, state: TournamentState) -> TournamentState:
        assert isinstance(self, ClockDecision)
        return replace(state, clock=clock_after(state.clock, self))


class StartRoundClock(_ClockChange, frozen=True, tag="clock-started", omit_defaults=True):
    """Start the clock of the round for all tables. round: computed, as in the decisions below."""

    round: RoundNo = RoundNo(0)
    by: str = WRITTEN

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        running, clock = _running_clock(state)
        if clock.is_started:
            raise Refused(TournamentReason.CLOCK_RUNS)
        return replace(self, round=running.round)


class PauseRoundClock(_ClockChange, frozen=True, tag="clock-paused", omit_defaults=True):
    """Pause the clock of one table, or of all (None)."""

    round: RoundNo = RoundNo(0)
    by: str = WRITTEN
    table: TableNo | None = None
    reason: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        running, clock = _running_clock(state, self.table)
        _check_started(clock)
        if _is_paused(clock, self.table):
            raise Refused(TournamentReason.CLOCK_STANDS)
        return replace(self, round=running.round, reason=self.reason.strip())


class ResumeRoundClock(_ClockChange, frozen=True, tag="clock-resumed", omit_defaults=True):
    """Resume the clock of one table, or of all; a table paused alone stays paused until it is resumed alone.

    pause: number of a pause by the table's own judge that this ends too; stored as 0 if it ends none.
    """

    round: RoundNo = RoundNo(0)
    by: str = WRITTEN
    table: TableNo | None = None
    reason: str = ""
    pause: int = 0

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        running, clock = _running_clock(state, self.table)
        ends = self.table is not None and 0 < self.pause != clock.ended_pause_of(self.table)
        if not ends:
            _check_started(clock)
            if not _is_paused(clock, self.table):
                raise Refused(TournamentReason.CLOCK_RUNS)
        pause = self.pause if ends else 0
        return replace(self, round=running.round, reason=self.reason.strip(), pause=pause)


class ExtendRoundClock(_ClockChange, frozen=True, kw_only=True, tag="clock-extended", omit_defaults=True):
    """Add time for one table, or for all (None)."""

    round: RoundNo = RoundNo(0)
    seconds: Seconds
    by: str = WRITTEN
    table: TableNo | None = None
    reason: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        running, clock = _running_clock(state, self.table)
        _check_started(clock)
        if not 0 < self.seconds <= LONGEST_EXTENSION_S:
            raise Refused(TournamentReason.CLOCK_EXTENSION, minutes=LONGEST_EXTENSION_S // 60)
        return replace(self, round=running.round, reason=self.reason.strip())


ClockDecision = StartRoundClock | PauseRoundClock | ResumeRoundClock | ExtendRoundClock
"""Changes to a round's clock, which can't be undone."""


def clock_after(clock: HallClock, decision: ClockDecision) -> HallClock:
    """Return the clock after a decision. One about another round starts a new clock."""
    if clock.round != decision.round:
        clock = HallClock(decision.round)
    table = None if isinstance(decision, StartRoundClock) else decision.table
    changed = replace(clock, changes=(*clock.changes, table))
    match decision:
        case StartRoundClock():
            return replace(changed, is_started=True)
        case ExtendRoundClock(seconds=seconds):
            return replace(changed, extensions=(*clock.extensions, (table, seconds)))
        case PauseRoundClock() | ResumeRoundClock():
            is_held = isinstance(decision, PauseRoundClock)
            if table is None:
                return replace(changed, is_held=is_held)
            held = tuple(number for number in clock.held if number != table)
            if isinstance(decision, ResumeRoundClock) and decision.pause:
                changed = replace(changed, let_run=(*clock.let_run, (table, decision.pause)))
            return replace(changed, held=(*held, table) if is_held else held)


def clock_of(state: TournamentState, running: Round) -> HallClock:
    return state.clock if state.clock.round == running.round else HallClock(running.round)


def _running_clock(state: TournamentState, table: TableNo | None = None) -> tuple[Round, HallClock]:
    running = state.running_round
    if running is None or state.waivers.time_limit_min is None:
        raise Refused(TournamentReason.NO_CLOCK)
    if table is not None and table not in {drawn.table for drawn in running.tables}:
        raise Refused(TournamentReason.NO_CLOCK_AT_TABLE, table=table)
    return running, clock_of(state, running)


def _check_started(clock: HallClock) -> None:
    if not clock.is_started:
        raise Refused(TournamentReason.CLOCK_NOT_STARTED)


def _is_paused(clock: HallClock, table: TableNo | None) -> bool:
    return clock.is_held if table is None else table in clock.held
