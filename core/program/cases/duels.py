"""Cases of duels: scores, wounds that carry over, places, and the draft."""

import enum
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData, Refused
from saloon.core.game.characters import Character
from saloon.core.game.duel.commands import (
    DrawStarter,
    DuelCommand,
    EnterCharacter,
    HealCharacter,
    PickCharacter,
    ShowLine,
    TakeAdvantage,
    TurnUpCharacters,
    WoundCharacter,
)
from saloon.core.game.duel.decide import decide_duel
from saloon.core.game.duel.ending import BETTER_PLACED, CHARACTERS, OTHER_PLACED
from saloon.core.game.duel.evolve import evolve_duel
from saloon.core.game.duel.fight import left
from saloon.core.game.duel.state import Advantage, DuelState, Fighter, Remedy, duel_at_start
from saloon.core.game.match import MatchKind
from saloon.core.program.files import decoded
from saloon.core.program.vectors import Vector
from saloon.core.terms import SeatNo


class Player(enum.Enum):
    """How the cases name the players; A is the better placed one."""

    A = "A"
    B = "B"

    @property
    def seat(self) -> SeatNo:
        """The seat of the player."""
        return BETTER_PLACED if self is Player.A else OTHER_PLACED


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    player: Player


class Hit(_Event, frozen=True, tag="hit"):
    """The active character is wounded."""

    amount: int


class Heal(_Event, frozen=True, tag="heal"):
    """The active character is healed, as far as its maximum."""

    amount: int


class BeerAsHeal(_Event, frozen=True, tag="beer_as_heal"):
    """A Beer is played to heal."""


class Withdraw(_Event, frozen=True, tag="withdraw"):
    """The player leaves."""


Event = Hit | Heal | BeerAsHeal | Withdraw


class ShortDuel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short duel with its piles as they lie, the top first."""

    pile_A: tuple[Character, ...]  # noqa: N815 (the cases' own key)
    pile_B: tuple[Character, ...]  # noqa: N815
    events: tuple[Event, ...]


class Pick(msgspec.Struct, frozen=True):
    """A pick of the draft."""

    player: Player
    character: Character


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The draft of a long duel."""

    offered: tuple[Character, ...]
    better_placed: Player
    choice: Advantage
    picks: tuple[Pick, ...]


class Eliminated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character of the pile is out."""

    eliminated: Character


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player's five in a long duel, and who of them falls."""

    pile: tuple[Character, ...]
    front: Character
    rear: Character
    events: tuple[Eliminated, ...]


