"""The deck of playing cards: what bounds the number of turns between two reshuffles."""

from collections.abc import Iterator

from saloon.core.editions.part import EditionFault, Part


class Deck(Part, frozen=True, kw_only=True):
    """The playing cards of an edition, and what a turn draws of them.

    cards: in the whole deck. drawn_per_turn: by every player who plays a turn. drawn_beside: in a hundred
    cards, those that are drawn besides, for draw!, Stagecoach, Wells Fargo, General Store, abilities and
    rewards; a mean, which differs from table to table.
    Source: base game; drawn_beside: counted in rehearsals.
    """

    cards: int = 80
    drawn_per_turn: int = 2
    drawn_beside: int = 28

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a deck that is never drawn, or is drawn by nobody."""
        if self.cards < 1 or self.drawn_per_turn < 1:
            yield EditionFault((), "needs at least one card, and one drawn in each turn")
        if not 0 <= self.drawn_beside < 100:  # noqa: PLR2004 (per cent)
            yield EditionFault(("drawn_beside",), f"is {self.drawn_beside}; allowed are 0 to 99")
