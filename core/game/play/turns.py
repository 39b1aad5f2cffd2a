"""Turns, reshuffles, and the effects of High Noon on them."""

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game.commands import EndTurn, Reshuffle, SetTurn, SkipTurn
from saloon.core.game.draft import Draft
from saloon.core.game.events import DeckReshuffled, GameEvent, HighNoonArmed, HighNoonBegan, TurnStarted
from saloon.core.game.play.high_noon import (
    high_noon_after_reshuffle,
    high_noon_at_turn_start,
    high_noon_loss,
    reshuffles_to_high_noon,
)
from saloon.core.game.play.turn_events import Skip, TurnSkipped
from saloon.core.game.reasons import GameReason
from saloon.core.game.seats import require_no_question, require_phase, seat_in_play, seats_after
from saloon.core.game.setup.roles import SHERIFF_SEAT
from saloon.core.game.state import GameState, Phase
from saloon.core.terms import SeatNo


def end_turn(state: GameState, _command: EndTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """Start the next living player's turn, and pass it on at once if that player has left.

    Raises Refused while a question is open.
    Source: base game; passive players: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    require_phase(state, Phase.PLAYING)
    require_no_question(state)
    return pass_turns(turn_start(Draft(state), _next_seat(state), edition), edition).events


def skip_turn(state: GameState, _command: SkipTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """Pass the turn of a player in Jail on; it does not count as played.

    High Noon has taken its point when the turn started (D13). Raises Refused while a question is open,
    for the Sheriff, whom Jail cannot hold, and for a passive seat, whose turns never count.
    Source: base game, Jail; Official Score System 2003, fifth tie-break (D31).
    """
    require_phase(state, Phase.PLAYING)
    require_no_question(state)
    seat = state.seats[_turn(state) - 1]
    if seat.seat == state.sheriff:
        raise Refused(GameReason.SHERIFF_IN_JAIL)
    if seat.passive:
        raise Refused(GameReason.PASSIVE_TURN, seat=seat.seat)
    skipped = Draft(state).then(TurnSkipped(seat.seat, Skip.JAIL))
    return pass_turns(turn_start(skipped, _next_seat(state), edition), edition).events


def set_turn(state: GameState, command: SetTurn, edition: Edition) -> tuple[GameEvent, ...]:
    """Start all turns up to that of a seat, as if their ends had been entered in time.

    Allowed while somebody's last life point is asked about: the answer depends on whose turn it is. High
    Noon begins if it must, but takes no points: the players took those they lost by hand.
    Raises Refused for a passive seat, for the seat that has the turn, and while High Noon's question is open.
    """
    require_phase(state, Phase.PLAYING)
    if state.revolution_question is not None or state.high_noon_question:
        require_no_question(state)
    seat = seat_in_play(state, command.seat)
    if seat.seat == state.turn:
        raise Refused(GameReason.TURN_ALREADY, seat=seat.seat)
    if seat.passive:
        raise Refused(GameReason.PASSIVE_TURN, seat=seat.seat)
    draft = Draft(state)
    while draft.state.turn != seat.seat:
        draft = turn_start(draft, _next_seat(draft.state), edition, by_hand=True)
    return draft.events


def reshuffle(state: GameState, _command: Reshuffle, edition: Edition) -> tuple[GameEvent, ...]:
    """Record that the discard pile became a new deck; the threshold arms High Noon. Raises Refused.

    Source: Championship 2022/23 v1.4, 1.1 "High Noon".
    """
    require_phase(state, Phase.PLAYING)
    draft = Draft(state).then(DeckReshuffled(state.reshuffles + 1))
    after = high_noon_after_reshuffle(
        state.high_noon,
        count=state.reshuffles + 1,
        threshold=reshuffles_to_high_noon(len(state.seats), edition),
    )
    if after is not state.high_noon:
        draft = draft.then(HighNoonArmed())
    return draft.events


def turn_start(
    draft: Draft, seat: SeatNo, edition: Edition, *, follows_turn: bool = True, by_hand: bool = False
) -> Draft:
    """Return the draft with the start of a seat's turn; High Noon begins if due, and takes its point.

    follows_turn: False for the new turn of a Rebel! who became Sheriff in the previous one. by_hand: the
    point of High Noon, if one was lost, was entered by hand.
    """
    state = draft.state
    now = high_noon_at_turn_start(
        state.high_noon,
        rule=edition.high_noon,
        seat=seat,
        previous=state.turn if follows_turn else None,
        sheriff=state.sheriff,
    )
    if now is not state.high_noon:
        draft = draft.then(HighNoonBegan(seat))
    loses = 0 if by_hand else high_noon_loss(now, edition, passive=state.seats[seat - 1].passive)
    return draft.then(TurnStarted(seat, loses))


def pass_turns(draft: Draft, edition: Edition) -> Draft:
    """Return the draft with the turns that start because a player cannot play theirs.

    If everybody in play has left, nobody could ever play: each turn is then ended by hand.
    """
    while _must_pass(draft.state):
        draft = turn_start(draft, _next_seat(draft.state), edition)
    return draft


def _must_pass(state: GameState) -> bool:
    if state.phase is not Phase.PLAYING or state.pending or state.turn is None:
        return False
    if state.revolution_question is not None:
        return False
    owner = state.seats[state.turn - 1]
    somebody_plays = any(seat.in_play and not seat.passive for seat in state.seats)
    return not owner.in_play or (owner.passive and somebody_plays)


def _turn(state: GameState) -> SeatNo:
    return SHERIFF_SEAT if state.turn is None else state.turn


def _next_seat(state: GameState) -> SeatNo:
    return next(seat.seat for seat in seats_after(state, _turn(state)) if seat.in_play)