def short_duel(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """The duel after each event: score, who is active with what life, and the winner."""
    given = decoded(vector.input, ShortDuel, f"{where}, input")
    piles = (given.pile_A, given.pile_B)
    if any(len(set(pile)) != CHARACTERS[MatchKind.SHORT_DUEL] for pile in piles):
        raise BadData(f"{where}, input", "each pile needs eight different characters")
    duel = _turned_up(duel_at_start(MatchKind.SHORT_DUEL), piles, edition)
    # Turns do not matter to these cases, but somebody must start.
    duel = _after(duel, DrawStarter(BETTER_PLACED), edition)
    states = []
    for number, event in enumerate(given.events, start=1):
        found = _told(duel, event, edition)
        if found is not None:
            duel = _turned_up(found, piles, edition)
        states.append(_short_state(number, duel, accepted=found is not None))
    return {"states": states, "winner": _winner(duel)}


def long_duel(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """A draft, or one player's line while its characters fall."""
    keys = decoded(vector.input, dict[str, msgspec.Raw], f"{where}, input")
    if "offered" in keys:
        return _drafted(decoded(vector.input, Draft, f"{where}, input"), edition)
    return _fallen(decoded(vector.input, Line, f"{where}, input"), edition, where)


def _told(duel: DuelState, event: Event, edition: Edition) -> DuelState | None:
    """The duel after an event of a case; None where the rules refuse it."""
    seat = event.player.seat
    active = duel.side(seat).front
    try:
        if isinstance(event, Withdraw):
            for happened in left(duel, seat, ejected=False):
                duel = evolve_duel(duel, happened)
            return duel
        if active is None:
            return None
        match event:
            case Hit(amount=amount):
                return _after(duel, WoundCharacter(seat, active.character, amount), edition)
            case BeerAsHeal():
                return _after(duel, HealCharacter(seat, active.character, remedy=Remedy.BEER), edition)
            case Heal(amount=amount):
                return _healed(duel, seat, active, amount, edition)
    except Refused:
        return None


def _healed(duel: DuelState, seat: SeatNo, active: Fighter, amount: int, edition: Edition) -> DuelState:
    """A Saloon may be played at full life: what is too much does nothing."""
    points = min(amount, active.max_life - active.life)
    if not points and duel.winner is None:
        return duel
    return _after(duel, HealCharacter(seat, active.character, points), edition)


def _turned_up(duel: DuelState, piles: Sequence[tuple[Character, ...]], edition: Edition) -> DuelState:
    for seat in (BETTER_PLACED, OTHER_PLACED):
        while duel.entering(seat):
            following = piles[seat - 1][len(duel.side(seat).shown)]
            duel = _after(duel, EnterCharacter(seat, following), edition)
    return duel


def _short_state(number: int, duel: DuelState, *, accepted: bool) -> Mapping[str, object]:
    fronts = [side.front for side in duel.sides]
    return {
        "after": number,
        "accepted": accepted,
        "kills": duel.score,
        "active": [None if front is None else front.character.value for front in fronts],
        "life": [0 if front is None else front.life for front in fronts],
        "winner": _winner(duel),
    }


def _winner(duel: DuelState) -> str | None:
    if duel.winner is None:
        return None
    return "A" if duel.winner == BETTER_PLACED else "B"


def _drafted(given: Draft, edition: Edition) -> Mapping[str, object]:
    """The better placed player sits at seat 1, whichever letter the case gives."""
    seats = {player: BETTER_PLACED if player is given.better_placed else OTHER_PLACED for player in Player}
    duel = duel_at_start(MatchKind.LONG_DUEL)
    commands: list[DuelCommand] = [TurnUpCharacters(given.offered), TakeAdvantage(given.choice)]
    commands += [PickCharacter(seats[pick.player], pick.character) for pick in given.picks]
    try:
        for command in commands:
            duel = _after(duel, command, edition)
    except Refused:
        return {"accepted": False}
    return {
        "accepted": True,
        "teams": {
            player.value: [character.value for character in duel.side(seat).picks]
            for player, seat in seats.items()
        },
        "starting_player": next(player.value for player, seat in seats.items() if seat == duel.starter),
    }


def _fallen(given: Line, edition: Edition, where: str) -> Mapping[str, object]:
    others = [character for character in Character if character not in given.pile]
    rivals = tuple(others[: CHARACTERS[MatchKind.LONG_DUEL]])
    if len(set(given.pile)) != CHARACTERS[MatchKind.LONG_DUEL]:
        raise BadData(f"{where}, input.pile", "a pile has five different characters")
    duel = duel_at_start(MatchKind.LONG_DUEL)
    for command in _set_up(given, rivals):
        duel = _after(duel, command, edition)
    front = duel.side(BETTER_PLACED).front
    states = []
    for event in given.events:
        fighter = duel.side(BETTER_PLACED).fighter(event.eliminated)
        if fighter is None:
            raise BadData(f"{where}, input.events", f"{event.eliminated.value} is not in play")
        duel = _after(duel, WoundCharacter(BETTER_PLACED, fighter.character, fighter.life), edition)
        while duel.entering(BETTER_PLACED):
            reserve = _reserve(given, duel)[0]
            duel = _after(duel, EnterCharacter(BETTER_PLACED, reserve), edition)
        states.append(_line_state(given, duel))
    return {"starting_cards": 0 if front is None else front.max_life, "states": states}


def _set_up(given: Line, rivals: tuple[Character, ...]) -> Iterator[DuelCommand]:
    yield TurnUpCharacters((*given.pile, *rivals))
    yield TakeAdvantage(Advantage.PICK_FIRST)
    for own, other in zip(given.pile, rivals, strict=True):
        yield PickCharacter(BETTER_PLACED, own)
        yield PickCharacter(OTHER_PLACED, other)
    yield ShowLine(BETTER_PLACED, given.front, given.rear)
    yield ShowLine(OTHER_PLACED, rivals[0], rivals[1])


def _reserve(given: Line, duel: DuelState) -> list[Character]:
    shown = duel.side(BETTER_PLACED).shown
    return [character for character in given.pile if character not in shown]


def _line_state(given: Line, duel: DuelState) -> Mapping[str, object]:
    side = duel.side(BETTER_PLACED)
    fields: dict[str, object] = {
        "front": None if side.front is None else side.front.character.value,
        "rear": None if side.rear is None else side.rear.character.value,
        "reserve": [character.value for character in _reserve(given, duel)],
    }
    if duel.winner == OTHER_PLACED:
        fields["duel_lost"] = True
    return fields


def _after(duel: DuelState, command: DuelCommand, edition: Edition) -> DuelState:
    for event in decide_duel(duel, command, edition):
        duel = evolve_duel(duel, event)
    return duel
