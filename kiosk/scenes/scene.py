"""What every scene is, and what it is given."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.game.characters import Character
from saloon.core.game.commands import GameCommand
from saloon.core.game.decide import why_not
from saloon.core.game.duel.state import DuelState
from saloon.core.game.state import GameState, Seat
from saloon.core.terms import SeatNo
from saloon.kiosk.i18n import Words, words_in
from saloon.kiosk.intents import AskGame, Intent, Prefer
from saloon.kiosk.pointer import Pointer
from saloon.kiosk.table_view import TableView
from saloon.kiosk.ui.geometry import Glass
from saloon.kiosk.ui.layouts import places_of, spots_of
from saloon.kiosk.ui.life_spots import LifeSpots
from saloon.kiosk.ui.parts import Block
from saloon.kiosk.ui.ring import Ring


class Change(msgspec.Struct, frozen=True):
    """Life points that a seat, or a character in a duel, lost or won just now; shown until a moment."""

    seat: SeatNo
    points: int
    until_ms: int
    character: Character | None = None


class Stage(msgspec.Struct, frozen=True):
    """All that a scene may show: the table, the glass it stands on, the words of its language.

    words: of whoever is spoken to; the table's until a seat is. speech: the words of a language.
    """

    table: TableView
    glass: Glass
    words: Words
    changes: tuple[Change, ...] = ()
    speech: Callable[[str], Words] = words_in
    spoken_to: SeatNo | None = None

    @property
    def game(self) -> GameState:
        """The game; only scenes of a game may ask."""
        assert self.table.game is not None
        return self.table.game

    @property
    def duel(self) -> DuelState:
        """The duel; only scenes of a duel may ask."""
        assert self.game.duel is not None
        return self.game.duel

    @property
    def edition(self) -> Edition:
        """The rules of the game; only scenes of a game may ask."""
        assert self.table.edition is not None
        return self.table.edition

    @property
    def ring(self) -> Ring:
        """The places of the game's seats, as the terminal lies."""
        return places_of(self.glass, len(self.game.seats), self.table.preferences.layout)

    def spots(self, seat: SeatNo) -> LifeSpots:
        """Where plus, minus and the life points lie on a seat's card."""
        seats, layout = len(self.game.seats), self.table.preferences.layout
        return spots_of(self.glass, seats, layout)[seat - 1]

    @property
    def shared_words(self) -> Words:
        """The words of what all share: the middle, the strip."""
        return self.speech(self.table.language)

    def words_for(self, seat: SeatNo) -> Words:
        """The words of the player of a seat: of the own language, or the table's."""
        game = self.table.game
        if game is None:
            return self.shared_words
        player = game.seats[seat - 1].player
        chosen = self.table.preferences.language_of(game.tournament, player)
        return self.speech(chosen or self.table.language)

    def spoken_by(self, seat: SeatNo) -> "Stage":
        """The same stage in the words of the player of a seat, for what is turned to that player."""
        return msgspec.structs.replace(self, words=self.words_for(seat), spoken_to=seat)

    def mm(self, millimetres: float) -> int:
        """So many millimetres in pixels."""
        return self.glass.mm(millimetres)

    def seat(self, seat: SeatNo) -> Seat:
        """A seat of the game."""
        return self.game.seats[seat - 1]

    def allows(self, command: GameCommand) -> bool:
        """Whether the rules accept a command now."""
        return why_not(self.game, command, self.edition, may_undo=self.table.may_undo) is None


class Reply(msgspec.Struct, frozen=True):
    """What follows from a touch. becomes: the scene instead of this one. opens: one on top of it.

    leaves: all that fingers had opened closes, as after something that the judge has done.
    """

    intents: tuple[Intent, ...] = ()
    becomes: "Scene | None" = None
    opens: "Scene | None" = None
    closes: bool = False
    leaves: bool = False


class Scene(Protocol):
    """One picture of the table and what can be touched on it."""

    @property
    def name(self) -> str:
        """Its name for everybody who looks at the terminal from outside."""

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What is shown; pure."""

    def pressed(self, target: str, stage: Stage) -> Reply:
        """What a touch of one of its targets asks for."""

    def still_holds(self, stage: Stage) -> bool:
        """Whether it may stay open on the table as it is now."""


class OfTheMoment:
    """A scene that is chosen anew for every moment: as long as it is chosen, it holds."""

    def still_holds(self, stage: Stage) -> bool:
        """Always."""
        del stage
        return True


def speaks(stage: Stage, language: str, *, closes: bool = False) -> Reply:
    """The reply that changes the language of the terminal."""
    chosen = msgspec.structs.replace(stage.table.preferences, language=language)
    return Reply(intents=(Prefer(chosen),), closes=closes)


@runtime_checkable
class Feels(Protocol):
    """A scene that wants to know of each finger, besides what its buttons tell."""

    def felt(self, pointer: Pointer, stage: Stage) -> Reply:
        """What a finger that came, moved or went asks for."""


def asks(command: GameCommand) -> Reply:
    """The reply that asks the game."""
    return Reply(intents=(AskGame(command),))


def judged(command: GameCommand, done: str) -> Reply:
    """The reply that asks the game in the judge's name, leaves the menu and says what was done."""
    return Reply(intents=(AskGame(command, done),), leaves=True)


def seat_in(target: str) -> SeatNo:
    """The seat that a target names: ``seat-3-plus``, ``by-seat-3``."""
    after = target.split("seat-", 1)[1]
    return SeatNo(int(after.split("-", 1)[0]))
