"""An edition of the tournament rules as one value.

Everything that differs between editions is a field here and a key in the edition's TOML file. The structs
check themselves when they are created and raise ``PartIsFaulty`` for gaps, overlaps or wrong sums.
"""

import enum
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, assert_never

from core.characters import Character
from core.editions.options import AuctionRule, Options
from core.editions.part import EditionFault, Part, find_repeated, negative, range_faults
from core.editions.printed import Printed
from core.editions.readings import OneOnOne, Readings
from core.editions.tables import RolesRow, RoundsRow, Tables, size_faults
from core.editions.winnings_table import WinningsRow, winnings_faults
from core.rule_set import OptionKey
from core.terms import Dollars, MatchKind, Role

FINALISTS: Final = 4
"""Number of players in the finals. Source: Championship 2010 v1.1, 1.2."""


class Schedule(enum.Enum):
    """The scheduling of a tournament's games."""

    CHART = "chart"
    """The number of players decides the rounds, a chart the tables; everybody is redrawn each round."""
    ONE_GROUP = "one_group"
    """All play at one table, as many games as players or a multiple; the Sheriff rotates evenly."""


class Scoring(enum.Enum):
    """The computation of a player's score."""

    SUM = "sum"
    """The score is start money plus winnings minus spending."""
    AVERAGE = "average"
    """The score is the same, divided by the number of games played, to the nearest dollar."""


class CharacterMethod(enum.Enum):
    """The way in which players get their characters."""

    DEAL_AND_CHOOSE = "deal_and_choose"
    """Some are dealt face down to each player, who keeps one; all are revealed together."""
    AUCTION = "auction"
    """As many characters as players are turned up and auctioned one after the other."""
    AT_RANDOM = "at_random"
    """Each player is dealt one."""


class Characters(Part, frozen=True, kw_only=True):
    """The characters and how players get them.

    dealt: number dealt to each player, who chooses one.
    auction: None if there is none.
    sheriff_extra_life: life points.
    """

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


