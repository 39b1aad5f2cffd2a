"""What a table, or the judge, may ask of a game. ``decide`` answers with events or refuses."""

import msgspec

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.clock.clock_commands import ClockCommand
from saloon.core.game.duel.commands import DuelCommand
from saloon.core.game.events import Cause, Confirmation, Ending, Rescue, SeatedPlayer
from saloon.core.game.match import MatchKind
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.rule_set import RuleSet
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
    """The player of a seat is here."""

    seat: SeatNo


class DealRoles(msgspec.Struct, frozen=True):
    """The role cards are dealt."""


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
    """These characters were turned up at random, one for each player who has none."""

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
    """Begin with so many of the cards that lay in front at the end of the last game."""

    seat: SeatNo
    cards: int


class BeginGame(msgspec.Struct, frozen=True):
    """All characters are shown: the Sheriff's first turn."""


class EndTurn(msgspec.Struct, frozen=True):
    """The turn is over; the next living player's turn starts, High Noon included."""


class SkipTurn(msgspec.Struct, frozen=True):
    """Note that Jail keeps the player whose turn it is: the turn passes on and does not count as played."""


class SetTurn(msgspec.Struct, frozen=True):
    """Set whose turn it really is, where nobody entered that the turns before it ended."""

    seat: SeatNo


class LoseLife(msgspec.Struct, frozen=True):
    """Wound a seat."""

    seat: SeatNo
    points: int = 1


class RegainLife(msgspec.Struct, frozen=True):
    """Give life points back to a living seat."""

    seat: SeatNo
    points: int = 1


class SaveLastLife(msgspec.Struct, frozen=True):
    """Answer the question of the last life point with a Beer or Sid Ketchum's ability."""

    seat: SeatNo
    rescue: Rescue


class Eliminate(msgspec.Struct, frozen=True):
    """Answer the question of the last life point: out, by whom, and the role that was shown."""

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause


class Abandon(msgspec.Struct, frozen=True):
    """A player leaves, or is ejected, in the middle of the game."""

    seat: SeatNo
    ejected: bool = False


class Reshuffle(msgspec.Struct, frozen=True):
    """The discard pile was reshuffled."""


class RevealRebel(msgspec.Struct, frozen=True):
    """The player whose turn it is shows the Rebel!."""

    seat: SeatNo


class AnswerRevolution(msgspec.Struct, frozen=True):
    """Whoever eliminated the Sheriff shows the role: the Rebel!, or another."""

    seat: SeatNo
    is_rebel: bool


class CallJudge(msgspec.Struct, frozen=True):
    """The table wants the judge."""


class AnswerJudgeCall(msgspec.Struct, frozen=True):
    """The judge came, or the call was withdrawn."""


class EndByTimeLimit(msgspec.Struct, frozen=True):
    """The judge ends the game because its time is over.

    how: None for what the rules read (D09). ending: where the judge rules one. reason: in the
    judge's words, for the record sheet.
    """

    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""


class AgreeEnding(msgspec.Struct, frozen=True):
    """The player of a seat agrees that the game ended so."""

    seat: SeatNo


class WithdrawAgreement(msgspec.Struct, frozen=True):
    """The player of a seat takes the own word back, agreement or dispute."""

    seat: SeatNo


class DisputeEnding(msgspec.Struct, frozen=True):
    """The player of a seat says that the game did not end so; the judge is called."""

    seat: SeatNo


class WaiveAgreement(msgspec.Struct, frozen=True):
    """The judge goes on without the word of a seat."""

    seat: SeatNo


class CorrectLife(msgspec.Struct, frozen=True):
    """The judge sets the life points of a seat. reason: for the story."""

    seat: SeatNo
    life: int
    reason: str


class CorrectElimination(msgspec.Struct, frozen=True):
    """The judge sets who eliminated a seat, how, and the role it showed. reason: for the story."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role
    reason: str


class CorrectTurns(msgspec.Struct, frozen=True):
    """The judge sets how many turns a seat has really played. reason: for the story."""

    seat: SeatNo
    turns: int
    reason: str


class DeclareRoles(msgspec.Struct, frozen=True):
    """All roles by seat, shown to the judge after the end; must agree with what was shown before."""

    roles: tuple[Role, ...]


class ConfirmSheet(msgspec.Struct, frozen=True):
    """The judge confirms the record sheet."""

    how: Confirmation


class VoidGame(msgspec.Struct, frozen=True):
    """The judge takes the game back."""

    reason: str


class RestartGame(msgspec.Struct, frozen=True):
    """The judge has the same players play their game again, from the check-in on."""

    reason: str


class Undo(msgspec.Struct, frozen=True):
    """Take the last steps back."""

    steps: int = 1


AgreementCommand = AgreeEnding | WithdrawAgreement | DisputeEnding | WaiveAgreement
CorrectionCommand = CorrectLife | CorrectElimination | CorrectTurns
AuctionCommand = KeepCharacter | LeaveCharacter | RevealCharacters | Nominate | Raise | Pass | TakeCharacter

GameCommand = (
    SeatTable
    | CheckIn
    | DealRoles
    | ChooseCharacter
    | AuctionCommand
    | KeepCards
    | BeginGame
    | EndTurn
    | SkipTurn
    | SetTurn
    | LoseLife
    | RegainLife
    | SaveLastLife
    | Eliminate
    | Abandon
    | Reshuffle
    | RevealRebel
    | AnswerRevolution
    | CallJudge
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
    | DuelCommand
)
