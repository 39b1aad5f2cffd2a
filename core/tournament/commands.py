"""The judge's commands for a tournament. ``decide`` turns them into events or refuses them."""

import msgspec

from core.game.events import StepOrigin
from core.game.result import Result
from core.game.state.offences import Offence
from core.rule_set import RuleSet
from core.terms import Dollars, GameId, MatchKind, PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.clock.hall_clock import ClockCommand
from core.tournament.events import OpenSheet, OwingTable, Player, SeatingChange, Source, VoidedGame, Waivers
from core.tournament.origin import SheetOrigin
from core.tournament.table_list import ALL_TABLES, TableList


class TableInUse(msgspec.Struct, frozen=True):
    """A table of the hall in use by another tournament. tournament: its name."""

    table: TableNo
    tournament: str


class OpenTournament(msgspec.Struct, frozen=True):
    """Open a tournament. unofficial: fewer players than the edition allows are accepted (D01).

    tables: numbers in the hall, in the order of the draw.
    """

    tournament: TournamentId
    name: str
    rules: RuleSet
    date: str
    waivers: Waivers
    unofficial: bool = False
    tables: TableList = ALL_TABLES


class MoveTables(msgspec.Struct, frozen=True):
    """Move to other tables of the hall, between rounds."""

    tables: TableList


class ChangeWaivers(msgspec.Struct, frozen=True):
    """Change the number of rounds or the time limit."""

    waivers: Waivers
    reason: str


class RenameTournament(msgspec.Struct, frozen=True):
    """Correct the tournament's name, or its date in the form "2026-11-20"."""

    name: str
    date: str


class RegisterPlayers(msgspec.Struct, frozen=True):
    """Register players before the first draw is published, or later if late entry is open (D45)."""

    players: tuple[Player, ...]


class SetLateEntry(msgspec.Struct, frozen=True):
    """Allow or stop registration after the first published draw, with a reason (D45)."""

    is_open: bool
    reason: str


class AllowTablesOfFour(msgspec.Struct, frozen=True):
    """Allow tables of 4 when 8 or 9 players are left, with their winnings and a reason (D44)."""

    dollars: tuple[Dollars, ...]
    reason: str


class RenamePlayer(msgspec.Struct, frozen=True):
    """Correct a misspelt name or club."""

    player: PlayerId
    name: str
    club: str


class RemovePlayer(msgspec.Struct, frozen=True):
    """Remove a player who was registered by mistake, before the first draw."""

    player: PlayerId


class ReinstatePlayer(msgspec.Struct, frozen=True):
    """Undo a mistaken withdrawal, before the player has missed a round."""

    player: PlayerId
    reason: str


class WithdrawPlayer(msgspec.Struct, frozen=True):
    """Withdraw a player for good."""

    player: PlayerId
    reason: str


class WarnPlayer(msgspec.Struct, frozen=True):
    """Warn a player; the second warning ejects. offence, origin: as in ``PlayerWarned``."""

    player: PlayerId
    reason: str
    offence: Offence | None = None
    origin: StepOrigin | None = None


class EjectPlayer(msgspec.Struct, frozen=True):
    """Eject a player. offence: as in ``PlayerEjected``."""

    player: PlayerId
    reason: str
    offence: Offence | None = None


class DisputedTable(msgspec.Struct, frozen=True):
    """A table whose record sheet is disputed, by a judge or by its terminal's entries."""

    round: RoundNo
    table: TableNo


class SealDraw(msgspec.Struct, frozen=True):
    """Choose and seal the seed of the next draw, or of a redraw before publication.

    seed: 64 random hex digits, generated outside the core. reason: why a draw is repeated; None in logs from
    before it was required. disputed: tables, as known to the station (also in other commands).
    """

    seed: str
    reason: str | None = None
    disputed: tuple[DisputedTable, ...] = ()