class PrizesRow(Part, frozen=True, kw_only=True):
    """The prizes of the finals after a number of rounds, first place first."""

    rounds: int
    dollars: tuple[Dollars, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for missing, negative or unsorted prizes, and for no rounds."""
        if len(self.dollars) != FINALISTS:
            yield EditionFault(("dollars",), f"has {len(self.dollars)} prizes; it needs {FINALISTS}")
        if any(better < worse for better, worse in pairwise((*self.dollars, 0))):
            yield EditionFault(
                ("dollars",), "no prize may be negative, or larger than that of a better place"
            )
        if self.rounds < 1:
            yield EditionFault(("rounds",), f"is {self.rounds}; allowed is 1 or more")


class FinalsRule(Part, frozen=True, kw_only=True):
    """The rule of the finals: 1st against 4th, 2nd against 3rd, then both winners.

    ``modes`` are the duels allowed.
    """

    modes: tuple[MatchKind, ...]
    prizes: tuple[PrizesRow, ...]

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for an empty list of duels, a kind that isn't a duel, or repeated prize rows."""
        if not self.modes:
            yield EditionFault(("modes",), "is empty; allowed: long-duel, short-duel")
        yield from find_repeated("modes", self.modes, "mode")
        for number, mode in enumerate(self.modes):
            if mode is MatchKind.GAME:
                yield EditionFault(("modes", number), "is game; allowed: long-duel, short-duel")
        yield from find_repeated("prizes", [row.rounds for row in self.prizes], "number of rounds")


class TieBreak(enum.Enum):
    """A rule that orders players of equal score."""

    MAROGI = "marogi"
    """Average score of the opponents faced; higher is better."""
    BUCHHOLZ = "buchholz"
    """Sum of the scores of the opponents faced; higher is better."""
    MATCHES_WON = "matches_won"
    """Number of matches won; more is better."""
    WON_AS_SHERIFF = "won_as_sheriff"
    WON_AS_RENEGADE = "won_as_renegade"
    WON_AS_DEPUTY = "won_as_deputy"
    WON_AS_OUTLAW = "won_as_outlaw"
    TURNS_PLAYED = "turns_played"
    """Turns that the player actually played; more is better."""
    LOT = "lot"
    """The judge draws lots."""


class Waiver(enum.Enum):
    """A change to the rules that the judge may make to save time."""

    FEWER_ROUNDS = "fewer_rounds"
    TIME_LIMIT = "time_limit"


FOUR: Final = 4
"""The table size that championships exclude."""


class Edition(Part, frozen=True, kw_only=True):
    """An edition of the tournament rules.

    key: its name in files and journal entries. source: document, version and date. printed: the document
    to cite. start_money: each player's dollars before the first round. high_noon: None if the edition has
    no such rule.
    bonus: dollars by place, first place first. tie_breaks: in order of application.
    rounds: for a schedule by chart. deputy_penalty: dollars that a Deputy loses for eliminating the
    Sheriff. borrowed_deputy_penalty: that of another edition, used by a reading of D36. chosen: the
    options that are switched on; set by ``rules_of``, not by files. clock_warnings_min: minutes before the
    time limit at which tables are warned. deck: the playing cards. tables_of_four: the judge's
    reason for allowing them; not in files. fewest_groups: whether groups of different size are kept as few
    as possible, as in tournaments from before this was changed (``rules_of``).
    """

    key: str
    title: str
    source: str
    start_money: Dollars
    schedule: Schedule = Schedule.CHART
    scoring: Scoring = Scoring.SUM
    rounds: tuple[RoundsRow, ...] = ()
    tables: Tables
    roles: tuple[RolesRow, ...]
    characters: Characters
    high_noon: HighNoonRule | None = None
    winnings: tuple[WinningsRow, ...]
    deputy_penalty: Dollars = Dollars(0)
    borrowed_deputy_penalty: Dollars = Dollars(0)
    finals: FinalsRule | None = None
    options: Options = Options()
    chosen: tuple[OptionKey, ...] = ()
    tie_breaks: tuple[TieBreak, ...]
    bonus: tuple[Dollars, ...]
    waivers: tuple[Waiver, ...]
    clock_warnings_min: tuple[int, ...] = (10, 5, 1)
    deck: Deck = Deck()
    printed: Printed = Printed()
    readings: Readings
    tables_of_four: str = ""
    fewest_groups: bool = False

    @property
    def printed_sizes(self) -> tuple[int, ...]:
        """Return the table sizes of the document, without the tables of 4 that a judge has allowed (D44)."""
        return self.tables.sizes[1:] if self.tables_of_four else self.tables.sizes

    @property
    def may_have_tables_of_four(self) -> bool:
        """Return whether a judge may allow tables of 4, which the chart excludes (D44)."""
        is_four_dealt = any(row.players == FOUR for row in self.roles)
        return self.schedule is Schedule.CHART and FOUR not in self.printed_sizes and is_four_dealt

    def faults(self) -> Iterator[EditionFault]:
        """Yield contradictions between parts of the edition."""
        if not _KEY.fullmatch(self.key):
            yield EditionFault(("key",), f"is {self.key!r}; allowed are small letters, digits and hyphens")
        for name, text in (("title", self.title), ("source", self.source)):
            if not text.strip():
                yield EditionFault((name,), "is empty; people need to read it")
        amounts = {
            "start_money": self.start_money,
            "deputy_penalty": self.deputy_penalty,
            "borrowed_deputy_penalty": self.borrowed_deputy_penalty,
        }
        yield from negative(amounts.items())
        yield from self._schedule_faults()
        yield from self._roles_faults()
        yield from self._winnings_faults()
        yield from self._ranking_faults()

    @property
    def offered(self) -> tuple[OptionKey, ...]:
        """Return the options that may be switched on."""
        offers = {
            OptionKey.CASH_REWARDS: self.options.cash_rewards,
            OptionKey.EXPERIENCE: self.options.experience,
            OptionKey.ENLISTMENT: self.options.enlistment,
            OptionKey.RUTHLESS_LAW: self.options.ruthless_law,
            OptionKey.REBEL: self.options.rebel,
        }
        return tuple(key for key in OptionKey if offers[key] is not None)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the table sizes that have winnings; the Rebel! option adds some."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.tables.sizes
        return tuple(sorted({*self.tables.sizes, *(row.players for row in self.options.rebel.roles)}))

    @property
    def role_rows(self) -> tuple[RolesRow, ...]:
        """Return the roles by table size, including the Rebel! if that option is chosen."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.roles
        with_rebel = {row.players: row for row in self.options.rebel.roles}
        without = {row.players: row for row in self.roles}
        return tuple(row for _, row in sorted((without | with_rebel).items()))

    @property
    def auction(self) -> AuctionRule | None:
        """Return the auction of characters in use, or None if there is none."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.auction
        return self.characters.auction

    @property
    def money_at_start(self) -> Dollars:
        """Return what each player has before the first game, given the chosen options."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.start_money
        return self.start_money

    @property
    def duel_modes(self) -> tuple[MatchKind, ...]:
        """Return the kinds of duel that may be played: in the finals, or between two tied players (D30)."""
        if self.finals is not None:
            return self.finals.modes
        if self.schedule is Schedule.ONE_GROUP and self.readings.one_on_one is OneOnOne.OFFERED:
            return (MatchKind.SHORT_DUEL, MatchKind.LONG_DUEL)
        return ()

    @property
    def unit(self) -> str:
        """Return the English word for the unit of the schedule: ``round``, or ``game`` for one group."""
        return "game" if self.is_one_group else "round"

    @property
    def is_one_group(self) -> bool:
        """Return whether everybody plays at one table, game after game."""
        return self.schedule is Schedule.ONE_GROUP

    @property
    def penalty(self) -> Dollars:
        """Return what a Deputy loses for eliminating the Sheriff. Source: Official Score System 2003; D36."""
        if self.deputy_penalty == 0 and self.readings.deputy_penalty_in_simplified:
            return self.borrowed_deputy_penalty
        return self.deputy_penalty

    def _schedule_faults(self) -> Iterator[EditionFault]:
        match self.schedule:
            case Schedule.CHART:
                yield from self._rounds_faults()
            case Schedule.ONE_GROUP:
                if self.rounds:
                    yield EditionFault(("rounds",), "belongs to the schedule chart; this one is one_group")
                if self.tables.chart:
                    yield EditionFault(
                        ("tables", "chart"), "belongs to the schedule chart; this one is one_group"
                    )
                if self.finals is not None:
                    yield EditionFault(("finals",), "belongs to the schedule chart; this one is one_group")
                if self.tables.min_players not in self.tables.sizes:
                    yield EditionFault(
                        ("tables", "min_players"),
                        f"is {self.tables.min_players}; one group sits at one table: "
                        f"allowed are tables.sizes, {_list_sizes(self.tables.sizes)}",
                    )
            case _:
                assert_never(self.schedule)

    def _rounds_faults(self) -> Iterator[EditionFault]:
        if not self.tables.chart:
            yield EditionFault(("tables", "chart"), "is empty; the schedule chart needs its rows")
        yield from range_faults("rounds", [(row.players_from, row.players_to) for row in self.rounds])
        if self.rounds and self.rounds[0].players_from != self.tables.min_players:
            yield EditionFault(
                ("rounds", 0, "players_from"),
                f"is {self.rounds[0].players_from}; rounds "
                f"must start at tables.min_players, {self.tables.min_players}",
            )
        for number, row in enumerate(self.rounds):
            if row.rounds < 1:
                yield EditionFault(
                    ("rounds", number, "rounds"), "a row without a round; allowed is 1 or more"
                )

    def _roles_faults(self) -> Iterator[EditionFault]:
        yield from size_faults(self.roles)
        for number, row in enumerate(self.roles):
            if row.rebel:
                yield EditionFault(
                    ("roles", number, "rebel"), "rows with a Rebel! belong to options.rebel.roles"
                )
        missing = sorted(set(self.tables.sizes) - {row.players for row in self.roles})
        if missing:
            yield EditionFault(("roles",), f"has no row for tables of {_list_sizes(missing)}")
        rebel = () if self.options.rebel is None else self.options.rebel.roles
        largest = max([*self.tables.sizes, *(row.players for row in rebel)], default=0)
        needed = self.characters.dealt * largest
        if needed > len(self.characters.deck):
            yield EditionFault(
                ("characters", "deck"),
                f"has {len(self.characters.deck)} characters; a table of {largest} is dealt {needed}",
            )
        if self.high_noon is not None and self.high_noon.thresholds and self.tables.sizes:
            first = self.high_noon.thresholds[0].players_from
            if first > self.tables.sizes[0]:
                yield EditionFault(
                    ("high_noon", "thresholds", 0, "players_from"),
                    f"is {first}; the smallest table has {self.tables.sizes[0]}",
                )

    def _winnings_faults(self) -> Iterator[EditionFault]:
        roles = [role for role in Role if any(row.count(role) for row in self.roles)]
        yield from winnings_faults(self.winnings, roles, self.tables.sizes)
        by_size = next((number for number, row in enumerate(self.winnings) if row.dollars), None)
        rebel = () if self.options.rebel is None else self.options.rebel.roles
        beyond = [row.players for row in rebel if row.players not in self.tables.sizes]
        if by_size is not None and beyond:
            yield EditionFault(
                ("winnings", by_size, "dollars"),
                f"options.rebel.roles has a table of {beyond[0]}, and these dollars are for tables of "
                f"{_list_sizes(self.tables.sizes)} only",
            )

    def _ranking_faults(self) -> Iterator[EditionFault]:
        yield from find_repeated("tie_breaks", self.tie_breaks, "tie-break")
        yield from find_repeated("waivers", self.waivers, "waiver")
        yield from find_repeated("clock_warnings_min", self.clock_warnings_min, "warning")
        for number, minutes in enumerate(self.clock_warnings_min):
            if minutes < 1:
                yield EditionFault(("clock_warnings_min", number), f"is {minutes}; allowed is 1 or more")
        if not self.tie_breaks or self.tie_breaks[-1] is not TieBreak.LOT:
            yield EditionFault(("tie_breaks",), "must end with lot, or a tie could stay unbroken")
        for place, dollars in enumerate(self.bonus):
            if dollars < 0:
                yield EditionFault(("bonus", place), f"is {dollars}; allowed is 0 or more")


def _list_sizes(sizes: Sequence[int]) -> str:
    return ", ".join(str(size) for size in sizes)


_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
