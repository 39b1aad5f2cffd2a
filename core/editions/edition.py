"""An edition of the tournament rules as one value, with everything that differs between editions."""

import enum
import re
from collections.abc import Iterator
from typing import Final, assert_never

from msgspec.structs import replace

from base.errors import BadData
from core.editions.game_rules import (
    AuctionRule,
    Characters,
    Deck,
    HighNoonRule,
    Options,
    RolesRow,
    size_faults,
)
from core.editions.part import EditionFault, Part, find_repeated, list_sizes, negative_faults, range_faults
from core.editions.readings import Readings
from core.editions.tables import FinalsRule, RoundsRow, Tables
from core.editions.winnings_table import WinningsRow, winnings_faults
from core.rule_set import OptionKey, TablesOfFour
from core.terms import Dollars, MatchKind, Role


class Sections(Part, frozen=True, kw_only=True):
    """The sections of a document to cite for each subject, or empty if the document doesn't have one.

    If a section is in another document, it begins with that document's name.
    """

    rounds: str = ""
    tables: str = ""
    roles: str = ""
    characters: str = ""
    auction: str = ""
    high_noon: str = ""
    winnings: str = ""
    score: str = ""
    tie_breaks: str = ""
    lots: str = ""
    bonus: str = ""
    finals: str = ""
    duels: str = ""
    waivers: str = ""
    leaving: str = ""
    behaviour: str = ""
    blasphemy: str = ""
    penalties: str = ""
    questions: str = ""
    copies: str = ""
    address: str = ""


class Printed(Part, frozen=True, kw_only=True):
    """The document to cite for an edition.

    edition: the key of the edition that the document prints. House rules cite the document of another one.
    """

    edition: str = ""
    document: str = ""
    sections: Sections = Sections()


class Schedule(enum.Enum):
    """The way in which a tournament's games are scheduled."""

    CHART = "chart"
    """Tables are redrawn every round. Rounds and tables depend on the number of players."""
    ONE_GROUP = "one_group"
    """Everybody plays at one table, game after game, until all have been Sheriff equally often."""


class Scoring(enum.Enum):
    """The way in which a player's score is computed."""

    SUM = "sum"
    """Start money plus winnings minus spending."""
    AVERAGE = "average"
    """The same, divided by the number of games played, to the nearest dollar."""


class TieBreak(enum.Enum):
    """A rule that orders players of equal score."""

    MAROGI = "marogi"
    """Average score of the opponents faced; higher is better."""
    BUCHHOLZ = "buchholz"
    """Sum of the scores of the opponents faced; higher is better."""
    MATCHES_WON = "matches_won"
    WON_AS_SHERIFF = "won_as_sheriff"
    WON_AS_RENEGADE = "won_as_renegade"
    WON_AS_DEPUTY = "won_as_deputy"
    WON_AS_OUTLAW = "won_as_outlaw"
    TURNS_PLAYED = "turns_played"
    """Number of turns that the player actually played; more is better."""
    LOT = "lot"
    """The judge draws lots."""


class Waiver(enum.Enum):
    """A change that the judge may make to save time."""

    FEWER_ROUNDS = "fewer_rounds"
    TIME_LIMIT = "time_limit"


FOUR: Final = 4
"""The table size that championships exclude."""


