"""Reshuffles of the discard pile, which lead to High Noon, and the number of turns that a deck lasts."""

import math
from typing import Final

import msgspec
from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.game_rules import Deck
from core.game.play.high_noon import (
    high_noon_after_reshuffle,
    high_noon_at_turn_start,
    high_noon_loss,
    reshuffles_to_high_noon,
)
from core.game.play.turns import HighNoonBegan, TurnsPassed, forget_turn
from core.game.play.wounds import LoseLife
from core.game.state.decisions import Draft, Event, RolesCommand
from core.game.state.game import GameState, HighNoon, Phase
from core.game.state.seats import in_play, require_phase, seat_of, seats_after
from core.rule_set import RecordMode
from core.terms import SeatNo


class DeckReshuffled(Event, frozen=True, tag="deck-reshuffled"):
    """The discard pile was shuffled. ``count`` is the number of reshuffles, including this one."""

    count: int

    def apply(self, state: GameState) -> GameState:
        return replace(state, reshuffles=self.count, reshuffled_at=state.turns)


class HighNoonArmed(Event, frozen=True, tag="high-noon-armed"):
    """A reshuffle reached the number after which High Noon waits for the turn that begins it."""

    def apply(self, state: GameState) -> GameState:
        return replace(state, high_noon=HighNoon.WAITING)


class Reshuffle(RolesCommand, frozen=True):
    """Record a reshuffle, which may lead to High Noon.

    during: the seat in whose turn it happened, if it is entered late. Then the life points that High Noon has
        taken since are subtracted now.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon".
    """

    during: SeatNo | None = None

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
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
            if self.during is not None and not state.is_turn_unknown:
                draft = _make_up_high_noon(draft, seat_of(state, self.during).seat, edition)
        return draft.events


def _make_up_high_noon(draft: Draft, during: SeatNo, edition: Edition) -> Draft:
    """Take the points that High Noon should have taken since a seat's last turn.

    Nobody loses the last point here: the table is asked about those players.
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
            draft = draft.then(LoseLife(following.seat, loses))
        elif loses and not is_taken:
            doubtful.append(following.seat)
        before = following.seat
    return draft.then(TurnsPassed((), tuple(doubtful))) if doubtful else draft


_HELD_LATER: Final = 4
"""Average number of cards that a living player has in hand and in play, later in the game."""
_LATE: Final = 1.25
"""The multiple of the usual number of turns after which a careful table has nearly always reshuffled."""


class DeckTurns(msgspec.Struct, frozen=True):
    """The number of turns that a deck lasts: usually, and at most, if nobody draws extra cards."""

    usual: int
    most: int

    @property
    def late(self) -> int:
        """The number of turns after which the table has probably forgotten to enter a reshuffle."""
        return min(self.most, math.ceil(self.usual * _LATE))


def deck_turns(state: GameState, edition: Edition) -> DeckTurns:
    """Estimate the number of turns that the current deck lasts with the players in play."""
    deck = edition.deck
    # At the start, every player draws as many cards as they have life points.
    held = sum(seat.max_life for seat in state.seats)
    if state.reshuffles:
        held = _HELD_LATER * len(in_play(state))
    most = _cards_to_draw(deck, held) / deck.drawn_per_turn
    return DeckTurns(math.ceil(usual_deck_turns(deck, held)), math.ceil(most))


def fewest_deck_turns(state: GameState, edition: Edition) -> int:
    """Return the minimum number of turns that a reshuffled deck lasts, which 99 of 100 real decks exceed."""
    deck = edition.deck
    held = sum(max(0, seat.life) + deck.in_front_at_most for seat in state.seats if seat.in_play)
    return max(1, (deck.cards - held) // deck.drawn_at_most)


def usual_deck_turns(deck: Deck, held: int) -> float:
    """Return the average number of turns that a deck lasts. ``held`` counts cards in hands and in play."""
    return _cards_to_draw(deck, held) * (100 - deck.drawn_beside) / 100 / deck.drawn_per_turn


def _cards_to_draw(deck: Deck, held: int) -> int:
    return max(deck.drawn_per_turn, deck.cards - held)


def turns_since_reshuffle(state: GameState) -> int:
    return state.turns - max(1, state.reshuffled_at)
