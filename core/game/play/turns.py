"""Turns, and the effects of High Noon on them."""

import enum
from itertools import takewhile

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition, TieBreak
from core.game.ending.rebel import come_back, has_turns
from core.game.play.high_noon import (
    high_noon_at_turn_start,
    high_noon_loss,
)
from core.game.state.decisions import Command, Draft, Event, RolesCommand, RolesDecision
from core.game.state.game import GameState, HighNoon, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    BEFORE_THE_END,
    count_turn,
    has_question,
    in_play,
    recorded_seat,
    require_no_question,
    require_phase,
    seat_in_play,
    seat_of,
    seats_after,
    with_turns,
    wound,
)
from core.rule_set import RecordMode
from core.terms import SHERIFF_SEAT, SeatNo


class Skip(enum.Enum):
    """The reason why a turn was not played."""

    JAIL = "jail"
    DYNAMITE = "dynamite"


class TurnStarted(Event, frozen=True, tag="turn-started"):
    """A turn started. ``loses`` is the number of life points that High Noon took (0 or 1)."""

    seat: SeatNo
    loses: int = 0

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat)
        started = replace(state, turn=self.seat, turns=state.turns + 1, passed=(), wounded=())
        if self.seat != state.ghost:
            started = replace(started, ghost=None)
        if self.seat == state.sheriff:
            # The next event card takes effect.
            started = replace(started, event_card=None)
        if self.loses:
            started = wound(started, self.seat, self.loses)
            started = replace(started, high_noon_question=self.seat in started.pending)
        if seat.passive or started.high_noon_question:
            return started
        return count_turn(started, self.seat)


class TurnSkipped(Event, frozen=True, tag="turn-skipped"):
    """A turn that had started was not played, so it doesn't count (D31)."""

    seat: SeatNo
    why: Skip

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat).seat
        if state.turn != seat and seat not in state.passed:
            raise BadData("game log", f"seat {seat} skips a turn that is not its own")
        passed = tuple(other for other in state.passed if other != seat)
        # The judge may have set the count to 0 in the middle of this turn.
        played = with_turns(state, seat, max(0, state.turns_played[seat - 1] - 1))
        return replace(played, passed=passed)


class TurnsPassed(Event, frozen=True, tag="turns-passed"):
    """Turns that nobody ended are over, as a later turn shows.

    doubtful: seats whose last life point High Noon would have taken; the table is asked about them.
    """

    seats: tuple[SeatNo, ...]
    doubtful: tuple[SeatNo, ...] = ()

    def apply(self, state: GameState) -> GameState:
        begun = state.doubtful_from if state.doubtful else len(state.eliminations)
        doubtful = (*state.doubtful, *self.doubtful)
        return replace(state, passed=self.seats, doubtful=doubtful, doubtful_from=begun)


class TurnNamed(Event, frozen=True, tag="turn-named"):
    """The table entered whose turn it is, after turns weren't recorded."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        named = count_turn(state, recorded_seat(state, self.seat).seat)
        return replace(named, turn=self.seat, turns=state.turns + 1, is_turn_unknown=False)


class TurnUnknown(Event, frozen=True, tag="turn-unknown"):
    """From now on it isn't known whose turn it is, as turns are not recorded (light mode)."""

    def apply(self, state: GameState) -> GameState:
        return replace(state, is_turn_unknown=True)


class HighNoonBegan(Event, frozen=True, tag="high-noon-began"):
    """High Noon began with the turn of a seat."""

    seat: SeatNo

    def apply(self, state: GameState) -> GameState:
        return replace(state, high_noon=HighNoon.ON)


class EndTurn(Command, frozen=True):
    """End the turn and start the next one, skipping players who have left.

    Source: base game; passive players: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        _require_known_turn(state, edition)
        return pass_turns(start_turn(Draft(state), _next_seat(state), edition), edition).events


class SkipTurn(RolesCommand, frozen=True):
    """Record that Jail holds the current player: the turn ends and does not count as played.

    Source: base game, Jail; Official Score System 2003, fifth tie-break (D31); High Noon: reading D13.
    """

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        _require_known_turn(state, edition)
        seat = state.seats[_turn(state) - 1]
        if seat.seat == state.sheriff:
            raise Refused(GameReason.SHERIFF_IN_JAIL)
        if seat.passive:
            raise Refused(GameReason.PASSIVE_TURN, seat=seat.seat)
        skipped = Draft(state).then(TurnSkipped(seat.seat, Skip.JAIL))
        return pass_turns(start_turn(skipped, _next_seat(state), edition), edition).events


class SetTurn(RolesCommand, frozen=True):
    """Set whose turn it is: start all turns up to that seat's, as if their ends had been entered in time.

    High Noon takes its points in them, except from players for whom the table has entered a lost point since.
    It takes nobody's last point in a turn that is over: the table is asked about those players.
    """

    seat: SeatNo

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        seat = _seat_that_may_have_turn(state, self.seat)
        if state.is_turn_unknown:
            return come_back(Draft(state), seat.seat).then(TurnNamed(seat.seat)).events
        draft, passed, doubtful = Draft(state), list[SeatNo](), list[SeatNo]()
        while draft.state.turn != seat.seat:
            following = _next_seat(draft.state)
            is_passed = following != seat.seat
            by_hand = bool(state.pending) or following in state.wounded
            started = start_turn(draft, following, edition, by_hand=by_hand)
            if is_passed and started.state.high_noon_question:
                doubtful.append(following)
                started = start_turn(draft, following, edition, by_hand=True)
            if is_passed:
                passed.append(following)
            draft = started
        return draft.then(TurnsPassed(tuple(passed), tuple(doubtful))).events if passed else draft.events


def can_set_turn(state: GameState, seat: SeatNo) -> bool:
    """Return whether ``SetTurn`` accepts a seat, without computing its events."""
    try:
        _seat_that_may_have_turn(state, seat)
    except Refused:
        return False
    return True


def _seat_that_may_have_turn(state: GameState, number: SeatNo) -> Seat:
    """Return a seat whose turn may be set now. Raises Refused as ``SetTurn`` does."""
    require_phase(state, Phase.PLAYING)
    if state.revolution_question is not None or state.high_noon_question or state.doubtful:
        require_no_question(state)
    seat = seat_of(state, number)
    if not has_turns(state, number) or not _is_reached(state, seat):
        raise Refused(GameReason.OUT, seat=number)
    if seat.seat == state.turn and not state.is_turn_unknown:
        raise Refused(GameReason.TURN_ALREADY, seat=seat.seat)
    if seat.passive:
        raise Refused(GameReason.PASSIVE_TURN, seat=seat.seat)
    return seat


def _is_reached(state: GameState, seat: Seat) -> bool:
    """Return whether an eliminated player's turn comes before the event card ceases to have effect."""
    if seat.in_play or state.is_turn_unknown:
        return True
    before = takewhile(lambda other: other.seat != seat.seat, seats_after(state, _turn(state)))
    return all(other.seat != state.sheriff for other in before)


