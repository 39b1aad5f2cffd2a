"""Commands from a table or the judge; ``decide`` turns them into events or refuses them."""

import msgspec

from core.characters import Character
from core.editions.readings import TimeLimit
from core.game.clock.clock import ClockCommand
from core.game.duel.commands import DuelCommand
from core.game.events import Rescue
from core.game.state.causes import Cause
from core.game.state.game import CallReason, Confirmation, EventCard, HighNoon, SeatedPlayer
from core.game.state.offences import Offence
from core.rule_set import RecordMode, RuleSet
from core.terms import Dollars, Ending, GameId, MatchKind, Role, RoundNo, SeatNo, TableNo, TournamentId


class SeatTable(msgspec.Struct, frozen=True):
    """Seat the players of a match. In a game, seat 1 is the Sheriff."""

    game: GameId
    tournament: TournamentId
    tournament_name: str
    rules: RuleSet
    round: RoundNo
    table: TableNo
    seats: tuple[SeatedPlayer, ...]
    match: MatchKind = MatchKind.GAME


class CheckIn(msgspec.Struct, frozen=True):
    """Check in the player of a seat."""

    seat: SeatNo


class CheckInAll(msgspec.Struct, frozen=True):
    """Check in all players who have not done so yet."""


class DealRoles(msgspec.Struct, frozen=True):
    """Record that the role cards are dealt."""


class ChooseCharacter(msgspec.Struct, frozen=True):
    """Show the chosen character; may be changed until the game begins."""

    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()


class KeepCharacter(msgspec.Struct, frozen=True):
    """Keep the character of the last game, for the same price."""

    seat: SeatNo


class LeaveCharacter(msgspec.Struct, frozen=True):
    """Give up the character of the last game."""

    seat: SeatNo


class RevealCharacters(msgspec.Struct, frozen=True):
    """Record the characters turned up at random, one for each player without one."""

    characters: tuple[Character, ...]


class Nominate(msgspec.Struct, frozen=True):
    """Nominate a character. bid: the first offer, in dollars."""

    seat: SeatNo
    character: Character
    bid: Dollars


class Raise(msgspec.Struct, frozen=True):
    """Raise the bid. bid: the new total, in dollars."""

    seat: SeatNo
    bid: Dollars


class Pass(msgspec.Struct, frozen=True):
    """Stop bidding for this character."""

    seat: SeatNo


class TakeCharacter(msgspec.Struct, frozen=True):
    """Take a remaining character without a bid."""

    seat: SeatNo
    character: Character


class KeepCards(msgspec.Struct, frozen=True):
    """Start with some of the cards that the player had in play at the end of the last game."""

    seat: SeatNo
    cards: int


class BeginGame(msgspec.Struct, frozen=True):
    """Begin the game with the Sheriff's first turn, once all characters are shown."""


class EndTurn(msgspec.Struct, frozen=True):
    """End the turn; the next living player's turn starts, including High Noon."""


class SkipTurn(msgspec.Struct, frozen=True):
    """Record that the current player is held by Jail: the turn ends and does not count as played."""


class SetTurn(msgspec.Struct, frozen=True):
    """Set whose turn it is, after turn ends that were not entered."""

    seat: SeatNo


class MarkJailed(msgspec.Struct, frozen=True):
    """Record that Jail held a player in an earlier turn, which does not count as played."""

    seat: SeatNo


class SurviveHighNoon(msgspec.Struct, frozen=True):
    """Confirm that a player survived High Noon in a turn whose end was not entered."""

    seat: SeatNo


class SetRecordMode(msgspec.Struct, frozen=True):
    """Change how much the table records from now on."""

    mode: RecordMode


class LoseLife(msgspec.Struct, frozen=True):
    """Wound a seat."""

    seat: SeatNo
    points: int = 1


class RegainLife(msgspec.Struct, frozen=True):
    """Give life points back to a living seat."""

    seat: SeatNo
    points: int = 1


class SaveLastLife(msgspec.Struct, frozen=True):
    """Save a player's last life point with a Beer or Sid Ketchum's ability.

    same_card: the point was taken by the card of the last elimination; its victims count as in play.
    """

    seat: SeatNo
    rescue: Rescue
    same_card: bool = False


class Eliminate(msgspec.Struct, frozen=True):
    """Eliminate a player at no life points, with the cause and the role shown.

    same_card: True if the card of the last elimination did it, even once that has ended the game or while the
    table is asked about a Revolution; False if it was another card. None: True if the player's last life
    point is in question, otherwise False.
    """

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause
    same_card: bool | None = None


class WarnPlayer(msgspec.Struct, frozen=True):
    """Warn a player at the table. Needs a category of the documents' conduct list and a reason."""

    seat: SeatNo
    offence: Offence
    reason: str


class Abandon(msgspec.Struct, frozen=True):
    """Record that a player leaves or is ejected. offence, reason: why the player is ejected."""

    seat: SeatNo
    ejected: bool = False
    offence: Offence | None = None
    reason: str = ""


class Reshuffle(msgspec.Struct, frozen=True):
    """Record a reshuffle of the discard pile. during: the seat whose turn it was, if entered late."""

    during: SeatNo | None = None


