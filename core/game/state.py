"""The state of one game: a pure fold over its steps."""

import enum

import msgspec

from core.characters import Character
from core.game.auction.state import Auction
from core.game.cause import HighNoon as HighNoon  # noqa: PLC0414 (most look for it here)
from core.game.clock.clock import RecordedClock
from core.game.duel.state import DuelState
from core.game.events import Because, CallReason, Cause, Confirmation, PlayerAbandoned, PlayerWarned, Stake
from core.game.rebel.rebel_events import EventCard
from core.rule_set import RecordMode, RuleSet
from core.terms import (
    SHERIFF_SEAT,
    Dollars,
    Ending,
    GameId,
    MatchKind,
    PlayerId,
    Role,
    RoundNo,
    SeatNo,
    TableNo,
    TournamentId,
)


class Phase(enum.Enum):
    """The phases of a game, in order."""

    SEATING = "seating"
    ROLES = "roles"
    AUCTION = "auction"
    """Roles are dealt; characters are auctioned, if the edition has an auction."""
    CHARACTERS = "characters"
    PLAYING = "playing"
    DUEL = "duel"
    """A duel, from its setup to its winner; details are in ``GameState.duel``."""
    ENDED = "ended"
    """An ending condition is met; the players declare their roles to the judge."""
    SHEET = "sheet"
    """Roles are declared; the judge has to confirm the record sheet."""
    CONFIRMED = "confirmed"
    VOIDED = "voided"


class CardsBought(msgspec.Struct, frozen=True):
    """Cards that a survivor kept from the last game. dollars: their total price."""

    cards: int = 0
    dollars: Dollars = Dollars(0)


class Seat(msgspec.Struct, frozen=True):
    """The public state of a seat.

    life: life points; 0 or fewer with in_play means that the table is asked about the last one.
    role: the Sheriff's from the start, others' when shown by elimination or declared at the end.
    spent: dollars paid at this table, for a character and for kept cards.
    """

    seat: SeatNo
    player: PlayerId
    name: str
    checked_in: bool = False
    character: Character | None = None
    offered: tuple[Character, ...] = ()
    life: int = 0
    max_life: int = 0
    in_play: bool = True
    passive: bool = False
    role: Role | None = None
    stake: Stake | None = None
    warnings: int = 0
    spent: Dollars = Dollars(0)
    cards: CardsBought = CardsBought()


class Elimination(msgspec.Struct, frozen=True):
    """An elimination. effect: number of the card or turn start that caused it."""

    seat: SeatNo
    by: SeatNo | None
    turn: SeatNo
    effect: int
    cause: Cause
    role: Role


class Revolution(msgspec.Struct, frozen=True):
    """A Revolution by the Rebel! of this seat. after: number of eliminations up to then."""

    seat: SeatNo
    after: int


class Comeback(msgspec.Struct, frozen=True):
    """An eliminated player's return. after: number of eliminations up to then. A ghost's lasts one turn."""

    seat: SeatNo
    after: int
    card: EventCard


class Abandonment(msgspec.Struct, frozen=True):
    """A player's departure. after: number of eliminations up to then. The character stays, passive."""

    seat: SeatNo
    after_eliminations: int
    ejected: bool = False


class Agreement(msgspec.Struct, frozen=True):
    """The players' answers on the ending, as seats in the order of answering.

    waived: seats whose answer the judge goes on without.
    """

    agreed: tuple[SeatNo, ...] = ()
    disputed: tuple[SeatNo, ...] = ()
    waived: tuple[SeatNo, ...] = ()


class GameState(msgspec.Struct, frozen=True):
    """The state of a game.

    seats: by seat number, index 0 is seat 1. turn: the seat whose turn it is; None until the first. turns:
    turns started so far. is_turn_unknown: turns are not recorded yet, in light mode. reshuffled_at: turns at
    the last reshuffle. pending: seats in play at no life points, in the order in which they lost the last
    one. high_noon_question: one of them lost it to High Noon (only one can). passed: seats of earlier turns
    that were not entered, nor marked as skipped since. doubtful: seats to ask about because High Noon would
    have taken the last life point in a passed turn; doubtful_from: number of eliminations until then.
    wounded: seats that lost points by hand since this turn started. effects: number of cards whose
    eliminations are complete. turns_played: by seat, turns that the player actually played. auction: None if
    characters are not auctioned. duel: None for a game with roles. sheriff: the current Sheriff's seat.
    rebel: the seat that showed the Rebel!. revolution_question: the seat that eliminated the Sheriff and must
    show whether it is the Rebel!. revolution_turn: number of the turn that the Revolution begins; 0 if there
    was none. last_out_turn: number of the last turn with an elimination; 0 if there was none. event_card: the
    one in effect. ghost: the eliminated player whose turn it is. hits_by_leavers: seats asked about their
    last life point, each with its attacker who has left since. call_reason: the reason for the open call;
    None until the table gives one. ruled: the judge's decision at the time limit, in the judge's words.
    agreement: the players' answers on the current ending; reset by anything that changes the game. clock: the
    judge's changes to the round's clock at this table. mode: what the table records. warnings, ejections:
    those given by the judge at this table.
    """

    game: GameId
    tournament: TournamentId
    tournament_name: str
    rules: RuleSet
    round: RoundNo
    table: TableNo
    phase: Phase
    seats: tuple[Seat, ...]
    match: MatchKind = MatchKind.GAME
    auction: Auction | None = None
    turn: SeatNo | None = None
    is_turn_unknown: bool = False
    turns: int = 0
    reshuffles: int = 0
    reshuffled_at: int = 0
    high_noon: HighNoon = HighNoon.OFF
    pending: tuple[SeatNo, ...] = ()
    high_noon_question: bool = False
    passed: tuple[SeatNo, ...] = ()
    doubtful: tuple[SeatNo, ...] = ()
    doubtful_from: int = 0
    wounded: tuple[SeatNo, ...] = ()
    effects: int = 0
    eliminations: tuple[Elimination, ...] = ()
    abandonments: tuple[Abandonment, ...] = ()
    warnings: tuple[PlayerWarned, ...] = ()
    ejections: tuple[PlayerAbandoned, ...] = ()
    turns_played: tuple[int, ...] = ()
    judge_called: bool = False
    call_reason: CallReason | None = None
    ending: Ending | None = None
    because: Because | None = None
    confirmed: Confirmation | None = None
    duel: DuelState | None = None
    sheriff: SeatNo = SHERIFF_SEAT
    rebel: SeatNo | None = None
    revolution_question: SeatNo | None = None
    revolutions: tuple[Revolution, ...] = ()
    revolution_turn: int = 0
    event_card: EventCard | None = None
    ghost: SeatNo | None = None
    comebacks: tuple[Comeback, ...] = ()
    hits_by_leavers: tuple[tuple[SeatNo, SeatNo], ...] = ()
    last_out_turn: int = 0
    ruled: str = ""
    agreement: Agreement = Agreement()
    clock: RecordedClock = RecordedClock()
    mode: RecordMode = RecordMode.FULL

    @property
    def revolution(self) -> Revolution | None:
        """Return the last Revolution; None if there was none."""
        return self.revolutions[-1] if self.revolutions else None

    @property
    def edition(self) -> str:
        """Return the key of the edition."""
        return self.rules.edition