class MarkJailed(RolesCommand, frozen=True):
    """Record that Jail held a player in a passed turn, which does not count as played.

    Source: base game, Jail; Official Score System 2003, fifth tie-break (D31).
    """

    seat: SeatNo

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        # A ghost has turns as well.
        is_passed = self.seat in state.passed
        seat = seat_of(state, self.seat) if is_passed else seat_in_play(state, self.seat)
        if seat.seat == state.sheriff:
            raise Refused(GameReason.SHERIFF_IN_JAIL)
        if not is_passed:
            raise Refused(GameReason.NOT_PASSED, seat=seat.seat)
        return (TurnSkipped(seat.seat, Skip.JAIL),)


class SetRecordMode(RolesDecision, frozen=True, tag="record-mode-set"):
    """Change how much the table records from now on."""

    mode: RecordMode

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, *BEFORE_THE_END)
        if state.mode is self.mode:
            raise Refused(GameReason.MODE_ALREADY)
        return forget_turn(Draft(state).then(self), edition).events

    def apply(self, state: GameState) -> GameState:
        return replace(state, mode=self.mode)


def forget_turn(draft: Draft, edition: Edition) -> Draft:
    """Make the current turn unknown, unless turns are recorded in this game."""
    state = draft.state
    if state.phase is not Phase.PLAYING or state.is_turn_unknown or records_turns(state, edition):
        return draft
    return draft.then(TurnUnknown())


def records_turns(state: GameState, edition: Edition) -> bool:
    """Return whether each turn is recorded: in full mode, if turns break ties, and near High Noon."""
    if state.mode is RecordMode.FULL or TieBreak.TURNS_PLAYED in edition.tie_breaks:
        return True
    return state.high_noon is not HighNoon.OFF


def start_turn(
    draft: Draft, seat: SeatNo, edition: Edition, *, follows_turn: bool = True, by_hand: bool = False
) -> Draft:
    """Start a seat's turn, in which High Noon may begin and take its point.

    follows_turn: False for the new turn of a Rebel! who became Sheriff in the previous one.
    by_hand: the table has entered the point that High Noon took, as it always does in light mode.
    """
    draft = come_back(draft, seat)
    state = draft.state
    now = high_noon_at_turn_start(
        state.high_noon,
        edition,
        seat=seat,
        previous=state.turn if follows_turn else None,
        sheriff=state.sheriff,
        living=in_play(state),
    )
    if now is not state.high_noon:
        draft = draft.then(HighNoonBegan(seat))
    entered = state.mode is RecordMode.FULL and not by_hand and seat != state.ghost
    loses = high_noon_loss(now, edition, passive=state.seats[seat - 1].passive) if entered else 0
    return draft.then(TurnStarted(seat, loses))


def pass_turns(draft: Draft, edition: Edition) -> Draft:
    """Start the next player's turn instead of one who has left, unless everybody in play has left."""
    while _must_pass(draft.state):
        draft = start_turn(draft, _next_seat(draft.state), edition)
    return draft


def _must_pass(state: GameState) -> bool:
    if state.phase is not Phase.PLAYING or has_question(state) or state.turn is None or state.is_turn_unknown:
        return False
    owner = state.seats[state.turn - 1]
    somebody_plays = any(seat.in_play and not seat.passive for seat in state.seats)
    is_out = not owner.in_play and owner.seat != state.ghost
    return is_out or (owner.passive and somebody_plays)


def _require_known_turn(state: GameState, edition: Edition) -> None:
    require_phase(state, Phase.PLAYING)
    require_no_question(state)
    if not records_turns(state, edition):
        raise Refused(GameReason.TURNS_NOT_ENTERED)
    if state.is_turn_unknown:
        raise Refused(GameReason.TURN_UNKNOWN)


def _turn(state: GameState) -> SeatNo:
    return SHERIFF_SEAT if state.turn is None else state.turn


def _next_seat(state: GameState) -> SeatNo:
    return next(seat.seat for seat in seats_after(state, _turn(state)) if has_turns(state, seat.seat))
