"""The state of a duel: a pure fold over its events."""

import enum

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.characters import Character, life_points
from core.terms import MatchKind, SeatNo

BETTER_PLACED = SeatNo(1)
"""The seat of the player who was placed better in the rounds."""
OTHER_PLACED = SeatNo(2)

CHARACTERS = {MatchKind.LONG_DUEL: 5, MatchKind.SHORT_DUEL: 8}
"""Number of characters of each player."""

_TO_WIN = 5
_AHEAD = 2

TURNED_UP = 10
"""Number of face-up characters before a long duel. Source: Championship 2010 v1.1, 1.2."""


class DuelPhase(enum.Enum):
    """The phases of a duel."""

    FACE_UP = "face-up"
    """In a long duel, the judge turns up the characters."""
    CHOICE = "choice"
    """In a long duel, the better placed player chooses to pick first or to start."""
    DRAFT = "draft"
    """In a long duel, the players pick characters in turn."""
    LINES = "lines"
    """In a long duel, each player turns up the top two characters of their pile, a front and a rear one."""
    OPENING = "opening"
    """In a short duel, each player turns up their first character, and a lot decides the starter."""
    PLAYING = "playing"
    WON = "won"


class DuelBecause(enum.Enum):
    """The rule that decided a duel; the value is its label."""

    ELIMINATIONS = "enough characters of the opponent are out"
    OPPONENT_LEFT = "the opponent left"
    OPPONENT_EJECTED = "the judge sent the opponent away"
    RULING = "the judge named the winner"


class Advantage(enum.Enum):
    """The better placed player's choice. The opponent gets the other one."""

    PICK_FIRST = "pick_first"
    START = "start"


class Remedy(enum.Enum):
    """The source of a regained life point."""

    BEER = "beer"
    OTHER = "other"
    """A Saloon or Sid Ketchum's ability."""


class Fighter(msgspec.Struct, frozen=True):
    """A character in play and its life points."""

    character: Character
    life: int
    max_life: int


class Side(msgspec.Struct, frozen=True):
    """One player's side of a duel.

    shown: characters that entered so far, in order.
    front: the front character, which is the only one in a short duel.
    carried: excess wounds of the previous character, with which the next one enters.
    jailed: the character that can't be in front this turn.
    """

    seat: SeatNo
    picks: tuple[Character, ...] = ()
    shown: tuple[Character, ...] = ()
    lost: tuple[Character, ...] = ()
    front: Fighter | None = None
    rear: Fighter | None = None
    carried: int = 0
    jailed: Character | None = None

    @property
    def in_play(self) -> tuple[Fighter, ...]:
        return tuple(fighter for fighter in (self.front, self.rear) if fighter is not None)

    def fighter(self, character: Character) -> Fighter | None:
        return next((fighter for fighter in self.in_play if fighter.character is character), None)


class DuelState(msgspec.Struct, frozen=True):
    """The state of a duel.

    sides: seat 1, the better placed player, then seat 2.
    picks_first, starter: None until chosen or drawn.
    turn: the seat whose turn it is, or None before the first one.
    may_choose_line: whether that player may still choose their front character.
    """

    kind: MatchKind
    phase: DuelPhase
    sides: tuple[Side, Side]
    face_up: tuple[Character, ...] = ()
    picks_first: SeatNo | None = None
    starter: SeatNo | None = None
    turn: SeatNo | None = None
    may_choose_line: bool = False
    winner: SeatNo | None = None
    because: DuelBecause | None = None
    ruling: str = ""

    def side(self, seat: SeatNo) -> Side:
        return self.sides[seat - 1]

    @property
    def score(self) -> tuple[int, int]:
        """The number of characters that seat 1 has eliminated, then the number for seat 2."""
        first, second = self.sides
        return len(second.lost), len(first.lost)

    @property
    def picker(self) -> SeatNo | None:
        """The seat that picks next, or None outside the draft."""
        if self.phase is not DuelPhase.DRAFT or self.picks_first is None:
            return None
        picked = sum(len(side.picks) for side in self.sides)
        return self.picks_first if picked % 2 == 0 else opponent_of(self.picks_first)

    @property
    def free(self) -> tuple[Character, ...]:
        picked = {character for side in self.sides for character in side.picks}
        return tuple(character for character in self.face_up if character not in picked)

    def reserve(self, seat: SeatNo) -> int:
        return CHARACTERS[self.kind] - len(self.side(seat).shown)

    def may_enter(self, seat: SeatNo) -> tuple[Character, ...]:
        """Return the characters that may still be in a seat's pile, judging by those shown so far."""
        if self.kind is MatchKind.LONG_DUEL:
            side = self.side(seat)
            return tuple(character for character in side.picks if character not in side.shown)
        seen = {character for side in self.sides for character in side.shown}
        return tuple(character for character in Character if character not in seen)

    def entering(self, seat: SeatNo) -> int:
        """Return the number of characters that a seat must bring into play now."""
        if self.phase not in {DuelPhase.OPENING, DuelPhase.PLAYING}:
            return 0
        places = 2 if self.kind is MatchKind.LONG_DUEL else 1
        return min(self.reserve(seat), places - len(self.side(seat).in_play))


