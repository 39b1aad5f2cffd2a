"""Events of a game at one table.

Events are in the past tense, complete and valid; seats count from 1, clockwise. A *step* is everything
that one command caused: the journal stores it as one entry, and one undo removes it.
"""

import enum

import msgspec

from core.characters import Character
from core.game.auction.events import AuctionEvent
from core.game.clock.clock import ClockEvent
from core.game.correction.correction_events import CorrectionEvent
from core.game.duel.events import DuelEvent
from core.game.ending.agreement_events import AgreementEvent
from core.game.play.turn_events import TurnEvent
from core.game.rebel.rebel_events import RebelEvent
from core.game.state.causes import Because, Cause
from core.game.state.game import CallReason, Confirmation, SeatedPlayer
from core.game.state.offences import Offence
from core.rule_set import RuleSet
from core.terms import (
    Dollars,
    Ending,
    GameId,
    MatchKind,
    Role,
    RoundNo,
    SeatNo,
    TableNo,
    TournamentId,
)


class Rescue(enum.Enum):
    """The ways to save a player at no life points."""

    BEER = "beer"
    SID_KETCHUM = "sid-ketchum"


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class TableSeated(_Event, frozen=True, tag="table-seated"):
    """The judge seated a match at this table. In a game, seat 1 is the Sheriff.

    A duel has two seats, and seat 1 is the better placed player.
    """

    game: GameId
    tournament: TournamentId
    tournament_name: str
    rules: RuleSet
    round: RoundNo
    table: TableNo
    seats: tuple[SeatedPlayer, ...]
    match: MatchKind = MatchKind.GAME


class PlayerCheckedIn(_Event, frozen=True, tag="player-checked-in"):
    """The player of a seat checked in."""

    seat: SeatNo


class RolesDealt(_Event, frozen=True, tag="roles-dealt"):
    """The role cards were dealt face down; who got which stays secret."""


class CharacterChosen(_Event, frozen=True, tag="character-chosen"):
    """A player showed the chosen character.

    offered: the two cards that were dealt, if known (in a rehearsal); empty for real cards.
    """

    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()


class CardsKept(_Event, frozen=True, tag="cards-kept"):
    """A survivor kept cards from the last game. cards: how many; 0 for none. dollars: their total price."""

    seat: SeatNo
    cards: int
    dollars: Dollars


class GameBegan(_Event, frozen=True, tag="game-began"):
    """All characters are shown and the first turn starts.

    life: the starting life points by seat, including the Sheriff's extra point.
    """

    life: tuple[int, ...]


class TurnStarted(_Event, frozen=True, tag="turn-started"):
    """The turn of a seat started. loses: life points taken by High Noon (0 or 1)."""

    seat: SeatNo
    loses: int = 0


class LifeLost(_Event, frozen=True, tag="life-lost"):
    """A player was wounded. At zero points or fewer, the table is asked whether they were saved."""

    seat: SeatNo
    points: int = 1


class LifeRegained(_Event, frozen=True, tag="life-regained"):
    """A player regained life points by a Beer, Saloon or ability, up to their maximum."""

    seat: SeatNo
    points: int = 1


class LastLifeSaved(_Event, frozen=True, tag="last-life-saved"):
    """A player at no life points was saved. Each Beer or pair of cards gives one point."""

    seat: SeatNo
    rescue: Rescue
    points: int = 1


class PlayerEliminated(_Event, frozen=True, tag="player-eliminated", omit_defaults=True):
    """A player was eliminated and showed their role.

    by: the killer's seat; None for Dynamite and High Noon. turn: whose turn it was. effect: a number from 1,
    shared by players eliminated by one card. is_earlier: entered late; the card came before the one
    that had this number until now, and later numbers go up by one. same_card: the previous elimination was
    by this card of the same player; missing in older logs.
    """

    seat: SeatNo
    by: SeatNo | None
    role: Role
    cause: Cause
    turn: SeatNo
    effect: int
    is_earlier: bool = False
    same_card: bool = False


class PlayerWarned(_Event, frozen=True, tag="player-warned"):
    """The judge warned a player at the table. Undo doesn't remove it."""

    seat: SeatNo
    offence: Offence
    reason: str


