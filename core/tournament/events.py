"""The events of a tournament, as stored by the judge's station.

Events are never edited: a correction is a new event with the judge's name (``by``) and a reason. A *step*
is everything that one command caused; one undo removes one step.
"""

import enum
from typing import Generic

import msgspec

from core.game.duel.finished import FinishedDuel
from core.game.ending.finished import FinishedGame
from core.game.events import StepOrigin
from core.game.result import ResultT_co
from core.game.state.offences import Offence
from core.rule_set import RuleSet
from core.terms import Dollars, DuelPart, GameId, MatchKind, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.clock.clock_events import ClockEvent
from core.tournament.origin import SheetOrigin
from core.tournament.standings.ranking_events import RankingEvent
from core.tournament.table_list import TableList


class Player(msgspec.Struct, frozen=True):
    """A registered player. club: or town; may be empty."""

    player: PlayerId
    name: str
    club: str = ""


class Waivers(msgspec.Struct, frozen=True):
    """The judge's changes to save time (Championship 2022/23 v1.4, 1.3 "Waivers").

    rounds: fewer rounds than the edition's table, None to follow it. time_limit_min: each round's limit; None
    if there is none. cycles: times that each player of a group is Sheriff, None for once; also None if tables
    follow a chart.
    """

    rounds: int | None = None
    time_limit_min: int | None = None
    cycles: int | None = None


class Source(enum.Enum):
    """The origin of an accepted record sheet."""

    TERMINAL = "terminal"
    PAPER = "paper"
    CARRIED = "carried"
    """The sheet was signed by the terminal and carried by a code on its screen or a USB drive."""


class DrawnTable(msgspec.Struct, frozen=True):
    """A table of a draw: players by seat, the Sheriff first. game: its game's id."""

    table: TableNo
    players: tuple[PlayerId, ...]
    game: GameId


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class TournamentOpened(_Event, frozen=True, tag="tournament-opened"):
    """The judge opened a tournament. date: ISO 8601. unofficial: fewer players than allowed are accepted.

    with_finals: duels of the top four follow the rounds. first_table: hall number of this
    tournament's first table; the others follow it unless given in tables.
    """

    tournament: TournamentId
    name: str
    rules: RuleSet
    date: str
    waivers: Waivers
    by: str
    unofficial: bool = False
    with_finals: bool = False
    first_table: TableNo = TableNo(1)
    tables: TableList | None = None


class TablesMoved(_Event, frozen=True, tag="tables-moved"):
    """The judge chose other tables of the hall. first: the tournament's first table from now on.

    tables: all its tables; None if they are numbered on from the first.
    """

    first: TableNo
    by: str
    tables: TableList | None = None


class WaiversChanged(_Event, frozen=True, tag="waivers-changed"):
    """The judge changed rounds or time limit. rounds_planned: None before the first published draw."""

    waivers: Waivers
    reason: str
    by: str
    rounds_planned: int | None = None


class TournamentRenamed(_Event, frozen=True, tag="tournament-renamed"):
    """The tournament's name or date was corrected."""

    name: str
    date: str
    by: str


class PlayersRegistered(_Event, frozen=True, tag="players-registered"):
    """Players joined. They are in registration order."""

    players: tuple[Player, ...]
    by: str


class LateEntrySet(_Event, frozen=True, tag="late-entry-set"):
    """The organiser allowed or stopped joining after the first published draw (D45)."""

    is_open: bool
    reason: str
    by: str


class TablesOfFourAllowed(_Event, frozen=True, tag="tables-of-four-allowed"):
    """The judge allowed tables of 4 from the next draw on (D44). dollars: by row of the winnings."""

    dollars: tuple[Dollars, ...]
    reason: str
    by: str


class PlayerRenamed(_Event, frozen=True, tag="player-renamed"):
    """A player's name or club was corrected."""

    player: PlayerId
    name: str
    club: str
    by: str


class PlayerRemoved(_Event, frozen=True, tag="player-removed"):
    """A player registered by mistake was removed before the first draw."""

    player: PlayerId
    name: str
    by: str


class PlayerWithdrawn(_Event, frozen=True, tag="player-withdrawn"):
    """A player left the tournament for good. during: the round in progress, if any.

    rounds_planned: the new number of rounds in the whole tournament, if the departure changes it (D43).
    """

    player: PlayerId
    reason: str
    by: str
    during: RoundNo | None = None
    rounds_planned: int | None = None


