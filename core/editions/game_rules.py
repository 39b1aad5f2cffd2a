"""The rules of a game: roles, High Noon, the deck, characters and their auction, and the options."""

import enum
from collections.abc import Iterator, Sequence
from typing import Final

from core.characters import Character
from core.editions.part import EditionFault, Part, find_repeated, negative_faults, range_faults
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
        counts = (self.sheriff, self.deputy, self.outlaw, self.renegade, self.rebel)
        if min(counts) < 0 or sum(counts) != self.players:
            yield EditionFault((), f"the row of {self.players} players has {sum(counts)} roles")
        if self.sheriff != 1:
            yield EditionFault(("sheriff",), f"is {self.sheriff}; there must be one Sheriff")

    def count(self, role: Role) -> int:
        number: int = getattr(self, role.value)
        return number


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
    """The player whose turn begins High Noon."""

    SHERIFF = "sheriff"
    AFTER_SHERIFF = "after_sheriff"


class ThresholdRow(Part, frozen=True, kw_only=True):
    """The number of reshuffles to High Noon for table sizes in a range, which may have no upper limit."""

    players_from: int
    players_to: int | None = None
    reshuffles: int


class HighNoonRule(Part, frozen=True, kw_only=True):
    """The "High Noon" rule of an edition."""

    starter: HighNoonStarter
    thresholds: tuple[ThresholdRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        yield from range_faults("thresholds", [(row.players_from, row.players_to) for row in self.thresholds])
        for number, row in enumerate(self.thresholds):
            if row.reshuffles < 1:
                yield EditionFault(("thresholds", number, "reshuffles"), "it needs at least one reshuffle")


class Deck(Part, frozen=True, kw_only=True):
    """The playing cards of an edition, and statistics of how fast players draw them.

    cards: number of cards in the deck.
    drawn_per_turn: number of cards that the current player draws.
    drawn_beside: of a hundred cards, how many are drawn otherwise ("draw!", Stagecoach, Wells Fargo, General
        Store, abilities and rewards).
    drawn_at_most: the largest number of cards drawn in a turn, as an average over a whole deck.
    in_front_at_most: the largest number of cards that a player has in play or above their hand limit, as an
        average.
    Source: base game; the last three: counted in games played card by card.
    """

    cards: int = 80
    drawn_per_turn: int = 2
    drawn_beside: int = 28
    drawn_at_most: int = 7
    in_front_at_most: int = 5

    def faults(self) -> Iterator[EditionFault]:
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

    minimum: the lowest first bid.
    step: bids are multiples of it.
    last_pays: the price of a character that is assigned without a bid.
    """

    first_nominator: FirstNominator
    order: BidOrder
    next_nominator: NextNominator
    minimum: Dollars
    step: Dollars
    last_pays: Dollars

    def faults(self) -> Iterator[EditionFault]:
        yield from negative_faults((("minimum", self.minimum), ("last_pays", self.last_pays)))
        if self.step < 1:
            yield EditionFault(("step",), f"is {self.step}; it must be at least 1")
        elif self.minimum % self.step:
            yield EditionFault(
                ("minimum",), f"is {self.minimum}; bids are multiples of step, {self.step}, so it must be one"
            )


LONGEST_REMINDER: Final = 160
"""The longest reminder that fits on a terminal's screen, in characters."""


class CashRewards(Part, frozen=True, kw_only=True):
    """The cash rewards option: a player who eliminates an Outlaw gets dollars."""

    printed: str
    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative_faults((("dollars", self.dollars),))


class ExperienceRule(Part, frozen=True, kw_only=True):
    """The experience option: survivors may keep cards, each for a price."""

    dollars: Dollars

    def faults(self) -> Iterator[EditionFault]:
        return negative_faults((("dollars", self.dollars),))


class EnlistmentRule(Part, frozen=True, kw_only=True):
    """The enlistment option: characters are auctioned, for which players get start money."""

    start_money: Dollars
    auction: AuctionRule

    def faults(self) -> Iterator[EditionFault]:
        return negative_faults((("start_money", self.start_money),))


class RuthlessLawRule(Part, frozen=True, kw_only=True):
    """The Ruthless Law option: the Sheriff is reminded of it on the terminal's screen."""

    reminder: str

    def faults(self) -> Iterator[EditionFault]:
        if not 1 <= len(self.reminder.strip()) <= LONGEST_REMINDER:
            yield EditionFault(
                ("reminder",), f"has {len(self.reminder)} characters; allowed are 1 to {LONGEST_REMINDER}"
            )


class RebelRule(Part, frozen=True, kw_only=True):
    """The Rebel! option: another role at some table sizes."""

    roles: tuple[RolesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        if not self.roles:
            yield EditionFault(("roles",), "is empty; it needs its rows")
        yield from size_faults(self.roles)
        for number, row in enumerate(self.roles):
            if row.rebel != 1:
                yield EditionFault(("roles", number, "rebel"), f"is {row.rebel}; there must be one Rebel!")


class Options(Part, frozen=True, kw_only=True):
    """The options that an edition offers, with None for the others."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None


class CharacterMethod(enum.Enum):
    """The way in which players get their characters."""

    DEAL_AND_CHOOSE = "deal_and_choose"
    """Each player is dealt several and secretly keeps one."""
    AUCTION = "auction"
    AT_RANDOM = "at_random"
    """Each player is dealt one."""


class Characters(Part, frozen=True, kw_only=True):
    """The characters and how players get them. ``dealt`` is the number dealt to each player."""

    method: CharacterMethod
    dealt: int = 1
    auction: AuctionRule | None = None
    sheriff_extra_life: int
    deck: tuple[Character, ...]

    def faults(self) -> Iterator[EditionFault]:
        yield from find_repeated("deck", self.deck, "character")
        yield from negative_faults((("sheriff_extra_life", self.sheriff_extra_life),))
        if self.dealt < 1:
            yield EditionFault(("dealt",), f"is {self.dealt}; it must be at least 1")
        if self.dealt > 1 and self.method is not CharacterMethod.DEAL_AND_CHOOSE:
            yield EditionFault(("dealt",), f"is {self.dealt}; only deal_and_choose deals more than 1")
        if (self.auction is not None) is not (self.method is CharacterMethod.AUCTION):
            yield EditionFault(
                ("method",),
                f"is {self.method.value}; the method auction, and no other, has a table characters.auction",
            )
