"""The rules of a game: roles, High Noon, the deck, characters and their auction, and the options."""

import enum
from collections.abc import Iterator, Sequence
from typing import Final

from core.characters import Character
from core.editions.part import EditionFault, Part, find_repeated, negative, range_faults
from core.terms import Dollars, Role

FEWEST_AT_A_TABLE: Final = 4
"""The smallest table. Source: base game."""


MOST_AT_A_TABLE: Final = 10
"""The largest table, which is also the most seats that a terminal shows. Source: The Rebel!"""


class RolesRow(Part, frozen=True, kw_only=True):
    """The number of players of each role for a table size."""

    players: int
    sheriff: int
    deputy: int
    outlaw: int
    renegade: int
    rebel: int = 0

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault if the sum differs from the players, or there isn't exactly one Sheriff."""
        counts = (self.sheriff, self.deputy, self.outlaw, self.renegade, self.rebel)
        if min(counts) < 0 or sum(counts) != self.players:
            yield EditionFault((), f"the row of {self.players} players has {sum(counts)} roles")
        if self.sheriff != 1:
            yield EditionFault(("sheriff",), f"is {self.sheriff}; there must be one Sheriff")

    def count(self, role: Role) -> int:
        """Return the number of players of this role."""
        match role:
            case Role.SHERIFF:
                return self.sheriff
            case Role.DEPUTY:
                return self.deputy
            case Role.OUTLAW:
                return self.outlaw
            case Role.RENEGADE:
                return self.renegade
            case Role.REBEL:
                return self.rebel


def size_faults(rows: Sequence[RolesRow]) -> Iterator[EditionFault]:
    """Yield a fault for each repeated or impossible table size."""
    listed = [row.players for row in rows]
    for number, players in enumerate(listed):
        if not FEWEST_AT_A_TABLE <= players <= MOST_AT_A_TABLE:
            yield EditionFault(
                ("roles", number, "players"),
                f"is {players}; allowed are {FEWEST_AT_A_TABLE} to {MOST_AT_A_TABLE} at a table",
            )
        if players in listed[:number]:
            yield EditionFault(("roles", number), f"a second row for one table size, {players}")


class HighNoonStarter(enum.Enum):
    """The turn in which High Noon first takes a life point."""

    SHERIFF = "sheriff"
    AFTER_SHERIFF = "after_sheriff"
    """The first turn that directly follows a turn of the Sheriff."""


class ThresholdRow(Part, frozen=True, kw_only=True):
    """The reshuffles to High Noon at tables of players_from to players_to (None: no upper limit)."""

    players_from: int
    players_to: int | None = None
    reshuffles: int