class PlayerReinstated(_Event, frozen=True, tag="player-reinstated"):
    """A player withdrawn by mistake was reinstated. rounds_planned: see ``PlayerWithdrawn``."""

    player: PlayerId
    reason: str
    by: str
    rounds_planned: int | None = None


class PlayerWarned(_Event, frozen=True, tag="player-warned", omit_defaults=True):
    """A player was warned, with a reason. offence: None in logs from before it was recorded.

    origin: the step at a table that gave the warning; None if given at the station.
    """

    player: PlayerId
    reason: str
    by: str
    offence: Offence | None = None
    origin: StepOrigin | None = None


class PlayerEjected(_Event, frozen=True, tag="player-ejected", omit_defaults=True):
    """A player was ejected, which counts as an abandonment. automatic: a second warning ejected the player.

    during, rounds_planned: as for a withdrawal. offence: None in logs from before it was recorded.
    """

    player: PlayerId
    reason: str
    by: str
    automatic: bool = False
    during: RoundNo | None = None
    rounds_planned: int | None = None
    offence: Offence | None = None


class DrawSealed(_Event, frozen=True, tag="draw-sealed", omit_defaults=True):
    """A seed was chosen; its SHA-256 (hex) may be published, but not the seed yet.

    attempt: from 1 in each round. reason: why the draw is repeated; empty in logs from before it was
    required.
    """

    round: RoundNo
    attempt: int
    seed: str
    seal: str
    by: str
    reason: str = ""


class DrawMade(_Event, frozen=True, tag="draw-made", omit_defaults=True):
    """A draw was made from the sealed seed and the hall word. series: its number, with several groups.

    tables: numbered from 1, independent of the hall. repeated_sheriffs: players who are Sheriff again (D06).
    """

    round: RoundNo
    attempt: int
    hall_word: str
    tables: tuple[DrawnTable, ...]
    repeated_sheriffs: tuple[PlayerId, ...]
    by: str
    series: int = 0


class SwappedPlayers(msgspec.Struct, frozen=True, tag="swapped", tag_field="kind"):
    """Two players of a draft swap seats."""

    one: PlayerId
    other: PlayerId


class MovedPlayer(msgspec.Struct, frozen=True, tag="moved", tag_field="kind"):
    """A player of a draft moves to a new last seat at another table. table: numbered from 1, as in a draw.

    Players who sat after them move up one seat.
    """

    player: PlayerId
    table: TableNo


SeatingChange = SwappedPlayers | MovedPlayer


class DrawChanged(_Event, frozen=True, tag="draw-changed"):
    """The judge changed a draft by hand, so its tables no longer follow from the seed alone."""

    round: RoundNo
    attempt: int
    change: SeatingChange
    reason: str
    by: str


class DrawPublished(_Event, frozen=True, tag="draw-published"):
    """Tables and seed were published, and the round started.

    rounds_planned: rounds of the whole tournament, fixed by the first published draw.
    """

    round: RoundNo
    by: str
    rounds_planned: int


class ResultAccepted(_Event, Generic[ResultT_co], frozen=True):
    """The judge confirmed a table's record sheet. origin: where a sheet carried offline comes from.

    reason: why it differs from the terminal's report; empty if it doesn't.
    """

    game: GameId
    result: ResultT_co
    source: Source
    by: str
    origin: SheetOrigin | None = None
    reason: str = ""


class SheetAccepted(ResultAccepted[FinishedGame], frozen=True, tag="sheet-accepted", omit_defaults=True):
    """The judge confirmed the record sheet of a game."""


class DuelAccepted(ResultAccepted[FinishedDuel], frozen=True, tag="duel-accepted", omit_defaults=True):
    """The judge confirmed the record sheet of a duel."""


class ResultContested(_Event, Generic[ResultT_co], frozen=True):
    """A sheet carried offline differs from the accepted one. Both are kept; the accepted one counts."""

    game: GameId
    result: ResultT_co
    origin: SheetOrigin
    by: str


class SheetContested(ResultContested[FinishedGame], frozen=True, tag="sheet-contested"):
    """A sheet of a game, carried offline, differs from the accepted one."""


class DuelContested(ResultContested[FinishedDuel], frozen=True, tag="duel-contested"):
    """A sheet of a duel, carried offline, differs from the accepted one."""


class ResultCorrected(_Event, Generic[ResultT_co], frozen=True):
    """The judge corrected an accepted record sheet."""

    game: GameId
    result: ResultT_co
    reason: str
    by: str


