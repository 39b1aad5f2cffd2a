"""The state of one game: a pure fold over its steps."""

import enum
from typing import Final

import msgspec

from core.characters import Character
from core.game.state.auction import Auction
from core.game.state.duel import DuelState
from core.game.state.offences import Offence
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
    Seconds,
    TableNo,
    TournamentId,
)


class Cause(enum.Enum):
    """A cause for the loss of a player's last life point."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    OWN_DUEL = "own-duel"
    """A Duel that the player began; the other duellist eliminated them (D35)."""
    HIGH_NOON = "high-noon"


BY_PLAYERS: Final = frozenset({Cause.PLAYER, Cause.OWN_DUEL})
"""The causes that have a killer."""


class Because(enum.Enum):
    """The rule that decided an ending; the value is its label."""

    NO_OUTLAW_OR_RENEGADE_LEFT = "no Outlaw and no Renegade is left"
    SHERIFF_OUT = "the Sheriff is out"
    RENEGADE_LAST = "the Renegade is the only one left"
    TIME_LIMIT = "the time limit was reached"
    JUDGE = "the judge ruled it at the time limit"


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


class HighNoon(enum.Enum):
    """The state of High Noon: OFF, WAITING for the turn that begins it, or ON to the end of the game."""

    OFF = "off"
    WAITING = "waiting"
    CALLED = "called"
    """Called by the judge at the time limit: the next turn begins it."""
    ON = "on"


class Confirmation(enum.Enum):
    """The ways in which the judge confirmed a record sheet."""

    PIN = "pin"
    KEY = "key"
    STATION = "station"
    CORRECTED = "corrected"
    """At the station, with a different result from the table's."""


class CallReason(enum.Enum):
    """A table's reason for calling the judge."""

    RULE = "rule"
    DISPUTE = "dispute"
    TERMINAL = "terminal"
    TIME = "time"
    OTHER = "other"


class EventCard(enum.Enum):
    """An event card that lets eliminated players play.

    Source: The Rebel!, Clarifications and particular cases.
    """

    GHOST_TOWN = "ghost-town"
    """Eliminated players play their turns as ghosts, who can't be hit and are out again afterwards."""
    DEAD_MAN = "dead-man"
    """The first player eliminated returns at their own turn."""


class CardsBought(msgspec.Struct, frozen=True):
    """Cards that a survivor kept from the last game. ``dollars`` is their total price."""

    cards: int = 0
    dollars: Dollars = Dollars(0)


class Stake(msgspec.Struct, frozen=True):
    """A player's money and property at a table where dollars buy something; secret, never shown.

    budget: dollars that may be spent here.
    survived: alive at the end of the last game, so that a character they own, and cards, may be kept for a
        price.
    """

    budget: Dollars
    survived: bool = False
    owned: Character | None = None
    price: Dollars = Dollars(0)


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A player at a seat.

    stake: None if nothing is for sale.
    warnings: number so far in the tournament.
    """

    player: PlayerId
    name: str
    stake: Stake | None = None
    warnings: int = 0


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
    """An elimination. ``effect`` is the number of the card or turn start that caused it."""

    seat: SeatNo
    by: SeatNo | None
    turn: SeatNo
    effect: int
    cause: Cause
    role: Role


class Revolution(msgspec.Struct, frozen=True):
    """A Revolution by the Rebel! of this seat. ``after`` is the number of eliminations up to then."""

    seat: SeatNo
    after: int


class Comeback(msgspec.Struct, frozen=True):
    """An eliminated player's return. ``after`` is the number of eliminations up to then.

    A ghost's lasts one turn.
    """

    seat: SeatNo
    after: int
    card: EventCard


class Abandonment(msgspec.Struct, frozen=True):
    """A player's departure. ``after`` is the number of eliminations up to then.

    The character stays, passive.
    """

    seat: SeatNo
    after_eliminations: int
    ejected: bool = False


class Penalty(msgspec.Struct, frozen=True):
    """A player's warning or ejection by the judge. offence: None in older logs, and at the station."""

    seat: SeatNo
    offence: Offence | None = None
    reason: str = ""


class Agreement(msgspec.Struct, frozen=True):
    """The players' answers on the ending, as seats in the order of answering.

    ``waived`` are the seats whose answer the judge has waived.
    """

    agreed: tuple[SeatNo, ...] = ()
    disputed: tuple[SeatNo, ...] = ()
    waived: tuple[SeatNo, ...] = ()


class RecordedClock(msgspec.Struct, frozen=True):
    """The judge's changes to the clock at one table.

    paused_at_s: the time left when the current pause began, or None if not paused.
    paused_s: total length of finished pauses.
    extensions: in seconds, one item each.
    doubts: number of the terminal's requests to the station.
    pauses: number of pauses, including a current one.
    """

    started: bool = False
    paused_at_s: Seconds | None = None
    paused_s: Seconds = Seconds(0)
    extensions: tuple[Seconds, ...] = ()
    doubts: int = 0
    pauses: int = 0

    @property
    def is_paused(self) -> bool:
        return self.paused_at_s is not None

    @property
    def given_s(self) -> Seconds:
        """Return the seconds added to the hall's clock: extensions and finished pauses."""
        return Seconds(self.paused_s + sum(self.extensions))


class GameState(msgspec.Struct, frozen=True):
    """The state of a game.

    seats: by seat number, index 0 is seat 1.
    turn: the seat whose turn it is, or None until the first.
    turns: turns started so far.
    is_turn_unknown: turns are not recorded yet, in light mode.
    reshuffled_at: turns at the last reshuffle.
    pending: seats in play at no life points, in the order in which they lost the last one.
    high_noon_question: one of them lost it to High Noon (only one can).
    passed: seats of earlier turns that were not entered, nor marked as skipped since.
    doubtful: seats to ask about because High Noon would have taken the last life point in a passed turn;
    doubtful_from: number of eliminations until then.
    wounded: seats that lost points by hand since this turn started.
    effects: number of cards whose eliminations are complete.
    turns_played: by seat, turns that the player actually played.
    auction: None if characters are not auctioned.
    duel: None for a game with roles.
    sheriff: the current Sheriff's seat.
    rebel: the seat that showed the Rebel!.
    revolution_question: the seat that eliminated the Sheriff and must show whether it is the Rebel!.
    revolution_turn: number of the turn that the Revolution begins, or 0 if there was none.
    last_out_turn: number of the last turn with an elimination, or 0 if there was none.
    event_card: the one in effect.
    ghost: the eliminated player whose turn it is.
    hits_by_leavers: seats asked about their last life point, each with its attacker who has left since.
    call_reason: the reason for the open call, or None until the table gives one.
    ruled: the judge's decision at the time limit, in the judge's words.
    agreement: the players' answers on the current ending; reset by anything that changes the game.
    clock: the judge's changes to the round's clock at this table.
    mode: what the table records.
    warnings, ejections: those given by the judge at this table.
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
    warnings: tuple[Penalty, ...] = ()
    ejections: tuple[Penalty, ...] = ()
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
        return self.revolutions[-1] if self.revolutions else None

    @property
    def edition(self) -> str:
        return self.rules.edition