class Edition(Part, frozen=True, kw_only=True):
    """An edition of the tournament rules.

    key: its name in files and journal entries.
    source: document, version and date.
    start_money: each player's dollars before the first round.
    rounds: number of rounds by number of players, in a schedule by chart.
    high_noon: None if the edition has no such rule.
    deputy_penalty: dollars that a Deputy loses for eliminating the Sheriff.
    borrowed_deputy_penalty: the penalty of another edition, used by a reading of D36.
    tie_breaks: in the order in which they apply.
    bonus: dollars by place, first place first.
    clock_warnings_min: minutes before the time limit at which tables are warned.

    Three fields are set by ``loader.rules_of`` for a tournament and never by a file:
    chosen: the options that are switched on.
    tables_of_four: the judge's reason for allowing tables of 4, or empty.
    fewest_groups: whether the draw makes as few groups of different size as possible, as it used to.
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
        """The table sizes without any tables of 4 that a judge has allowed (D44)."""
        return self.tables.sizes[1:] if self.tables_of_four else self.tables.sizes

    @property
    def may_have_tables_of_four(self) -> bool:
        """True if the chart excludes tables of 4, so that a judge may allow them (D44)."""
        is_four_dealt = any(row.players == FOUR for row in self.roles)
        return self.schedule is Schedule.CHART and FOUR not in self.printed_sizes and is_four_dealt

    def faults(self) -> Iterator[EditionFault]:
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
        yield from negative_faults(amounts.items())
        yield from self._schedule_faults()
        yield from self._roles_faults()
        yield from self._winnings_faults()
        yield from self._ranking_faults()

    @property
    def offered(self) -> tuple[OptionKey, ...]:
        """The options that may be switched on."""
        return tuple(key for key in OptionKey if getattr(self.options, key.name.lower()) is not None)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes that have winnings, including those that the Rebel! option adds."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.tables.sizes
        return tuple(sorted({*self.tables.sizes, *(row.players for row in self.options.rebel.roles)}))

    @property
    def role_rows(self) -> tuple[RolesRow, ...]:
        """The roles by table size, including the Rebel! if that option is chosen."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.roles
        with_rebel = {row.players: row for row in self.options.rebel.roles}
        without = {row.players: row for row in self.roles}
        return tuple(row for _, row in sorted((without | with_rebel).items()))

    @property
    def auction(self) -> AuctionRule | None:
        """The rule for auctions of characters, or None if there are none."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.auction
        return self.characters.auction

    @property
    def money_at_start(self) -> Dollars:
        """Each player's dollars before the first game, with the chosen options."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.start_money
        return self.start_money

    @property
    def duel_modes(self) -> tuple[MatchKind, ...]:
        """The kinds of duel that may be played: in the finals, or between two tied players (D30)."""
        if self.finals is not None:
            return self.finals.modes
        return (MatchKind.SHORT_DUEL, MatchKind.LONG_DUEL) if self.is_one_group else ()

    @property
    def unit(self) -> str:
        """The English word for a round, which is ``game`` if everybody plays at one table."""
        return "game" if self.is_one_group else "round"

    @property
    def is_one_group(self) -> bool:
        return self.schedule is Schedule.ONE_GROUP

    @property
    def penalty(self) -> Dollars:
        """A Deputy's penalty for eliminating the Sheriff. Source: Official Score System 2003; D36."""
        if self.deputy_penalty == 0 and self.readings.deputy_penalty_in_simplified:
            return self.borrowed_deputy_penalty
        return self.deputy_penalty

    def _schedule_faults(self) -> Iterator[EditionFault]:
        match self.schedule:
            case Schedule.CHART:
                yield from self._rounds_faults()
            case Schedule.ONE_GROUP:
                of_chart = {
                    ("rounds",): self.rounds,
                    ("tables", "chart"): self.tables.chart,
                    ("finals",): self.finals,
                }
                for keys, value in of_chart.items():
                    if value:
                        yield EditionFault(keys, "belongs to the schedule chart; this one is one_group")
                if self.tables.min_players not in self.tables.sizes:
                    yield EditionFault(
                        ("tables", "min_players"),
                        f"is {self.tables.min_players}; one group sits at one table: "
                        f"allowed are tables.sizes, {list_sizes(self.tables.sizes)}",
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
            yield EditionFault(("roles",), f"has no row for tables of {list_sizes(missing)}")
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
                f"{list_sizes(self.tables.sizes)} only",
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


_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def with_tables_of_four(base: Edition, allowed: TablesOfFour) -> Edition:
    """Return the edition with tables of 4, which its document excludes (reading D44).

    Raises BadData unless there is an amount of 0 or more for each row of the winnings.
    """
    if len(allowed.dollars) != len(base.winnings) or min(allowed.dollars, default=0) < 0:
        raise BadData(
            f"edition {base.key}, tables of {FOUR}",
            f"needs an amount of 0 or more for each of {len(base.winnings)} rows of the winnings",
        )
    rows = tuple(
        replace(row, dollars=(Dollars(dollars), *row.dollars)) if row.dollars else row
        for row, dollars in zip(base.winnings, allowed.dollars, strict=True)
    )
    tables = replace(base.tables, sizes=(FOUR, *base.tables.sizes))
    return replace(base, tables=tables, winnings=rows, tables_of_four=allowed.reason)
