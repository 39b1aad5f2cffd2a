"""What an edition of the tournament rules says, as one value.

Everything that differs between editions is a field here and a key in the edition's TOML
file; code takes an ``Edition`` and never asks which one it is. The structs check their own
tables when they are made: a gap, an overlap or a sum that is wrong is a ``ValueError``.
"""

import enum
from itertools import pairwise

import msgspec

from saloon.core.editions.readings import Readings
from saloon.core.game.characters import Character
from saloon.core.game.events import Ending
from saloon.core.game.match import MatchKind
from saloon.core.game.roles import Role
from saloon.core.rule_set import OptionKey
from saloon.core.terms import Dollars


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


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


class RoundsRow(_Part, frozen=True, kw_only=True):
    """So many rounds for players_from to players_to players; players_to None means and more."""

    players_from: int
    players_to: int | None = None
    rounds: int


class ChartRow(_Part, frozen=True, kw_only=True):
    """A printed row of the table chart: the sizes of the tables in printed order."""

    players: int
    tables: tuple[int, ...]


class AboveChart(enum.Enum):
    """How the table chart goes on above its last printed row (reading D02)."""

    FIVES_FIRST = "fives_first"
    """As many tables as fives fit in; the players left over make sixes, named first."""


class Tables(_Part, frozen=True, kw_only=True):
    """Players and their tables. min_players: fewer may not start a tournament (D01 has the waiver).

    sizes: seats of a table, ascending; winnings are listed in this order. sheriff_once: nobody
    is Sheriff twice while players who were never Sheriff are left.
    """

    sizes: tuple[int, ...]
    min_players: int
    sheriff_once: bool
    above_chart: AboveChart
    chart: tuple[ChartRow, ...]

    def __post_init__(self) -> None:
        if not self.sizes or any(a >= b for a, b in pairwise(self.sizes)):
            raise ValueError(f"sizes are {self.sizes}; they must ascend and differ")
        expected = self.min_players
        for row in self.chart:
            if row.players != expected:
                raise ValueError(
                    f"chart row {row.players} stands where {expected} must; "
                    "rows start at min_players and leave no gap"
                )
            if sum(row.tables) != row.players:
                raise ValueError(f"chart row {row.players} seats {sum(row.tables)} players")
            if not set(row.tables) <= set(self.sizes):
                raise ValueError(f"chart row {row.players} has a table size that is not one of {self.sizes}")
            expected += 1
        if not self.chart:
            raise ValueError("chart is empty")


class RolesRow(_Part, frozen=True, kw_only=True):
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


class AuctionRule(_Part, frozen=True, kw_only=True):
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


class Characters(_Part, frozen=True, kw_only=True):
    """Characters and how they are handed out. dealt: to each player. sheriff_extra_life: points."""

    method: CharacterMethod
    dealt: int
    auction: AuctionRule | None = None
    sheriff_extra_life: int
    deck: tuple[Character, ...]

    def __post_init__(self) -> None:
        if len(set(self.deck)) != len(self.deck):
            raise ValueError("deck names a character twice")
        if self.dealt < 1:
            raise ValueError(f"dealt is {self.dealt}; it must be at least 1")


class HighNoonStarter(enum.Enum):
    """Whose turn is the first to lose a life point."""

    SHERIFF = "sheriff"
    AFTER_SHERIFF = "after_sheriff"
    """The first turn that directly follows a turn of the Sheriff."""


class ThresholdRow(_Part, frozen=True, kw_only=True):
    """High Noon waits from this reshuffle on, at tables of players_from to players_to (None: and more)."""

    players_from: int
    players_to: int | None = None
    reshuffles: int


class HighNoonRule(_Part, frozen=True, kw_only=True):
    """The "High Noon" rule of an edition; tables count by the players who started."""

    starter: HighNoonStarter
    thresholds: tuple[ThresholdRow, ...]

    def __post_init__(self) -> None:
        _check_ranges("thresholds", [(row.players_from, row.players_to) for row in self.thresholds])
        if any(row.reshuffles < 1 for row in self.thresholds):
            raise ValueError("thresholds need at least one reshuffle")


class WinningsCase(enum.Enum):
    """The sub-case of an ending that a winnings row is for.

    Each ending and role has either ``always`` alone, or one of the two pairs, complete.
    """

    ALWAYS = "always"
    ALIVE = "alive"
    ELIMINATED = "eliminated"
    LOST_FINAL_DUEL = "lost_final_duel"
    NO_FINAL_DUEL = "no_final_duel"


class WinningsRow(_Part, frozen=True, kw_only=True):
    """A row of a winnings table. printed: its words. dollars: by table size, ascending, where printed so.

    per_outlaw, per_player: dollars for each Outlaw, or player, at the start. per_eliminated: for each
    player who is out at the end, to those alive.
    """

    ending: Ending
    role: Role
    case: WinningsCase = WinningsCase.ALWAYS
    printed: str
    dollars: tuple[Dollars, ...] = ()
    per_outlaw: Dollars = Dollars(0)
    per_player: Dollars = Dollars(0)
    per_eliminated: Dollars = Dollars(0)