def duel_at_start(kind: MatchKind) -> DuelState:
    """Return a new duel of a kind, which is LONG_DUEL or SHORT_DUEL."""
    is_long = kind is MatchKind.LONG_DUEL
    return DuelState(
        kind=kind,
        phase=DuelPhase.FACE_UP if is_long else DuelPhase.OPENING,
        sides=(Side(BETTER_PLACED), Side(OTHER_PLACED)),
    )


def opponent_of(seat: SeatNo) -> SeatNo:
    return OTHER_PLACED if seat == BETTER_PLACED else BETTER_PLACED


def winner_by_score(kind: MatchKind, score: tuple[int, int]) -> SeatNo | None:
    """Return the seat that has won with this score, or None while the duel goes on.

    ``score`` counts the characters eliminated by seat 1 and by seat 2. A long duel takes all five. A short
    one takes five and a lead of two: 6, 7 or 8 against four, five or six, as there are only eight.
    Source: Championship 2010 v1.1, 1.2.
    """
    first, second = score
    if _has_won(kind, first, second):
        return BETTER_PLACED
    return OTHER_PLACED if _has_won(kind, second, first) else None


def _has_won(kind: MatchKind, own: int, other: int) -> bool:
    if own >= CHARACTERS[kind]:
        return True
    return kind is MatchKind.SHORT_DUEL and own >= _TO_WIN and own - other >= _AHEAD


def with_entry(side: Side, character: Character) -> Side:
    """Return the side with a new character in play, in front if it is the only one, else at the rear."""
    most = life_points(character)
    fighter = Fighter(character, most - side.carried, most)
    entered = replace(side, shown=(*side.shown, character), carried=0)
    if side.front is None:
        return replace(entered, front=fighter)
    return replace(entered, rear=fighter)


def with_life(side: Side, character: Character, points: int) -> Side:
    """Return the side with a character's life points changed. Raises BadData if it isn't in play."""
    if side.front is not None and side.front.character is character:
        return replace(side, front=replace(side.front, life=side.front.life + points))
    if side.rear is not None and side.rear.character is character:
        return replace(side, rear=replace(side.rear, life=side.rear.life + points))
    raise BadData("game log", f"{character.value} is not in play at seat {side.seat}")


def without_character(side: Side, character: Character, excess: int) -> Side:
    """Return the side without an eliminated character; any remaining one moves to the front."""
    left = [fighter for fighter in side.in_play if fighter.character is not character]
    return replace(
        side,
        front=left[0] if left else None,
        rear=None,
        lost=(*side.lost, character),
        carried=side.carried + excess,
        jailed=None if side.jailed is character else side.jailed,
    )


def recorded_side(duel: DuelState, seat: SeatNo) -> Side:
    """Return the side of a seat named by an event. Raises BadData if duels don't have that seat."""
    if seat not in {BETTER_PLACED, OTHER_PLACED}:
        raise BadData("game log", f"there is no seat {seat} in a duel")
    return duel.side(seat)


def with_side(duel: DuelState, side: Side) -> DuelState:
    first, second = duel.sides
    return replace(duel, sides=(side, second) if side.seat == BETTER_PLACED else (first, side))
