"""The turns that a deck lasts: when a reshuffle should have come, and when it must have."""

import math
from typing import Final

import msgspec

from saloon.core.editions.edition import Deck, Edition
from saloon.core.game.seats import in_play
from saloon.core.game.state import GameState

_HELD_LATER: Final = 4
"""Cards that a living player holds and has in front once play is going, about: hands shrink with life."""
_LATE: Final = 1.25
"""The share of the usual turns after which a careful table has nearly always reshuffled."""


class DeckTurns(msgspec.Struct, frozen=True):
    """Turns from one deck to the next. usual: on average; most: if nobody draws a card besides."""

    usual: int
    most: int

    @property
    def late(self) -> int:
        """Return the number of turns after which a reshuffle has probably been forgotten."""
        return min(self.most, math.ceil(self.usual * _LATE))


def deck_turns(state: GameState, edition: Edition) -> DeckTurns:
    """Return the turns that the current deck lasts, for the players in play.

    At the start every player draws as many cards as life points.
    Source: base game.
    """
    deck = edition.deck
    held = sum(seat.max_life for seat in state.seats)
    if state.reshuffles:
        held = _HELD_LATER * len(in_play(state))
    most = _cards_to_draw(deck, held) / deck.drawn_per_turn
    return DeckTurns(math.ceil(usual_deck_turns(deck, held)), math.ceil(most))


def fewest_deck_turns(state: GameState, edition: Edition) -> int:
    """Return the turns before which a reshuffled discard pile is not drawn to its end, whatever is played.

    Hands are limited by life points. At most one in a hundred decks is shorter, in games played card by card.
    """
    deck = edition.deck
    held = sum(max(0, seat.life) + deck.in_front_at_most for seat in state.seats if seat.in_play)
    return max(1, (deck.cards - held) // deck.drawn_at_most)


def usual_deck_turns(deck: Deck, held: int) -> float:
    """Return the turns that a deck lasts on average. held: cards that are with the players."""
    return _cards_to_draw(deck, held) * (100 - deck.drawn_beside) / 100 / deck.drawn_per_turn


def _cards_to_draw(deck: Deck, held: int) -> int:
    return max(deck.drawn_per_turn, deck.cards - held)


def turns_since_reshuffle(state: GameState) -> int:
    """Return the number of turns that have ended since the deck was last shuffled."""
    return state.turns - max(1, state.reshuffled_at)
