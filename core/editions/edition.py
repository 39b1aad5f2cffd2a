"""What an edition of the tournament rules says, as one value.

Everything that differs between editions is a field here and a key in the edition's TOML
file; code takes an ``Edition`` and never asks which one it is. The structs check their own
tables when they are made: a gap, an overlap or a sum that is wrong is a ``ValueError``.
"""

import enum
from typing import assert_never

from saloon.core.editions.part import Part, check_ranges
from saloon.core.editions.readings import Readings
from saloon.core.editions.tables import RoundsRow, Tables
from saloon.core.editions.winnings_table import WinningsRow, check_winnings
from saloon.core.game.characters import Character
from saloon.core.game.match import MatchKind
from saloon.core.game.roles import Role
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars


class Schedule(enum.Enum):
    """How the games of a tournament follow one another."""

    CHART = "chart"
    """Rounds by the number of players, tables by the chart, everybody drawn anew each round."""
    ONE_GROUP = "one_group"
    """All players at one table; as many games as players, or a multiple; the Sheriff rotates evenly."""


class Scoring(enum.Enum):
    """What a player's score is made of."""

    SUM = "sum"
    """Start money and winnings, less what was spent."""
    AVERAGE = "average"
    """The same, divided by the games played, to the nearest dollar."""


class RolesRow(Part, frozen=True, kw_only=True):
    """How many of each role sit at a table of so many players."""

    players: int
    sheriff: int
    deputy: int
    outlaw: int
    renegade: int
    rebel: int = 0

    def __post_init__(self) -> None:
        counts = (self.sheriff, self.deputy, self.outlaw, self.renegade, self.rebel)
        if min(counts) < 0 or sum(counts) != self.players:
            raise ValueError(f"roles row {self.players} has {sum(counts)} roles")
        if self.sheriff != 1:
            raise ValueError(f"roles row {self.players} has {self.sheriff} Sheriffs; there must be one")

    def count(self, role: Role) -> int:
        """How many players of this role."""
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


class CharacterMethod(enum.Enum):
    """How players come by their characters."""

    DEAL_AND_CHOOSE = "deal_and_choose"
    """Some are dealt face down to each player, who keeps one; all are revealed together."""
    AUCTION = "auction"
    """As many as players are turned up, and bought one after the other."""
    AT_RANDOM = "at_random"
    """One is dealt to each player."""


class FirstNominator(enum.Enum):
    """Who puts the first character up."""

    SHERIFF = "sheriff"
    RIGHT_OF_SHERIFF = "right_of_sheriff"


class BidOrder(enum.Enum):
    """Which way the bidding goes round."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"


class NextNominator(enum.Enum):
    """After whom the next nominator is looked for, in the order of bidding."""

    FROM_WINNER = "from_winner"
    FROM_NOMINATOR = "from_nominator"


class AuctionRule(Part, frozen=True, kw_only=True):
    """An auction of characters. minimum, step: dollars of a bid. last_pays: for the last character."""

    first_nominator: FirstNominator
    order: BidOrder
    next_nominator: NextNominator
    minimum: Dollars
    step: Dollars
    last_pays: Dollars

    def __post_init__(self) -> None:
        if self.step < 1 or self.minimum < 0 or self.last_pays < 0:
            raise ValueError(
                f"an auction with minimum {self.minimum}, step {self.step}, last_pays {self.last_pays}; "
                "no amount may be negative, and the step is at least 1"
            )


class Characters(Part, frozen=True, kw_only=True):
    """Characters and how they are handed out. dealt: to each player, who chooses one of them.

    auction: where they are bought. sheriff_extra_life: points.
    """

    method: CharacterMethod
    dealt: int = 1
    auction: AuctionRule | None = None
    sheriff_extra_life: int
    deck: tuple[Character, ...]

    def __post_init__(self) -> None:
        if len(set(self.deck)) != len(self.deck):
            raise ValueError("deck names a character twice")
        if self.dealt < 1:
            raise ValueError(f"dealt is {self.dealt}; it must be at least 1")
        if self.dealt != 1 and self.method is not CharacterMethod.DEAL_AND_CHOOSE:
            raise ValueError(f"dealt is {self.dealt}; only deal_and_choose deals more than 1")
        if (self.auction is not None) is not (self.method is CharacterMethod.AUCTION):
            raise ValueError(
                f"method is {self.method.value}; the method auction, and no other, needs characters.auction"
            )


class HighNoonStarter(enum.Enum):
    """Whose turn is the first to lose a life point."""

    SHERIFF = "sheriff"
    AFTER_SHERIFF = "after_sheriff"
    """The first turn that directly follows a turn of the Sheriff."""


class ThresholdRow(Part, frozen=True, kw_only=True):
    """High Noon waits from this reshuffle on, at tables of players_from to players_to (None: and more)."""

    players_from: int
    players_to: int | None = None
    reshuffles: int


class HighNoonRule(Part, frozen=True, kw_only=True):
    """The "High Noon" rule of an edition; tables count by the players who started."""

    starter: HighNoonStarter
    thresholds: tuple[ThresholdRow, ...]

    def __post_init__(self) -> None:
        check_ranges("thresholds", [(row.players_from, row.players_to) for row in self.thresholds])
        if any(row.reshuffles < 1 for row in self.thresholds):
            raise ValueError("thresholds need at least one reshuffle")


class CashRewards(Part, frozen=True, kw_only=True):
    """The option of cash rewards. printed: its words. dollars: to who personally eliminates an Outlaw."""

    printed: str
    dollars: Dollars


class ExperienceRule(Part, frozen=True, kw_only=True):
    """The option of experience. dollars: for each card kept."""

    dollars: Dollars


class EnlistmentRule(Part, frozen=True, kw_only=True):
    """The option of character enlistment. start_money: each player's, instead of the edition's."""

    start_money: Dollars
    auction: AuctionRule


class RuthlessLawRule(Part, frozen=True, kw_only=True):
    """The option of the Ruthless Law. reminder: its words, shown at the Sheriff's discard."""

    reminder: str