class SheetCorrected(ResultCorrected[FinishedGame], frozen=True, tag="sheet-corrected"):
    """The judge corrected the record sheet of a game."""


class DuelCorrected(ResultCorrected[FinishedDuel], frozen=True, tag="duel-corrected"):
    """The judge corrected the record sheet of a duel."""


class SheetDisputed(_Event, frozen=True, tag="sheet-disputed"):
    """An accepted record sheet was disputed; it still counts until the judge decides."""

    game: GameId
    reason: str
    by: str


class DisputeSettled(_Event, frozen=True, tag="dispute-settled"):
    """The judge decided that a disputed record sheet remains valid."""

    game: GameId
    reason: str
    by: str


class DuelsBegun(_Event, frozen=True, tag="duels-begun"):
    """The semifinals, the final, or a one-on-one game of two tied players started.

    round: numbered after the rounds. attempt: from 1, as in a draw. tables: players by seat, the better
    placed first, numbered from 1 as in a draw; empty for a duel that need not be played. seed: the seed of
    the lot that decides the first seat of tied players.
    """

    part: DuelPart
    round: RoundNo
    attempt: int
    kind: MatchKind
    tables: tuple[DrawnTable, ...]
    by: str
    seed: str = ""


class TieDuelCalledOff(_Event, frozen=True, tag="tie-duel-called-off"):
    """A duel of tied players was cancelled: it was started by mistake, or they are no longer tied."""

    game: GameId
    by: str


class OwingTable(msgspec.Struct, frozen=True):
    """A table whose terminal has, or may have, entries that the station has not received.

    owes: how many at least; None if the terminal couldn't be reached to find out.
    """

    round: RoundNo
    table: TableNo
    game: GameId
    owes: int | None


class OwedEntriesWaived(_Event, frozen=True, tag="owed-entries-waived"):
    """The judge goes on without these tables' missing entries; they are still accepted if they arrive."""

    tables: tuple[OwingTable, ...]
    reason: str
    by: str


class OpenSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table whose record sheet is missing or disputed."""

    round: RoundNo
    table: TableNo
    game: GameId
    is_disputed: bool = False


class OpenSheetsWaived(_Event, frozen=True, tag="open-sheets-waived"):
    """The next round may be drawn despite these record sheets; they remain missing or disputed."""

    sheets: tuple[OpenSheet, ...]
    reason: str
    by: str


class Progress(enum.Enum):
    """The progress of a game, as reported by its terminal."""

    UNKNOWN = "unknown"
    """The terminal is disconnected."""
    BEGINNING = "beginning"
    PLAYING = "playing"
    OVER = "over"
    """The game has ended; its record sheet is not accepted yet."""
    ACCEPTED = "accepted"


class VoidedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game voided because its draw was undone. Its steps stay stored.

    turn: number of the last turn; 0 before the first. eliminated: players, in order.
    """

    round: RoundNo
    table: TableNo
    game: GameId
    progress: Progress
    turn: int = 0
    eliminated: tuple[PlayerId, ...] = ()


class StepsUndone(_Event, frozen=True, tag="steps-undone", omit_defaults=True):
    """The last steps were undone.

    voided: games in play that this voided, as confirmed by the judge.
    """

    steps: int
    reason: str
    by: str
    voided: tuple[VoidedGame, ...] = ()


TournamentEvent = (
    ClockEvent
    | TournamentOpened
    | TablesMoved
    | WaiversChanged
    | TournamentRenamed
    | PlayersRegistered
    | LateEntrySet
    | TablesOfFourAllowed
    | PlayerRenamed
    | PlayerRemoved
    | PlayerWithdrawn
    | PlayerReinstated
    | PlayerWarned
    | PlayerEjected
    | DrawSealed
    | DrawMade
    | DrawChanged
    | DrawPublished
    | SheetAccepted
    | SheetContested
    | SheetCorrected
    | SheetDisputed
    | DisputeSettled
    | RankingEvent
    | DuelsBegun
    | TieDuelCalledOff
    | DuelAccepted
    | DuelContested
    | DuelCorrected
    | OwedEntriesWaived
    | OpenSheetsWaived
    | StepsUndone
)


class TournamentStep(msgspec.Struct, frozen=True, tag="tournament-step", tag_field="body"):
    """The body of an entry in a tournament's stream. at: wall clock of the station, ISO 8601, for display."""

    tournament: TournamentId
    events: tuple[TournamentEvent, ...]
    at: str