class RevealRebel(msgspec.Struct, frozen=True):
    """Reveal the Rebel! as the current player."""

    seat: SeatNo


class AnswerRevolution(msgspec.Struct, frozen=True):
    """Record the role shown by the player who eliminated the Sheriff: the Rebel! or another."""

    seat: SeatNo
    is_rebel: bool


class ShowEventCard(msgspec.Struct, frozen=True):
    """Record an event card that returns eliminated players until the Sheriff's next turn; None for others."""

    card: EventCard | None


class CallJudge(msgspec.Struct, frozen=True):
    """Call the judge to the table."""


class GiveCallReason(msgspec.Struct, frozen=True):
    """Give the reason for a call to the judge, or change it."""

    reason: CallReason


class AnswerJudgeCall(msgspec.Struct, frozen=True):
    """Record that the judge came, or that the call was withdrawn."""


class EndByTimeLimit(msgspec.Struct, frozen=True):
    """End the game on the judge's order because time is over.

    how: None for the edition's reading (D09). ending: the judge's ruling, if any. reason: the judge's words
    for the record sheet.
    """

    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""


class AgreeEnding(msgspec.Struct, frozen=True):
    """Agree with the ending for the player of a seat."""

    seat: SeatNo


class WithdrawAgreement(msgspec.Struct, frozen=True):
    """Withdraw the agreement or dispute of the player of a seat."""

    seat: SeatNo


class DisputeEnding(msgspec.Struct, frozen=True):
    """Dispute the ending for the player of a seat; this calls the judge."""

    seat: SeatNo


class WaiveAgreement(msgspec.Struct, frozen=True):
    """Go on without a seat's answer, by the judge's decision."""

    seat: SeatNo


class CorrectLife(msgspec.Struct, frozen=True):
    """Set the life points of a seat as a correction by the judge. reason: for the game's log."""

    seat: SeatNo
    life: int
    reason: str


class CorrectElimination(msgspec.Struct, frozen=True):
    """Correct the killer, cause and shown role of an elimination. reason: for the game's log."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str


class CorrectTurns(msgspec.Struct, frozen=True):
    """Correct the number of turns that a seat actually played. reason: for the game's log."""

    seat: SeatNo
    turns: int
    reason: str


class CorrectReshuffles(msgspec.Struct, frozen=True):
    """Correct the number of reshuffles; High Noon is adjusted to it."""

    count: int
    reason: str


class CorrectTurn(msgspec.Struct, frozen=True):
    """Correct whose turn it is and whether High Noon is on. No life points change."""

    seat: SeatNo
    high_noon: HighNoon
    reason: str


class CorrectOrder(msgspec.Struct, frozen=True):
    """Correct the order of the eliminations. seats: all eliminated ones, first to last."""

    seats: tuple[SeatNo, ...]
    reason: str


class RestorePlayer(msgspec.Struct, frozen=True):
    """Remove an elimination that never happened. life: the player's life points."""

    seat: SeatNo
    life: int
    reason: str


class DeclareRoles(msgspec.Struct, frozen=True):
    """Declare all roles by seat, as shown to the judge at the end; must match those already shown."""

    roles: tuple[Role, ...]


class ConfirmSheet(msgspec.Struct, frozen=True):
    """Confirm the record sheet as the judge."""

    how: Confirmation


class VoidGame(msgspec.Struct, frozen=True):
    """Void the game by the judge's decision."""

    reason: str


class RestartGame(msgspec.Struct, frozen=True):
    """Void the game and let the same players start over from the check-in, by the judge's decision."""

    reason: str


class Undo(msgspec.Struct, frozen=True):
    """Undo the last steps."""

    steps: int = 1


class Redo(msgspec.Struct, frozen=True):
    """Restore the steps of the last undo."""


AgreementCommand = AgreeEnding | WithdrawAgreement | DisputeEnding | WaiveAgreement
CorrectionCommand = (
    CorrectLife
    | CorrectElimination
    | CorrectTurns
    | CorrectReshuffles
    | CorrectTurn
    | CorrectOrder
    | RestorePlayer
)
TurnCommand = SkipTurn | SetTurn | MarkJailed | SurviveHighNoon | SetRecordMode
AuctionCommand = KeepCharacter | LeaveCharacter | RevealCharacters | Nominate | Raise | Pass | TakeCharacter

GameCommand = (
    SeatTable
    | CheckIn
    | CheckInAll
    | DealRoles
    | ChooseCharacter
    | AuctionCommand
    | KeepCards
    | BeginGame
    | EndTurn
    | TurnCommand
    | LoseLife
    | RegainLife
    | SaveLastLife
    | Eliminate
    | WarnPlayer
    | Abandon
    | Reshuffle
    | RevealRebel
    | AnswerRevolution
    | ShowEventCard
    | CallJudge
    | GiveCallReason
    | AnswerJudgeCall
    | EndByTimeLimit
    | AgreementCommand
    | CorrectionCommand
    | DeclareRoles
    | ConfirmSheet
    | VoidGame
    | RestartGame
    | ClockCommand
    | Undo
    | Redo
    | DuelCommand
)
