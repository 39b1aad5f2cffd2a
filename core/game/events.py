"""Events of a game at one table.

Events are past, complete and valid; seats count from 1, clockwise. A *step* is all that one command
caused: it is what the journal stores as one entry, and what one undo takes back.
"""

import enum

import msgspec

from saloon.core.game.auction.events import AuctionEvent
from saloon.core.game.cause import Cause as Cause  # noqa: PLC0414 (most look for it here)
from saloon.core.game.clock.clock import ClockEvent
from saloon.core.game.correction.correction_events import CorrectionEvent
from saloon.core.game.duel.events import DuelEvent
from saloon.core.game.ending.agreement_events import AgreementEvent
from saloon.core.game.match import MatchKind
from saloon.core.game.offence import Offence
from saloon.core.game.play.turn_events import TurnEvent
from saloon.core.game.rebel.rebel_events import RebelEvent
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.rule_set import RuleSet
from saloon.core.terms import Dollars, GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId


class Rescue(enum.Enum):
    """The means by which a player at no life points can be saved."""

    BEER = "beer"
    SID_KETCHUM = "sid-ketchum"


class Ending(enum.Enum):
    """The ending condition of a game."""

    LAW_WINS = "law_wins"
    OUTLAWS_WIN = "outlaws_win"
    RENEGADE_WINS = "renegade_wins"
    NO_WINNER = "no_winner"


class Because(enum.Enum):
    """The rule that decided an ending; the value names it for people."""

    NO_OUTLAW_OR_RENEGADE_LEFT = "no Outlaw and no Renegade is left"
    SHERIFF_OUT = "the Sheriff is out"
    RENEGADE_LAST = "the Renegade is the only one left"
    TIME_LIMIT = "the time limit was reached"
    JUDGE = "the judge ruled it at the time limit"


class Confirmation(enum.Enum):
    """The means by which the judge confirmed a record sheet."""

    PIN = "pin"
    KEY = "key"
    STATION = "station"
    CORRECTED = "corrected"
    """At the station, with another result than the table recorded."""


class CallReason(enum.Enum):
    """The reason why a table calls the judge."""

    RULE = "rule"
    DISPUTE = "dispute"
    TERMINAL = "terminal"
    TIME = "time"
    OTHER = "other"


class Stake(msgspec.Struct, frozen=True):
    """A player's stake at a table where dollars buy something; secret, never shown.

    budget: dollars that may be spent here. survived: alive at the end of the last game, so that its
    character, if owned, may be kept for the price paid for it, and cards may be kept.
    """

    budget: Dollars
    survived: bool = False
    owned: Character | None = None
    price: Dollars = Dollars(0)


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A player at a seat. name: as shown at the table. stake: None if nothing is bought.

    warnings: in the tournament so far.
    """

    player: PlayerId
    name: str
    stake: Stake | None = None
    warnings: int = 0


class _Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    pass


class TableSeated(_Event, frozen=True, tag="table-seated"):
    """The judge seated a match at this table; in a game seat 1 is the Sheriff.

    In a duel there are two seats, and seat 1 is the better placed player.
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
    """The player of a seat sat down and checked in."""

    seat: SeatNo


class RolesDealt(_Event, frozen=True, tag="roles-dealt"):
    """The role cards were dealt face down; which ones stays secret."""


class CharacterChosen(_Event, frozen=True, tag="character-chosen"):
    """A player showed the chosen character.

    offered: the two cards that were dealt, if they are known (a rehearsal); empty if people dealt real
    cards face down.
    """

    seat: SeatNo
    character: Character
    offered: tuple[Character, ...] = ()


class CardsKept(_Event, frozen=True, tag="cards-kept"):
    """A survivor kept cards of the last game. dollars: for all of them; 0 cards for none."""

    seat: SeatNo
    cards: int
    dollars: Dollars


class GameBegan(_Event, frozen=True, tag="game-began"):
    """All characters are shown and the first turn starts.

    life: the starting life points by seat, the Sheriff's extra point included.
    """

    life: tuple[int, ...]


class TurnStarted(_Event, frozen=True, tag="turn-started"):
    """The turn of a seat started. loses: the life points that High Noon takes for it (0 or 1)."""

    seat: SeatNo
    loses: int = 0


