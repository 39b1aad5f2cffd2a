"""The judge's commands for a tournament. ``decide`` answers with events or refuses."""

import msgspec

from saloon.core.game.events import StepOrigin
from saloon.core.game.match import MatchKind
from saloon.core.game.offence import Offence
from saloon.core.game.result import Result
from saloon.core.rule_set import RuleSet
from saloon.core.terms import Dollars, GameId, PlayerId, RoundNo, TableNo, TournamentId
from saloon.core.tournament.clock.hall_clock import ClockCommand
from saloon.core.tournament.events import (
    OpenSheet,
    OwingTable,
    Player,
    SeatingChange,
    Source,
    VoidedGame,
    Waivers,
)
from saloon.core.tournament.origin import SheetOrigin
from saloon.core.tournament.table_list import ALL_TABLES, TableList


class TableInUse(msgspec.Struct, frozen=True):
    """A table of the hall at which another tournament plays. tournament: its name."""

    table: TableNo
    tournament: str


class OpenTournament(msgspec.Struct, frozen=True):
    """Open a tournament. unofficial: the judge accepts fewer players than the edition allows (D01).

    tables: of the hall, in the order of its draws.
    """

    tournament: TournamentId
    name: str
    rules: RuleSet
    date: str
    waivers: Waivers
    unofficial: bool = False
    tables: TableList = ALL_TABLES


class MoveTables(msgspec.Struct, frozen=True):
    """Play at other tables of the hall, while nothing runs."""

    tables: TableList


class ChangeWaivers(msgspec.Struct, frozen=True):
    """Fewer rounds, or a time limit, while the tournament runs."""

    waivers: Waivers
    reason: str


class RenameTournament(msgspec.Struct, frozen=True):
    """Correct the tournament's name or date, such as "2026-11-20"."""

    name: str
    date: str


class RegisterPlayers(msgspec.Struct, frozen=True):
    """Players join, before the first draw is published; later only where late entry is open (D45)."""

    players: tuple[Player, ...]


class SetLateEntry(msgspec.Struct, frozen=True):
    """Let players join after the first published draw, or no longer, with a reason (D45)."""

    is_open: bool
    reason: str


class AllowTablesOfFour(msgspec.Struct, frozen=True):
    """Allow tables of 4, as 8 or 9 players are left, with what they are paid and a reason (D44)."""

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
    """Take back that a player left, which was a mistake, before the player has missed a round."""

    player: PlayerId
    reason: str


class WithdrawPlayer(msgspec.Struct, frozen=True):
    """A player leaves for good."""

    player: PlayerId
    reason: str


class WarnPlayer(msgspec.Struct, frozen=True):
    """A warning; the second one ejects. offence, origin: as in ``PlayerWarned``."""

    player: PlayerId
    reason: str
    offence: Offence | None = None
    origin: StepOrigin | None = None


class EjectPlayer(msgspec.Struct, frozen=True):
    """Send a player away. offence: as in ``PlayerEjected``."""

    player: PlayerId
    reason: str
    offence: Offence | None = None


class DisputedTable(msgspec.Struct, frozen=True):
    """A table whose record sheet is disputed: by a judge, or by what its terminal says."""

    round: RoundNo
    table: TableNo


class SealDraw(msgspec.Struct, frozen=True):
    """Choose the seed of the next draw (or of a redraw before publication) and seal it.

    seed: 64 hex digits of chance, drawn outside the core. reason: for a redraw; None if nobody was asked,
    as in logs from before it was. disputed: as far as the station knows; here and in the other commands.
    """

    seed: str
    reason: str | None = None
    disputed: tuple[DisputedTable, ...] = ()


