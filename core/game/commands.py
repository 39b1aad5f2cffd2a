"""Commands for a game from a table or the judge; ``decide`` answers with events or refuses."""

import msgspec

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.cause import HighNoon
from saloon.core.game.clock.clock import ClockCommand
from saloon.core.game.duel.commands import DuelCommand
from saloon.core.game.events import CallReason, Cause, Confirmation, Ending, Rescue, SeatedPlayer
from saloon.core.game.match import MatchKind
from saloon.core.game.offence import Offence
from saloon.core.game.rebel.rebel_events import EventCard
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.rule_set import RecordMode, RuleSet
from saloon.core.terms import Dollars, GameId, RoundNo, SeatNo, TableNo, TournamentId


class SeatTable(msgspec.Struct, frozen=True):
    """Seat the players of a match; in a game seat 1 is the Sheriff."""

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
    """Check in all players who have not done so: everybody is here."""


class DealRoles(msgspec.Struct, frozen=True):
    """Record that the role cards are dealt."""


class ChooseCharacter(msgspec.Struct, frozen=True):
    """Show the chosen character; may be changed until the game begins, should a finger slip."""

    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()


class KeepCharacter(msgspec.Struct, frozen=True):
    """Keep the character of the last game for the price that was paid for it."""

    seat: SeatNo


class LeaveCharacter(msgspec.Struct, frozen=True):
    """Do not keep the character of the last game."""

    seat: SeatNo


class RevealCharacters(msgspec.Struct, frozen=True):
    """Record the characters turned up at random, one for each player without one."""

    characters: tuple[Character, ...]


class Nominate(msgspec.Struct, frozen=True):
    """Put a character up. bid: the first offer, in dollars."""

    seat: SeatNo
    character: Character
    bid: Dollars


class Raise(msgspec.Struct, frozen=True):
    """Offer more. bid: all of it, in dollars."""

    seat: SeatNo
    bid: Dollars


class Pass(msgspec.Struct, frozen=True):
    """Offer no more for this character."""

    seat: SeatNo


class TakeCharacter(msgspec.Struct, frozen=True):
    """Take a character that is left, without a bid."""

    seat: SeatNo
    character: Character


class KeepCards(msgspec.Struct, frozen=True):
    """Start with this many of the cards that the player had in front at the end of the last game."""

    seat: SeatNo
    cards: int


class BeginGame(msgspec.Struct, frozen=True):
    """Begin the Sheriff's first turn, once all characters are shown."""


class EndTurn(msgspec.Struct, frozen=True):
    """End the turn; the next living player's turn starts, including High Noon."""


class SkipTurn(msgspec.Struct, frozen=True):
    """Record that Jail holds the player whose turn it is: the turn passes on and does not count as played."""


class SetTurn(msgspec.Struct, frozen=True):
    """Set the actual turn if the ends of earlier turns were not entered."""

    seat: SeatNo


class MarkJailed(msgspec.Struct, frozen=True):
    """Record that Jail held a player whose turn was passed: it does not count as played."""

    seat: SeatNo


class SurviveHighNoon(msgspec.Struct, frozen=True):
    """Answer that a player is in play after a turn at High Noon that nobody entered."""

    seat: SeatNo


class SetRecordMode(msgspec.Struct, frozen=True):
    """Change what the table enters from now on."""

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
    """Answer the question of the last life point with a Beer or Sid Ketchum's ability.

    same_card: the card of the last elimination took the point; its victims count as in play.
    """

    seat: SeatNo
    rescue: Rescue
    same_card: bool = False


class Eliminate(msgspec.Struct, frozen=True):
    """Answer the question of the last life point with an elimination, its cause and the role shown.

    same_card: True if it was the card of the last elimination, also once that one has ended the game, or
    while it asks for a Revolution; False if it was another card. None: the same if a last life point is
    asked about, otherwise another.
    """

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause
    same_card: bool | None = None