class LifeLost(_Event, frozen=True, tag="life-lost"):
    """A player was wounded. At no points, or fewer, the question of the last life point is open."""

    seat: SeatNo
    points: int = 1


class LifeRegained(_Event, frozen=True, tag="life-regained"):
    """A Beer, Saloon or ability gave points back; never above the maximum."""

    seat: SeatNo
    points: int = 1


class LastLifeSaved(_Event, frozen=True, tag="last-life-saved"):
    """A player at no life points was saved, with one point for each Beer or pair of cards."""

    seat: SeatNo
    rescue: Rescue
    points: int = 1


class PlayerEliminated(_Event, frozen=True, tag="player-eliminated", omit_defaults=True):
    """A player was eliminated and showed their role.

    by: the seat that eliminated; None for Dynamite and High Noon. turn: whose turn it was. effect: players
    eliminated by one card share a number, from 1. is_earlier: entered late; the card came before the one
    that had this number until now, and later ones count one more. same_card: the elimination before it was
    by this card of the same player; nothing in older logs.
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
    """The judge warned a player at the table. It is no move: nothing at the table takes it back."""

    seat: SeatNo
    offence: Offence
    reason: str


class PlayerAbandoned(_Event, frozen=True, tag="player-abandoned", omit_defaults=True):
    """A player left; the character stays in play, passive. ejected: the judge sent the player away.

    offence, reason: of an ejection at the table; nothing in older logs, or where the station ejected.
    """

    seat: SeatNo
    ejected: bool = False
    offence: Offence | None = None
    reason: str = ""


class DeckReshuffled(_Event, frozen=True, tag="deck-reshuffled"):
    """The discard pile was shuffled into a new deck. count: reshuffles so far, this one included."""

    count: int


class HighNoonArmed(_Event, frozen=True, tag="high-noon-armed"):
    """A reshuffle reached the threshold: High Noon waits for the turn that begins it."""


class HighNoonBegan(_Event, frozen=True, tag="high-noon-began"):
    """From this turn on each player loses a life point at the start of the turn."""

    seat: SeatNo


class HighNoonCalled(_Event, frozen=True, tag="high-noon-called"):
    """The judge, at the time limit, has High Noon begin with the next turn. reason: for the sheet."""

    reason: str = ""


class JudgeCalled(_Event, frozen=True, tag="judge-called"):
    """The table called the judge."""


class CallReasonGiven(_Event, frozen=True, tag="call-reason-given"):
    """The table said why it has called the judge; the last reason counts."""

    reason: CallReason


class JudgeAnswered(_Event, frozen=True, tag="judge-answered"):
    """The judge came, or the call was withdrawn."""


class GameEnded(_Event, frozen=True, tag="game-ended"):
    """The ending condition is met; the record sheet with the judge follows. ruled: the judge's words."""

    ending: Ending
    because: Because
    ruled: str = ""


class RolesDeclared(_Event, frozen=True, tag="roles-declared"):
    """The roles of all seats, as the players showed them to the judge after the end; by seat."""

    roles: tuple[Role, ...]


class SheetConfirmed(_Event, frozen=True, tag="sheet-confirmed"):
    """The judge confirmed the record sheet; the table's story is closed."""

    how: Confirmation


class GameVoided(_Event, frozen=True, tag="game-voided"):
    """The judge voided the game; it counts for nothing."""

    reason: str


class StepsUndone(_Event, frozen=True, tag="steps-undone"):
    """The last steps that still counted were undone."""

    steps: int


class StepsRedone(_Event, frozen=True, tag="steps-redone"):
    """The steps that the last undo had taken back count again. steps: how many."""

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
    """The origin of a step. terminal: its name. epoch, seq: the place in its stream."""

    terminal: str
    epoch: str
    seq: int


class GameStep(msgspec.Struct, frozen=True, tag="game-step", tag_field="body"):
    """The body of a table's journal entry: the events of one command, in order.

    order: the number of the station's order that caused it; None if entered by hand at the table.
    orders_done: number of orders that the terminal had carried out, or refused, when the step was
    complete. origin: only in a copy, of a step that was taken over from another terminal.
    """

    game: GameId
    events: tuple[GameEvent, ...]
    order: int | None = None
    orders_done: int = 0
    origin: StepOrigin | msgspec.UnsetType = msgspec.UNSET