class PlayerAbandoned(_Event, frozen=True, tag="player-abandoned", omit_defaults=True):
    """A player left; the character stays in play, passive.

    ejected: whether the judge ejected the player. offence, reason: why, for an ejection at the table; missing
    in older logs and for ejections at the station.
    """

    seat: SeatNo
    ejected: bool = False
    offence: Offence | None = None
    reason: str = ""


class DeckReshuffled(_Event, frozen=True, tag="deck-reshuffled"):
    """The discard pile was shuffled into a new deck. count: reshuffles so far, including this one."""

    count: int


class HighNoonArmed(_Event, frozen=True, tag="high-noon-armed"):
    """A reshuffle reached the threshold: High Noon waits for the turn that begins it."""


class HighNoonBegan(_Event, frozen=True, tag="high-noon-began"):
    """From this turn on, each player loses a life point at the start of their turn."""

    seat: SeatNo


class HighNoonCalled(_Event, frozen=True, tag="high-noon-called"):
    """The judge called High Noon at the time limit; it begins with the next turn. reason: for the record."""

    reason: str = ""


class JudgeCalled(_Event, frozen=True, tag="judge-called"):
    """The table called the judge."""


class CallReasonGiven(_Event, frozen=True, tag="call-reason-given"):
    """The table gave a reason for calling the judge; the last one counts."""

    reason: CallReason


class JudgeAnswered(_Event, frozen=True, tag="judge-answered"):
    """The judge came, or the call was withdrawn."""


class GameEnded(_Event, frozen=True, tag="game-ended"):
    """An ending condition is met. ruled: the judge's words, if the judge ruled the ending."""

    ending: Ending
    because: Because
    ruled: str = ""


class RolesDeclared(_Event, frozen=True, tag="roles-declared"):
    """The roles of all seats, as shown to the judge after the end; by seat."""

    roles: tuple[Role, ...]


class SheetConfirmed(_Event, frozen=True, tag="sheet-confirmed"):
    """The judge confirmed the record sheet; the game's log is closed."""

    how: Confirmation


class GameVoided(_Event, frozen=True, tag="game-voided"):
    """The judge voided the game, so it doesn't count."""

    reason: str


class StepsUndone(_Event, frozen=True, tag="steps-undone"):
    """The last steps were undone."""

    steps: int


class StepsRedone(_Event, frozen=True, tag="steps-redone"):
    """The steps of the last undo were restored. steps: number of them."""

    steps: int


GameEvent = (
    TableSeated
    | PlayerCheckedIn
    | RolesDealt
    | CharacterChosen
    | AuctionEvent
    | CardsKept
    | GameBegan
    | TurnStarted
    | TurnEvent
    | LifeLost
    | LifeRegained
    | LastLifeSaved
    | PlayerEliminated
    | PlayerWarned
    | PlayerAbandoned
    | DeckReshuffled
    | HighNoonArmed
    | HighNoonBegan
    | HighNoonCalled
    | RebelEvent
    | JudgeCalled
    | CallReasonGiven
    | JudgeAnswered
    | GameEnded
    | AgreementEvent
    | CorrectionEvent
    | RolesDeclared
    | SheetConfirmed
    | GameVoided
    | StepsUndone
    | StepsRedone
    | ClockEvent
    | DuelEvent
)


class StepOrigin(msgspec.Struct, frozen=True):
    """The origin of a step. terminal: its name. epoch, seq: position in its stream."""

    terminal: str
    epoch: str
    seq: int


class GameStep(msgspec.Struct, frozen=True, tag="game-step", tag_field="body"):
    """The body of a table's journal entry: the events of one command, in order.

    order: the number of the station's order that caused it; None if entered at the table.
    orders_done: number of orders carried out or refused by the terminal, including this
    one. origin: only in a copy of a step taken over from another terminal.
    """

    game: GameId
    events: tuple[GameEvent, ...]
    order: int | None = None
    orders_done: int = 0
    origin: StepOrigin | msgspec.UnsetType = msgspec.UNSET