class MakeDraw(msgspec.Struct, frozen=True):
    """Open the seal and make the draw. hall_word: called out by somebody in the hall; may be empty.

    owing: tables with missing entries. left: players who left at a table but haven't been withdrawn. Both
    come from the station, also in other commands.
    """

    hall_word: str = ""
    owing: tuple[OwingTable, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()


class ChangeDraw(msgspec.Struct, frozen=True):
    """Change the draft by hand, with a reason. change: tables are numbered from 1, as in a draw."""

    change: SeatingChange
    reason: str


class PublishDraw(msgspec.Struct, frozen=True):
    """Publish tables and seed, and start the round.

    in_use: tables of the hall in use by other tournaments, as known to the station (also for duels).
    """

    owing: tuple[OwingTable, ...] = ()
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()


class AcceptSheet(msgspec.Struct, frozen=True):
    """Confirm a table's record sheet, of a game or a duel.

    reason: why it differs from the terminal's report.
    """

    game: GameId
    result: Result
    source: Source
    origin: SheetOrigin | None = None
    reason: str = ""


class ContestSheet(msgspec.Struct, frozen=True):
    """Keep a record sheet, carried offline, that differs from the accepted one."""

    game: GameId
    result: Result
    origin: SheetOrigin


class CorrectSheet(msgspec.Struct, frozen=True):
    """Replace an accepted record sheet, with a reason."""

    game: GameId
    result: Result
    reason: str


class DisputeSheet(msgspec.Struct, frozen=True):
    """Mark an accepted record sheet as disputed, with a reason."""

    game: GameId
    reason: str


class SettleDispute(msgspec.Struct, frozen=True):
    """Decide that a disputed record sheet remains valid, with a reason."""

    game: GameId
    reason: str


class DrawLots(msgspec.Struct, frozen=True):
    """Draw lots for all remaining ties. seed: 64 hex digits."""

    seed: str
    left: tuple[PlayerId, ...] = ()


class EnterOneOnOne(msgspec.Struct, frozen=True):
    """Enter the result of a one-on-one game that two tied players played instead of drawing lots (D30)."""

    winner: PlayerId
    loser: PlayerId
    left: tuple[PlayerId, ...] = ()


class PublishRoundsRanking(msgspec.Struct, frozen=True):
    """Publish the ranking of the rounds, which determines the four finalists."""

    owing: tuple[OwingTable, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    left: tuple[PlayerId, ...] = ()


class BeginDuels(msgspec.Struct, frozen=True):
    """Start the semifinals or, after them, the final. kind: the kind of these duels."""

    kind: MatchKind
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()


class BeginTieDuel(msgspec.Struct, frozen=True):
    """Start a one-on-one game between two tied players. seed: decides the first seat by lot."""

    players: tuple[PlayerId, PlayerId]
    kind: MatchKind
    seed: str
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()


class CallOffTieDuel(msgspec.Struct, frozen=True):
    """Cancel a one-on-one game of two tied players that has no result yet."""

    game: GameId


class PublishRanking(msgspec.Struct, frozen=True):
    """End the tournament and publish the ranking. disputed: tables, as known to the station."""

    owing: tuple[OwingTable, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    left: tuple[PlayerId, ...] = ()


class WaiveOwedEntries(msgspec.Struct, frozen=True):
    """Go on without the missing entries of these tables. reason: stored with the tournament."""

    owing: tuple[OwingTable, ...]
    reason: str


class WaiveOpenSheets(msgspec.Struct, frozen=True):
    """Draw the next round despite these missing or disputed record sheets, with a reason."""

    sheets: tuple[OpenSheet, ...]
    reason: str


class UndoSteps(msgspec.Struct, frozen=True):
    """Undo the last steps, with a reason.

    voids: games in play that this would void, as known to the station. confirmed: those that the
    judge has confirmed. seen: number of steps, including undone ones, that the judge saw; None if unknown.
    """

    steps: int
    reason: str
    voids: tuple[VoidedGame, ...] = ()
    confirmed: tuple[GameId, ...] = ()
    seen: int | None = None


TournamentCommand = (
    ClockCommand
    | OpenTournament
    | MoveTables
    | ChangeWaivers
    | RenameTournament
    | RegisterPlayers
    | SetLateEntry
    | AllowTablesOfFour
    | RenamePlayer
    | RemovePlayer
    | WithdrawPlayer
    | ReinstatePlayer
    | WarnPlayer
    | EjectPlayer
    | SealDraw
    | MakeDraw
    | ChangeDraw
    | PublishDraw
    | AcceptSheet
    | ContestSheet
    | CorrectSheet
    | DisputeSheet
    | SettleDispute
    | DrawLots
    | EnterOneOnOne
    | PublishRoundsRanking
    | BeginDuels
    | BeginTieDuel
    | CallOffTieDuel
    | PublishRanking
    | WaiveOwedEntries
    | WaiveOpenSheets
    | UndoSteps
)
