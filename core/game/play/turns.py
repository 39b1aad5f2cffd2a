"""Turns, reshuffles, and the effects of High Noon on them."""

from itertools import takewhile

from base.errors import Refused
from core.editions.edition import Edition, TieBreak
from core.game.commands import EndTurn, MarkJailed, Reshuffle, SetRecordMode, SetTurn, SkipTurn
from core.game.events import DeckReshuffled, GameEvent, HighNoonArmed, HighNoonBegan, LifeLost, TurnStarted
from core.game.play.high_noon import (
    high_noon_after_reshuffle,
    high_noon_at_turn_start,
    high_noon_loss,
    reshuffles_to_high_noon,
)
from core.game.play.turn_events import RecordModeSet, Skip, TurnNamed, TurnSkipped, TurnsPassed, TurnUnknown
from core.game.rebel.comebacks import come_back, has_turns
from core.game.state.decisions import Draft
from core.game.state.game import GameState, HighNoon, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import (
    BEFORE_THE_END,
    has_question,
    in_play,
    require_no_question,
    require_phase,
    seat_in_play,
    seat_of,
    seats_after,
)
from core.rule_set import RecordMode
from core.terms import SHERIFF_SEAT, SeatNo


def end_turn(state: GameState, _command: EndTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """Start the next living player's turn, and end it at once if that player has left.

    Raises Refused while a question is open.
    Source: base game; passive players: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    _require_known_turn(state, edition)
    return pass_turns(turn_start(Draft(state), _next_seat(state), edition), edition).events


def skip_turn(state: GameState, _command: SkipTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """End the turn of a player in Jail; it does not count as played.

    High Noon took its point when the turn started (D13). Raises Refused while a question is open,
    for the Sheriff, whom Jail cannot hold, and for a passive seat, whose turns never count.
    Source: base game, Jail; Official Score System 2003, fifth tie-break (D31).
    """
    _require_known_turn(state, edition)
    seat = state.seats[_turn(state) - 1]
    if seat.seat == state.sheriff:
        raise Refused(GameReason.SHERIFF_IN_JAIL)
    if seat.passive:
        raise Refused(GameReason.PASSIVE_TURN, seat=seat.seat)
    skipped = Draft(state).then(TurnSkipped(seat.seat, Skip.JAIL))
    return pass_turns(turn_start(skipped, _next_seat(state), edition), edition).events


def set_turn(state: GameState, command: SetTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """Start all turns up to that of a seat, as if their ends had been entered in time.

    High Noon begins if due. It takes no point from a player who lost one by hand since the last turn
    entered, nor the last one of a player whose turn is passed: the table is asked about that player.
    Allowed while the table is asked about a last life point, because the answer depends on whose turn it is;
    High Noon takes nothing then. In light mode the previous turn may be unknown: nothing is passed.
    Raises Refused for a passive seat, for the current one, and while High Noon's question is open.
    """
    seat = _seat_that_may_have_turn(state, command.seat)
    if state.is_turn_unknown:
        return come_back(Draft(state), seat.seat).then(TurnNamed(seat.seat)).events
    draft, passed, doubtful = Draft(state), list[SeatNo](), list[SeatNo]()
    while draft.state.turn != seat.seat:
        following = _next_seat(draft.state)
        is_passed = following != seat.seat
        by_hand = bool(state.pending) or following in state.wounded
        started = turn_start(draft, following, edition, by_hand=by_hand)
        if is_passed and started.state.high_noon_question:
            doubtful.append(following)
            started = turn_start(draft, following, edition, by_hand=True)
        if is_passed:
            passed.append(following)
        draft = started
    return draft.then(TurnsPassed(tuple(passed), tuple(doubtful))).events if passed else draft.events


def can_set_turn(state: GameState, seat: SeatNo) -> bool:
    """Return whether ``set_turn`` accepts a seat now; screens check every seat in every frame."""
    try:
        _seat_that_may_have_turn(state, seat)
    except Refused:
        return False
    return True


def _seat_that_may_have_turn(state: GameState, number: SeatNo) -> Seat:
    """Return a seat whose turn may be set now. Raises Refused as ``set_turn`` does."""
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
    """Return whether a seat's turn comes before the Sheriff's, which ends the event card's effect."""
    if seat.in_play or state.is_turn_unknown:
        return True
    before = takewhile(lambda other: other.seat != seat.seat, seats_after(state, _turn(state)))
    return all(other.seat != state.sheriff for other in before)


def mark_jailed(state: GameState, command: MarkJailed) -> tuple[GameEvent, ...]:
    """Record that Jail held a player in a passed turn. Raises Refused for other seats.

    Source: base game, Jail; Official Score System 2003, fifth tie-break (D31).
    """
    require_phase(state, Phase.PLAYING)
    # A ghost has turns as well.
    is_passed = command.seat in state.passed
    seat = seat_of(state, command.seat) if is_passed else seat_in_play(state, command.seat)
    if seat.seat == state.sheriff:
        raise Refused(GameReason.SHERIFF_IN_JAIL)
    if not is_passed:
        raise Refused(GameReason.NOT_PASSED, seat=seat.seat)
    return (TurnSkipped(seat.seat, Skip.JAIL),)


def set_record_mode(state: GameState, command: SetRecordMode, edition: Edition) -> tuple[GameEvent, ...]:
    """Change the record mode of a running game. Raises Refused if it is the same."""
    require_phase(state, *BEFORE_THE_END)
    if state.duel is not None:
        raise Refused(GameReason.NOT_IN_A_DUEL)
    if state.mode is command.mode:
        raise Refused(GameReason.MODE_ALREADY)
    return forget_turn(Draft(state).then(RecordModeSet(command.mode)), edition).events


def forget_turn(draft: Draft, edition: Edition) -> Draft:
    """Return the draft with the turn unknown from now on, if turns are not recorded in this game."""
    state = draft.state
    if state.phase is not Phase.PLAYING or state.is_turn_unknown or records_turns(state, edition):
        return draft
    return draft.then(TurnUnknown())


def records_turns(state: GameState, edition: Edition) -> bool:
    """Return whether each turn is recorded: in full mode, where turns break ties, and near High Noon."""
    if state.mode is RecordMode.FULL or TieBreak.TURNS_PLAYED in edition.tie_breaks:
        return True
    return state.high_noon is not HighNoon.OFF


def reshuffle(state: GameState, command: Reshuffle, edition: Edition) -> tuple[GameEvent, ...]:
    """Record a reshuffle; at the threshold it arms High Noon. Raises Refused.

    If it is entered late, points that High Noon has taken since are made up for.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon".
    """
    require_phase(state, Phase.PLAYING)
    # In light mode the turn didn't matter until now.
    known = forget_turn(Draft(state), edition)
    draft = known.then(DeckReshuffled(state.reshuffles + 1))
    after = high_noon_after_reshuffle(
        state.high_noon,
        count=state.reshuffles + 1,
        threshold=reshuffles_to_high_noon(len(state.seats), edition),
    )
    if after is not state.high_noon:
        draft = draft.then(HighNoonArmed())
        if command.during is not None and not state.is_turn_unknown:
            draft = _make_up_high_noon(draft, seat_of(state, command.during).seat, edition)
    return draft.events


def _make_up_high_noon(draft: Draft, during: SeatNo, edition: Edition) -> Draft:
    """Return the draft with the points that High Noon has taken since a reshuffle that was entered late.

    during: the seat in whose turn the deck was reshuffled, at most one round of turns ago. Nobody loses the
    last point here: the table is asked about those players.
    """
    state, before, doubtful = draft.state, during, list[SeatNo]()
    living = set(in_play(state))
    if not any(out.seat == out.turn == during for out in state.eliminations):
        living.add(during)
    while before != state.turn:
        others = seats_after(state, before)
        # A ghost, or a player whom a card has just eliminated, may have the turn.
        following = next(seat for seat in others if seat.in_play or seat.seat == state.turn)
        now = high_noon_at_turn_start(
            draft.state.high_noon,
            edition,
            seat=following.seat,
            previous=before,
            sheriff=state.sheriff,
            living=living,
        )
        if now is not draft.state.high_noon:
            draft = draft.then(HighNoonBegan(following.seat))
        loses = high_noon_loss(now, edition, passive=following.passive) if following.in_play else 0
        is_taken = state.mode is RecordMode.LIGHT or following.seat in state.wounded
        if loses and not is_taken and following.life > loses:
            draft = draft.then(LifeLost(following.seat, loses))
        elif loses and not is_taken:
            doubtful.append(following.seat)
        before = following.seat
    return draft.then(TurnsPassed((), tuple(doubtful))) if doubtful else draft


def turn_start(
    draft: Draft, seat: SeatNo, edition: Edition, *, follows_turn: bool = True, by_hand: bool = False
) -> Draft:
    """Return the draft with the start of a seat's turn; High Noon begins if due, and takes its point.

    follows_turn: False for the new turn of a Rebel! who became Sheriff in the previous one. by_hand: the
    point taken by High Noon, if any, was entered by hand, as always in light mode.
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
    """Return the draft with the turns that end at once because their players have left.

    If everybody in play has left, turns are ended by hand.
    """
    while _must_pass(draft.state):
        draft = turn_start(draft, _next_seat(draft.state), edition)
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