class MakeDraw(msgspec.Struct, frozen=True):
    """Open the seal and draw. hall_word: what somebody in the hall called out, may be empty.

    owing: tables with missing entries, as the station knows; here and in the other commands. left: who left
    at a table and is still in the tournament; here and in the other commands, as given by the station.
    """

    hall_word: str = ""
    owing: tuple[OwingTable, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()


class ChangeDraw(msgspec.Struct, frozen=True):
    """Change the draft by hand, with a reason. change: its table counts from 1, as in a draw."""

    change: SeatingChange
    reason: str


class PublishDraw(msgspec.Struct, frozen=True):
    """Make tables and seed public and let the round begin.

    in_use: tables of the hall at which other tournaments play, as far as the station knows; here and in
    the beginning of duels.
    """

    owing: tuple[OwingTable, ...] = ()
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()


class AcceptSheet(msgspec.Struct, frozen=True):
    """Confirm a table's record sheet, of a game or of a duel.

    reason: why it says other than the table's terminal has reported.
    """

    game: GameId
    result: Result
    source: Source
    origin: SheetOrigin | None = None
    reason: str = ""


class ContestSheet(msgspec.Struct, frozen=True):
    """Keep a carried record sheet that says other than the accepted one."""

    game: GameId
    result: Result
    origin: SheetOrigin


class CorrectSheet(msgspec.Struct, frozen=True):
    """Replace an accepted record sheet, with a reason."""

    game: GameId
    result: Result
    reason: str


class DisputeSheet(msgspec.Struct, frozen=True):
    """Note that somebody doubts an accepted record sheet, with a reason."""

    game: GameId
    reason: str


class SettleDispute(msgspec.Struct, frozen=True):
    """Decide that an accepted record sheet stands as it is, with a reason."""

    game: GameId
    reason: str


class DrawLots(msgspec.Struct, frozen=True):
    """Put the ties that nothing else broke in an order by lot. seed: 64 hex digits."""

    seed: str
    left: tuple[PlayerId, ...] = ()


class EnterOneOnOne(msgspec.Struct, frozen=True):
    """Two tied players played a game of two instead of drawing lots (D30)."""

    winner: PlayerId
    loser: PlayerId
    left: tuple[PlayerId, ...] = ()


class PublishRoundsRanking(msgspec.Struct, frozen=True):
    """Publish the ranking of the rounds, which names the four who play the finals."""

    owing: tuple[OwingTable, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    left: tuple[PlayerId, ...] = ()


class BeginDuels(msgspec.Struct, frozen=True):
    """Call the semifinals to their tables, or after them the final. kind: of these duels."""

    kind: MatchKind
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()


class BeginTieDuel(msgspec.Struct, frozen=True):
    """Call two tied players to a table for a game one-on-one. seed: of the lot for the first seat."""

    players: tuple[PlayerId, PlayerId]
    kind: MatchKind
    seed: str
    in_use: tuple[TableInUse, ...] = ()
    left: tuple[PlayerId, ...] = ()


class CallOffTieDuel(msgspec.Struct, frozen=True):
    """Call off a duel of two tied players that has no result yet."""

    game: GameId


class PublishRanking(msgspec.Struct, frozen=True):
    """End the tournament and publish the ranking. disputed: tables whose record sheets are, as known."""

    owing: tuple[OwingTable, ...] = ()
    disputed: tuple[DisputedTable, ...] = ()
    left: tuple[PlayerId, ...] = ()


class WaiveOwedEntries(msgspec.Struct, frozen=True):
    """Go on without the missing entries of these tables. reason: kept with the tournament."""

    owing: tuple[OwingTable, ...]
    reason: str


class WaiveOpenSheets(msgspec.Struct, frozen=True):
    """Draw the next round without these missing or disputed record sheets, with a reason."""

    sheets: tuple[OpenSheet, ...]
    reason: str


class UndoSteps(msgspec.Struct, frozen=True):
    """Take the last steps back, with a reason.

    voids: games in play that would be void, as far as the station knows. confirmed: those of them that the
    judge has agreed to. seen: number of steps, undone ones included, when the judge looked; None: not known.
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
