"""The number of turns that a deck lasts: when a reshuffle is likely, and when it must have happened."""

import math
from typing import Final

import msgspec

from core.editions.edition import Deck, Edition
from core.game.state.game import GameState
from core.game.state.seats import in_play

_HELD_LATER: Final = 4
"""Average number of cards that a living player holds and has in play later on; hands shrink with life."""
_LATE: Final = 1.25
"""The factor on the usual number of turns after which a careful table has nearly always reshuffled."""


class DeckTurns(msgspec.Struct, frozen=True):
    """The number of turns that a deck lasts: usually, and at most, if nobody draws additional cards."""

    usual: int
    most: int

    @property
    def late(self) -> int:
        """Return the number of turns after which a reshuffle has probably been forgotten."""
        return min(self.most, math.ceil(self.usual * _LATE))


def deck_turns(state: GameState, edition: Edition) -> DeckTurns:
    """Return the turns that the current deck lasts, for the players in play.

    At the start, every player draws as many cards as they have life points.
    Source: base game.
    """
    deck = edition.deck
    held = sum(seat.max_life for seat in state.seats)
    if state.reshuffles:
        held = _HELD_LATER * len(in_play(state))
    most = _cards_to_draw(deck, held) / deck.drawn_per_turn
    return DeckTurns(math.ceil(usual_deck_turns(deck, held)), math.ceil(most))


def fewest_deck_turns(state: GameState, edition: Edition) -> int:
    """Return the minimum number of turns that a reshuffled deck lasts.

    Hands are limited by life points. In games played card by card, at most one deck in a hundred was shorter.
    """
    deck = edition.deck
    held = sum(max(0, seat.life) + deck.in_front_at_most for seat in state.seats if seat.in_play)
    return max(1, (deck.cards - held) // deck.drawn_at_most)


def usual_deck_turns(deck: Deck, held: int) -> float:
    """Return the average number of turns that a deck lasts.

    ``held`` counts the cards in players' hands and in play.
    """
    return _cards_to_draw(deck, held) * (100 - deck.drawn_beside) / 100 / deck.drawn_per_turn


def _cards_to_draw(deck: Deck, held: int) -> int:
    return max(deck.drawn_per_turn, deck.cards - held)


def turns_since_reshuffle(state: GameState) -> int:
    """Return the number of turns ended since the last reshuffle."""
    return state.turns - max(1, state.reshuffled_at)