class WarnPlayer(msgspec.Struct, frozen=True):
    """Warn a player at the table, with the category of the documents' conduct list and a reason."""

    seat: SeatNo
    offence: Offence
    reason: str


class Abandon(msgspec.Struct, frozen=True):
    """Record that a player leaves, or is ejected, in the middle of the game. offence, reason: why ejected."""

    seat: SeatNo
    ejected: bool = False
    offence: Offence | None = None
    reason: str = ""


class Reshuffle(msgspec.Struct, frozen=True):
    """Record that the discard pile was reshuffled. during: in this seat's turn, if it is entered late."""

    during: SeatNo | None = None


class RevealRebel(msgspec.Struct, frozen=True):
    """Show the Rebel! of the player whose turn it is."""

    seat: SeatNo


class AnswerRevolution(msgspec.Struct, frozen=True):
    """Record the role shown by the player who eliminated the Sheriff: the Rebel!, or another."""

    seat: SeatNo
    is_rebel: bool


class ShowEventCard(msgspec.Struct, frozen=True):
    """Say which card brings eliminated players back until the Sheriff's next turn; None for any other."""

    card: EventCard | None


class CallJudge(msgspec.Struct, frozen=True):
    """Call the judge to the table."""


class GiveCallReason(msgspec.Struct, frozen=True):
    """Say why the judge was called, or give another reason."""

    reason: CallReason


class AnswerJudgeCall(msgspec.Struct, frozen=True):
    """Record that the judge came, or that the call was withdrawn."""


class EndByTimeLimit(msgspec.Struct, frozen=True):
    """End the game by the judge's order because its time is over.

    how: None for the reading of the rules (D09). ending: set if the judge rules one. reason: in the
    judge's words, for the record sheet.
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
    """Go on without the answer of a seat, by the judge's decision."""

    seat: SeatNo


class CorrectLife(msgspec.Struct, frozen=True):
    """Set the life points of a seat by the judge's correction. reason: for the story."""

    seat: SeatNo
    life: int
    reason: str


class CorrectElimination(msgspec.Struct, frozen=True):
    """Correct the killer, cause and shown role of an elimination. reason: for the story."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str


class CorrectTurns(msgspec.Struct, frozen=True):
    """Correct the number of turns that a seat has really played. reason: for the story."""

    seat: SeatNo
    turns: int
    reason: str


class CorrectReshuffles(msgspec.Struct, frozen=True):
    """Correct the number of reshuffles; High Noon waits, or not, as the number says."""

    count: int
    reason: str


class CorrectTurn(msgspec.Struct, frozen=True):
    """Correct whose turn it is, and whether High Noon is on in it. Nobody gains or loses a life point."""

    seat: SeatNo
    high_noon: HighNoon
    reason: str


class CorrectOrder(msgspec.Struct, frozen=True):
    """Correct the order of the eliminations. seats: of all who are out, first to last."""

    seats: tuple[SeatNo, ...]
    reason: str


class RestorePlayer(msgspec.Struct, frozen=True):
    """Strike an elimination that never happened. life: points that the player has."""

    seat: SeatNo
    life: int
    reason: str


class DeclareRoles(msgspec.Struct, frozen=True):
    """Declare all roles by seat, as shown to the judge at the end; must agree with those already shown."""

    roles: tuple[Role, ...]


class ConfirmSheet(msgspec.Struct, frozen=True):
    """Confirm the record sheet as the judge."""

    how: Confirmation


class VoidGame(msgspec.Struct, frozen=True):
    """Void the game by the judge's decision."""

    reason: str


class RestartGame(msgspec.Struct, frozen=True):
    """Have the same players play their game again, from the check-in on, by the judge's decision."""

    reason: str


class Undo(msgspec.Struct, frozen=True):
    """Undo the last steps."""

    steps: int = 1


class Redo(msgspec.Struct, frozen=True):
    """Enter again what the last undo took back."""


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