class HighNoonRule(Part, frozen=True, kw_only=True):
    """The "High Noon" rule of an edition. Table sizes are numbers of players at the start."""

    starter: HighNoonStarter
    thresholds: tuple[ThresholdRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for thresholds with a gap, an overlap, or less than one reshuffle."""
        yield from range_faults("thresholds", [(row.players_from, row.players_to) for row in self.thresholds])
        for number, row in enumerate(self.thresholds):
            if row.reshuffles < 1:
                yield EditionFault(("thresholds", number, "reshuffles"), "it needs at least one reshuffle")


class Deck(Part, frozen=True, kw_only=True):
    """The playing cards of an edition, and the average number of cards that a turn uses.

    cards: number in the whole deck.
    drawn_per_turn: cards drawn by the player whose turn it is.
    drawn_beside: other draws per hundred cards (draw!, Stagecoach, Wells Fargo, General Store, abilities and
        rewards), on average.
    drawn_at_most: highest average number of cards drawn in a turn, over a whole deck.
    in_front_at_most: cards in front of players or beyond their hand limit, on average.
    Source: base game; the last three: counted in games played card by card.
    """

    cards: int = 80
    drawn_per_turn: int = 2
    drawn_beside: int = 28
    drawn_at_most: int = 7
    in_front_at_most: int = 5

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a deck without draws."""
        if self.cards < 1 or self.drawn_per_turn < 1:
            yield EditionFault((), "needs at least one card, and one drawn in each turn")
        if self.drawn_at_most < self.drawn_per_turn or self.in_front_at_most < 0:
            least = f"drawn_at_most needs to be at least {self.drawn_per_turn}, in_front_at_most at least 0"
            yield EditionFault(("drawn_at_most",), least)
        if not 0 <= self.drawn_beside < 100:  # noqa: PLR2004 (per cent)
            yield EditionFault(("drawn_beside",), f"is {self.drawn_beside}; allowed are 0 to 99")


class FirstNominator(enum.Enum):
    """The player who nominates the first character."""

    SHERIFF = "sheriff"
    RIGHT_OF_SHERIFF = "right_of_sheriff"


class BidOrder(enum.Enum):
    """The direction of bidding."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class NextNominator(enum.Enum):
    """The seat after which the search for the next nominator starts, in the order of bidding."""

    FROM_WINNER = "from_winner"
    FROM_NOMINATOR = "from_nominator"


class AuctionRule(Part, frozen=True, kw_only=True):
    """The auction of characters.

    minimum, step: the lowest bid and the step between bids, in dollars.
    last_pays: whether the last character costs anything.
    """

    first_nominator: FirstNominator
    order: BidOrder
    next_nominator: NextNominator
    minimum: Dollars
    step: Dollars
    last_pays: Dollars

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for a negative amount, or for a minimum that isn't a multiple of the step."""
        yield from negative((("minimum", self.minimum), ("last_pays", self.last_pays)))
        if self.step < 1:
            yield EditionFault(("step",), f"is {self.step}; it must be at least 1")
        elif self.minimum % self.step:
            yield EditionFault(
                ("minimum",), f"is {self.minimum}; bids are multiples of step, {self.step}, so it must be one"
            )


LONGEST_REMINDER: Final = 160
"""The longest reminder that fits on a terminal's screen, in characters."""


class CashRewards(Part, frozen=True, kw_only=True):
    """The cash rewards option. dollars: paid to the player who personally eliminates an Outlaw."""

    printed: str
    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative((("dollars", self.dollars),))


class ExperienceRule(Part, frozen=True, kw_only=True):
    """The experience option. ``dollars`` is the price of each card kept."""

    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative((("dollars", self.dollars),))


class EnlistmentRule(Part, frozen=True, kw_only=True):
    """The character enlistment option. ``start_money`` replaces the edition's."""

    start_money: Dollars
    auction: AuctionRule

    def faults(self) -> Iterator[EditionFault]:
        return negative((("start_money", self.start_money),))


class RuthlessLawRule(Part, frozen=True, kw_only=True):
    """The Ruthless Law option. ``reminder`` is its text, shown when the Sheriff discards."""

    reminder: str

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for an empty reminder, or one too long for a terminal."""
        if not 1 <= len(self.reminder.strip()) <= LONGEST_REMINDER:
            yield EditionFault(
                ("reminder",), f"has {len(self.reminder)} characters; allowed are 1 to {LONGEST_REMINDER}"
            )


class RebelRule(Part, frozen=True, kw_only=True):
    """The Rebel! option. ``roles`` covers the table sizes with a Rebel!."""

    roles: tuple[RolesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for rows without exactly one Rebel!, and for repeated table sizes."""
        if not self.roles:
            yield EditionFault(("roles",), "is empty; it needs its rows")
        yield from size_faults(self.roles)
        for number, row in enumerate(self.roles):
            if row.rebel != 1:
                yield EditionFault(("roles", number, "rebel"), f"is {row.rebel}; there must be one Rebel!")


class Options(Part, frozen=True, kw_only=True):
    """The options that an edition offers, or None for each one it doesn't."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None


class CharacterMethod(enum.Enum):
    """The way in which players get their characters."""

    DEAL_AND_CHOOSE = "deal_and_choose"
    """Some are dealt face down to each player, who keeps one; all are revealed together."""
    AUCTION = "auction"
    """As many characters as players are turned up and auctioned one after the other."""
    AT_RANDOM = "at_random"
    """Each player is dealt one."""


class Characters(Part, frozen=True, kw_only=True):
    """The characters and how players get them. dealt: number dealt to each player, who chooses one."""

    method: CharacterMethod
    dealt: int = 1
    auction: AuctionRule | None = None
    sheriff_extra_life: int
    deck: tuple[Character, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for repeated characters, and for a deal or auction that doesn't fit the method."""
        yield from find_repeated("deck", self.deck, "character")
        yield from negative((("sheriff_extra_life", self.sheriff_extra_life),))
        if self.dealt < 1:
            yield EditionFault(("dealt",), f"is {self.dealt}; it must be at least 1")
        if self.dealt > 1 and self.method is not CharacterMethod.DEAL_AND_CHOOSE:
            yield EditionFault(("dealt",), f"is {self.dealt}; only deal_and_choose deals more than 1")
        if (self.auction is not None) is not (self.method is CharacterMethod.AUCTION):
            yield EditionFault(
                ("method",),
                f"is {self.method.value}; the method auction, and no other, has a table characters.auction",
            )
