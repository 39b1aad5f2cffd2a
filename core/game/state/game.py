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
    """The cause of a player's elimination."""

    PLAYER = "player"
    DYNAMITE = "dynamite"
    OWN_DUEL = "own-duel"
    """A Duel that the eliminated player had begun; the other duellist is the killer (D35)."""
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
    """Characters are being auctioned, if the edition has an auction."""
    CHARACTERS = "characters"
    PLAYING = "playing"
    DUEL = "duel"
    """A duel is played; ``GameState.duel`` has its own phases."""
    ENDED = "ended"
    """The game is over, and the players declare their roles to the judge."""
    SHEET = "sheet"
    """The judge has to confirm the record sheet."""
    CONFIRMED = "confirmed"
    VOIDED = "voided"


class HighNoon(enum.Enum):
    """The state of High Noon."""

    OFF = "off"
    WAITING = "waiting"
    """It will begin with the first turn that fits the edition's rule."""
    CALLED = "called"
    """The judge called it at the time limit, so it begins with the next turn."""
    ON = "on"


class Confirmation(enum.Enum):
    """The way in which the judge confirmed a record sheet."""

    PIN = "pin"
    KEY = "key"
    STATION = "station"
    CORRECTED = "corrected"
    """At the station, with a different result from the one that the table recorded."""


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
    """Eliminated players play each turn as a ghost, who can't be hit and is out again after it."""
    DEAD_MAN = "dead-man"
    """The first player to be eliminated returns on their next turn."""


class CardsBought(msgspec.Struct, frozen=True):
    """Cards that a survivor kept from the last game. ``dollars`` is their total price."""

    cards: int = 0
    dollars: Dollars = Dollars(0)


class Stake(msgspec.Struct, frozen=True):
    """A player's money and property at a table where dollars buy something. It is never shown.

    budget: dollars that may be spent here.
    survived: whether the player was alive at the end of the last game, and so may keep cards.
    owned, price: the character that the player may keep, and what it costs.
    """

    budget: Dollars
    survived: bool = False
    owned: Character | None = None
    price: Dollars = Dollars(0)


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A player at a seat.

    stake: None if nothing is for sale at this table.
    warnings: number of warnings so far in the tournament.
    """

    player: PlayerId
    name: str
    stake: Stake | None = None
    warnings: int = 0


class Seat(msgspec.Struct, frozen=True):
    """The public state of a seat.

    offered: the characters that were dealt, of which the player chooses one.
    life: life points. A player in play with none may still be saved; the table is asked.
    passive: whether the player has left, so that their turns are skipped.
    role: None until it is public.
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
    """An elimination.

    by: the killer, or None if there is none or it isn't known.
    turn: the seat whose turn it was.
    effect: number of the card or turn start that caused it, from 1; victims of one card have the same.
    """

    seat: SeatNo
    by: SeatNo | None
    turn: SeatNo
    effect: int
    cause: Cause
    role: Role


class Revolution(msgspec.Struct, frozen=True):
    """A Revolution. ``after`` is the number of eliminations up to then."""

    seat: SeatNo
    after: int


class Comeback(msgspec.Struct, frozen=True):
    """An eliminated player's return. ``after`` is the number of eliminations up to then."""

    seat: SeatNo
    after: int
    card: EventCard


class Abandonment(msgspec.Struct, frozen=True):
    """A player's departure from a game, in which their character stays."""

    seat: SeatNo
    after_eliminations: int
    ejected: bool = False


class Penalty(msgspec.Struct, frozen=True):
    """A player's warning or ejection by the judge.

    offence: None in older logs, and for ejections at the station.
    """

    seat: SeatNo
    offence: Offence | None = None
    reason: str = ""


class Agreement(msgspec.Struct, frozen=True):
    """The seats that have agreed with the ending or disputed it, and those whose answer the judge waived."""

    agreed: tuple[SeatNo, ...] = ()
    disputed: tuple[SeatNo, ...] = ()
    waived: tuple[SeatNo, ...] = ()


class RecordedClock(msgspec.Struct, frozen=True):
    """The judge's changes to the clock at one table.

    paused_at_s: the time left when the current pause began, or None if not paused.
    paused_s: total length of finished pauses.
    doubts: how often the terminal has asked the station for the time left.
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
        """The seconds that this table has more than the hall's clock: extensions and finished pauses."""
        return Seconds(self.paused_s + sum(self.extensions))


class GameState(msgspec.Struct, frozen=True):
    """The state of a game.

    seats: by seat number, index 0 is seat 1.
    turn: the seat whose turn it is, or None before the first one.
    turns: turns started so far.
    is_turn_unknown: in light mode, turns are not recorded yet.
    reshuffled_at: the value of ``turns`` at the last reshuffle.
    pending: seats in play with no life points, in the order in which they lost the last one; the table is
        asked about them.
    high_noon_question: High Noon took that point from one of them (only one at a time is possible).
    passed: seats whose turns ended without anybody entering it, unless marked as skipped since.
    doubtful: those of them from whom High Noon would have taken the last point; the table is asked.
    doubtful_from: number of eliminations before those turns.
    wounded: seats for which the table has entered lost points since this turn started.
    effects: number of cards and turn starts whose eliminations are complete.
    turns_played: by seat, turns that the player actually played.
    auction: None if characters are not auctioned.
    duel: None for a game with roles.
    sheriff: the current Sheriff's seat.
    rebel: the seat that showed the Rebel!.
    revolution_question: the seat that eliminated the Sheriff and must show whether it is the Rebel!.
    revolution_turn: number of the turn with which a Revolution began, or 0 if there was none.
    last_out_turn: number of the last turn with an elimination, or 0 if there was none.
    event_card: the card in effect.
    ghost: the eliminated player whose turn it is.
    hits_by_leavers: seats asked about their last life point, each with an attacker who has left since.
    call_reason: the reason for the open call, or None until the table gives one.
    ruled: the judge's decision at the time limit, in the judge's words.
    agreement: the players' answers on the current ending; reset by anything that changes the game.
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