class RebelRule(Part, frozen=True, kw_only=True):
    """The Rebel! role. roles: the tables that have one."""

    roles: tuple[RolesRow, ...]

    def __post_init__(self) -> None:
        listed = [row.players for row in self.roles]
        if not listed or len(set(listed)) != len(listed):
            raise ValueError("options.rebel.roles must have one row for a table size, and at least one")
        if any(row.rebel != 1 for row in self.roles):
            raise ValueError("options.rebel.roles has a row without one Rebel!")


class Options(Part, frozen=True, kw_only=True):
    """What an edition offers to switch on; None where it does not."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None


class PrizesRow(Part, frozen=True, kw_only=True):
    """The prizes of the finals after so many rounds, the first place first."""

    rounds: int
    dollars: tuple[Dollars, ...]


class FinalsRule(Part, frozen=True, kw_only=True):
    """Duels of the four best: 1st against 4th, 2nd against 3rd, then the winners. modes: allowed."""

    modes: tuple[MatchKind, ...]
    prizes: tuple[PrizesRow, ...]


class TieBreak(enum.Enum):
    """What orders players of equal score."""

    MAROGI = "marogi"
    """Average score of the opponents faced; higher is better."""
    BUCHHOLZ = "buchholz"
    """Sum of the scores of the opponents faced; higher is better."""
    MATCHES_WON = "matches_won"
    """More is better."""
    WON_AS_SHERIFF = "won_as_sheriff"
    WON_AS_RENEGADE = "won_as_renegade"
    WON_AS_DEPUTY = "won_as_deputy"
    WON_AS_OUTLAW = "won_as_outlaw"
    TURNS_PLAYED = "turns_played"
    """Turns in which the player really played; more is better."""
    LOT = "lot"
    """The judge draws."""


class Waiver(enum.Enum):
    """What the judge may change to save time."""

    FEWER_ROUNDS = "fewer_rounds"
    TIME_LIMIT = "time_limit"


class Edition(Part, frozen=True, kw_only=True):
    """An edition of the tournament rules.

    key: names it in files and entries. source: document, version and date. start_money: each
    player's dollars before the first round. high_noon: None where the edition has no such rule.
    bonus: dollars by place, the first place first. tie_breaks: in the order they are asked.
    rounds: for a schedule by chart. deputy_penalty: dollars that a Deputy loses who eliminates the
    Sheriff. borrowed_deputy_penalty: the same, of another edition, where D36 is read so. chosen: the
    options switched on, which no file states (``rules_of`` does).
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
    readings: Readings

    def __post_init__(self) -> None:
        self._check_schedule()
        self._check_roles()
        self._check_winnings()
        for name, listed in (("tie_breaks", self.tie_breaks), ("waivers", self.waivers)):
            if len(set(listed)) != len(listed):
                raise ValueError(f"{name} names one twice")
        if not self.tie_breaks or self.tie_breaks[-1] is not TieBreak.LOT:
            raise ValueError("tie_breaks must end with lot, or a tie could stay unbroken")

    @property
    def offered(self) -> tuple[OptionKey, ...]:
        """The options that may be switched on."""
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
        """The table sizes that winnings are stated for; a chosen Rebel! brings more of them."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.tables.sizes
        return tuple(sorted({*self.tables.sizes, *(row.players for row in self.options.rebel.roles)}))

    @property
    def role_rows(self) -> tuple[RolesRow, ...]:
        """The roles by table size; with the Rebel! at the sizes that have one, where that is chosen."""
        if OptionKey.REBEL not in self.chosen or self.options.rebel is None:
            return self.roles
        with_rebel = {row.players: row for row in self.options.rebel.roles}
        without = {row.players: row for row in self.roles}
        return tuple(row for _, row in sorted((without | with_rebel).items()))

    @property
    def auction(self) -> AuctionRule | None:
        """The auction that is held for the characters; None for another way."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.auction
        return self.characters.auction

    @property
    def money_at_start(self) -> Dollars:
        """What each player has before the first game, with the options that are chosen."""
        if OptionKey.ENLISTMENT in self.chosen and self.options.enlistment is not None:
            return self.options.enlistment.start_money
        return self.start_money

    @property
    def penalty(self) -> Dollars:
        """What a Deputy loses who eliminates the Sheriff. Source: Official Score System 2003; reading D36."""
        if self.deputy_penalty == 0 and self.readings.deputy_penalty_in_simplified:
            return self.borrowed_deputy_penalty
        return self.deputy_penalty

    def _check_schedule(self) -> None:
        match self.schedule:
            case Schedule.CHART:
                self._check_rounds()
            case Schedule.ONE_GROUP:
                if self.rounds or self.tables.chart:
                    stated = "rounds" if self.rounds else "tables.chart"
                    raise ValueError(f"{stated} belongs to the schedule chart; this one is one_group")
                if self.tables.min_players != self.tables.sizes[0]:
                    raise ValueError(
                        f"tables.min_players is {self.tables.min_players}; one group must start at "
                        f"the smallest of tables.sizes, {self.tables.sizes[0]}"
                    )
            case _:
                assert_never(self.schedule)

    def _check_rounds(self) -> None:
        if not self.tables.chart:
            raise ValueError("tables.chart is empty; the schedule chart needs its rows")
        check_ranges("rounds", [(row.players_from, row.players_to) for row in self.rounds])
        if self.rounds[0].players_from != self.tables.min_players:
            raise ValueError(
                f"rounds start at {self.rounds[0].players_from} players; "
                f"they must start at tables.min_players, {self.tables.min_players}"
            )
        if any(row.rounds < 1 for row in self.rounds):
            raise ValueError("rounds has a row without a round")

    def _check_roles(self) -> None:
        listed = [row.players for row in self.roles]
        if len(set(listed)) != len(listed):
            raise ValueError("roles has two rows for one table size")
        if any(row.rebel for row in self.roles):
            raise ValueError("roles has a row with a Rebel!; these belong to options.rebel.roles")
        missing = set(self.tables.sizes) - set(listed)
        if missing:
            raise ValueError(f"roles has no row for tables of {sorted(missing)}")
        rebel = () if self.options.rebel is None else self.options.rebel.roles
        largest = max([*self.tables.sizes, *(row.players for row in rebel)])
        needed = self.characters.dealt * largest
        if needed > len(self.characters.deck):
            raise ValueError(
                f"characters.deck has {len(self.characters.deck)} characters; "
                f"a table of {largest} is dealt {needed}"
            )

    def _check_winnings(self) -> None:
        roles = [role for role in Role if any(row.count(role) for row in self.roles)]
        check_winnings(self.winnings, roles, self.tables.sizes)
        rebel = self.options.rebel
        if rebel is None:
            return
        by_size = next((row for row in self.winnings if row.dollars), None)
        beyond = [row.players for row in rebel.roles if row.players not in self.tables.sizes]
        if by_size is not None and beyond:
            raise ValueError(
                f"options.rebel.roles has a table of {beyond[0]}, and winnings row {by_size.printed!r} "
                f"states dollars for tables of {_listed(self.tables.sizes)} only"
            )


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(str(size) for size in sizes)