class CashRewards(_Part, frozen=True, kw_only=True):
    """The option of cash rewards. dollars: to who eliminates an Outlaw."""

    dollars: Dollars


class ExperienceRule(_Part, frozen=True, kw_only=True):
    """The option of experience. dollars: for each card kept."""

    dollars: Dollars


class EnlistmentRule(_Part, frozen=True, kw_only=True):
    """The option of character enlistment. start_money: each player's, instead of the edition's."""

    start_money: Dollars
    auction: AuctionRule


class RuthlessLawRule(_Part, frozen=True, kw_only=True):
    """The option of the Ruthless Law. reminder: its words, shown at the Sheriff's discard."""

    reminder: str


class RebelRule(_Part, frozen=True, kw_only=True):
    """The Rebel! role. roles: the tables that have one."""

    roles: tuple[RolesRow, ...]


class Options(_Part, frozen=True, kw_only=True):
    """What an edition offers to switch on; None where it does not."""

    cash_rewards: CashRewards | None = None
    experience: ExperienceRule | None = None
    enlistment: EnlistmentRule | None = None
    ruthless_law: RuthlessLawRule | None = None
    rebel: RebelRule | None = None


class PrizesRow(_Part, frozen=True, kw_only=True):
    """The prizes of the finals after so many rounds, the first place first."""

    rounds: int
    dollars: tuple[Dollars, ...]


class FinalsRule(_Part, frozen=True, kw_only=True):
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


_CASES = (
    {WinningsCase.ALWAYS},
    {WinningsCase.ALIVE, WinningsCase.ELIMINATED},
    {WinningsCase.LOST_FINAL_DUEL, WinningsCase.NO_FINAL_DUEL},
)


class Edition(_Part, frozen=True, kw_only=True):
    """An edition of the tournament rules.

    key: names it in files and entries. source: document, version and date. start_money: each
    player's dollars before the first round. high_noon: None where the edition has no such rule.
    bonus: dollars by place, the first place first. tie_breaks: in the order they are asked.
    rounds: for a schedule by chart. deputy_penalty: dollars that a Deputy loses who eliminates the
    Sheriff. chosen: the options switched on, which no file states (``rules_of`` does).
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
    finals: FinalsRule | None = None
    options: Options = Options()
    chosen: tuple[OptionKey, ...] = ()
    tie_breaks: tuple[TieBreak, ...]
    bonus: tuple[Dollars, ...]
    waivers: tuple[Waiver, ...]
    readings: Readings

    def __post_init__(self) -> None:
        _check_ranges("rounds", [(row.players_from, row.players_to) for row in self.rounds])
        if self.rounds[0].players_from != self.tables.min_players:
            raise ValueError(
                f"rounds start at {self.rounds[0].players_from} players; "
                f"they must start at tables.min_players, {self.tables.min_players}"
            )
        if any(row.rounds < 1 for row in self.rounds):
            raise ValueError("rounds has a row without a round")
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

    def _check_roles(self) -> None:
        listed = [row.players for row in self.roles]
        if len(set(listed)) != len(listed):
            raise ValueError("roles has two rows for one table size")
        missing = set(self.tables.sizes) - set(listed)
        if missing:
            raise ValueError(f"roles has no row for tables of {sorted(missing)}")
        needed = self.characters.dealt * self.tables.sizes[-1]
        if needed > len(self.characters.deck):
            raise ValueError(
                f"characters.deck has {len(self.characters.deck)} characters; "
                f"a table of {self.tables.sizes[-1]} is dealt {needed}"
            )

    def _check_winnings(self) -> None:
        sizes = len(self.tables.sizes)
        for row in self.winnings:
            if len(row.dollars) != sizes:
                raise ValueError(
                    f"winnings row {row.printed!r} has {len(row.dollars)} amounts; "
                    f"it needs one for each of tables.sizes, {sizes}"
                )
        roles = [role for role in Role if any(row.count(role) for row in self.roles)]
        for ending in Ending:
            for role in roles:
                cases = [row.case for row in self.winnings if row.ending is ending and row.role is role]
                if len(set(cases)) != len(cases) or set(cases) not in _CASES:
                    found = ", ".join(case.value for case in cases) or "no row"
                    raise ValueError(
                        f"winnings for {ending.value}, {role.value}: {found}; allowed are "
                        "always, or alive with eliminated, or lost_final_duel with no_final_duel"
                    )


def _check_ranges(name: str, ranges: list[tuple[int, int | None]]) -> None:
    if not ranges:
        raise ValueError(f"{name} is empty")
    for (_, last), (following, _) in pairwise(ranges):
        if last is None or following != last + 1:
            raise ValueError(f"{name}: a row from {following} follows a row to {last}; no gap, no overlap")
    if any(last is not None and last < first for first, last in ranges):
        raise ValueError(f"{name}: a row ends before it starts")
    if ranges[-1][1] is not None:
        raise ValueError(f"{name}: the last row must be open (no players_to)")
