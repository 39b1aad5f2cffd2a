"""The interface of scenes, with their input (SceneContext) and output (Reply)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Protocol, assert_never, runtime_checkable

import msgspec

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.game.decide import GameCommand, why_not
from core.game.state.duel import DuelState
from core.game.state.game import GameState, Phase, Seat
from core.game.timeline import Moment
from core.terms import SeatNo
from kiosk.i18n import Words, words_in
from kiosk.preferences import Layout
from kiosk.scenes.pages import Page
from kiosk.touch import Pointer
from kiosk.ui.blocks import Action, Block
from kiosk.ui.geometry import ScreenGeometry
from kiosk.ui.table_layout import LifeSpots, TableLayout, keeper_layout, life_spots, ring_layout
from kiosk.ui.text import LEGIBLE_MM, Typesetter
from kiosk.view.intents import AskGame, ChangePreferences, Intent
from kiosk.view.table_view import TableView
from kiosk.view.theme import TYPE_SCALES


@lru_cache(maxsize=16)
def table_layout(glass: ScreenGeometry, seats: int, layout: Layout) -> TableLayout:
    """Return the places of 2 to 10 seats in a layout."""
    match layout:
        case Layout.RING:
            return ring_layout(glass, seats)
        case Layout.KEEPER:
            return keeper_layout(glass, seats)
        case _:
            assert_never(layout)


@lru_cache(maxsize=16)
def life_spots_by_seat(glass: ScreenGeometry, seats: int, layout: Layout) -> tuple[LifeSpots, ...]:
    """Return the places of plus, minus and life points on each seat's card, for 2 to 10 seats."""
    ring_layout = table_layout(glass, seats, layout)
    return tuple(life_spots(glass, ring_layout, seat) for seat in range(1, seats + 1))


class LifePointsChange(msgspec.Struct, frozen=True):
    """A recent change of life points of a seat, or of a character in a duel, shown until ``until_ms``."""

    seat: SeatNo
    points: int
    until_ms: int
    character: Character | None = None


class SceneContext(msgspec.Struct, frozen=True):
    """Everything that a scene may show: the table, the screen, and the texts of a language.

    words: the texts in the language of the player at ``spoken_to``, or of the table if it is None.
    speech: returns the texts of a language.
    quarter_turns: how far pages are turned to face their reader.
    types: measures text.
    """

    table: TableView
    glass: ScreenGeometry
    words: Words
    changes: tuple[LifePointsChange, ...] = ()
    speech: Callable[[str], Words] = words_in
    spoken_to: SeatNo | None = None
    quarter_turns: int = 0
    types: Typesetter = msgspec.field(default_factory=Typesetter)

    @property
    def game(self) -> GameState:
        """The game. Only scenes of a game may use it."""
        assert self.table.game is not None
        return self.table.game

    @property
    def duel(self) -> DuelState:
        """The duel. Only scenes of a duel may use it."""
        assert self.game.duel is not None
        return self.game.duel

    @property
    def edition(self) -> Edition:
        """The edition of the game. Only scenes of a game may use it."""
        assert self.table.edition is not None
        return self.table.edition

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The moments of the table's timeline."""
        return () if self.table.timeline is None else self.table.timeline.moments

    @property
    def ring(self) -> TableLayout:
        """The places of the game's seats in the current layout."""
        return table_layout(self.glass, len(self.game.seats), self.table.preferences.layout)

    @property
    def has_duel(self) -> bool:
        return self.table.game is not None and self.table.game.duel is not None

    def is_in(self, *phases: Phase) -> bool:
        """Return whether there is a game and it is in one of these phases."""
        return self.table.game is not None and self.game.phase in phases

    def life_spots_of(self, seat: SeatNo) -> LifeSpots:
        """Return the places of plus, minus and life points on a seat's card."""
        seats, layout = len(self.game.seats), self.table.preferences.layout
        return life_spots_by_seat(self.glass, seats, layout)[seat - 1]

    @property
    def shared_words(self) -> Words:
        """The texts for the shared areas: the middle and the status strip."""
        return self.speech(self.table.language)

    def words_for(self, seat: SeatNo) -> Words:
        """Return the texts in the language of a seat's player, or in the table's language."""
        game = self.table.game
        if game is None:
            return self.shared_words
        player = game.seats[seat - 1].player
        chosen = self.table.preferences.language_of(game.tournament, player)
        return self.speech(chosen or self.table.language)

    def in_language_of(self, seat: SeatNo) -> "SceneContext":
        """Return a copy for blocks turned towards a seat's player, in that player's language."""
        turns = self.ring.places[seat - 1].quarter_turns
        return msgspec.structs.replace(self, words=self.words_for(seat), spoken_to=seat, quarter_turns=turns)

    def for_turn_player(self) -> "SceneContext":
        """Return a copy for a middle turned towards the player in turn, in that player's language.

        Unchanged if the current turn is unknown or that player has left, and in the keeper's layout, where
        one person reads for all.
        """
        turn = None if self.game.is_turn_unknown else self.game.turn
        if turn is None or self.table.preferences.layout is Layout.KEEPER:
            return self
        seat = self.seat(turn)
        return self.in_language_of(turn) if seat.in_play and not seat.passive else self

    def for_table(self, facing: int | None = None) -> "SceneContext":
        """Return a copy for shared pages.

        ``facing`` is the number of quarter turns of the place from which a page was opened. If nobody sits at
        the bottom, as with most tables around an upright screen, pages are turned towards seat 1.
        """
        if self.table.game is None or self.table.edition is None:
            return self
        seated = tuple(place.quarter_turns for place in self.ring.places)
        turns = 0 if self.has_duel or 0 in seated else seated[0]
        return msgspec.structs.replace(self, quarter_turns=(facing or turns) % 4)

    def mm(self, millimetres: float) -> int:
        """Convert millimetres to pixels."""
        return self.glass.mm(millimetres)

    def type_mm(self, millimetres: float) -> int:
        """Convert a type size to pixels; themes with large type enlarge it."""
        return self.glass.mm(millimetres * TYPE_SCALES[self.table.preferences.theme])

    @property
    def legible_px(self) -> int:
        """The smallest size in pixels of text that must be readable."""
        return self.glass.mm(LEGIBLE_MM)

    def seat(self, seat: SeatNo) -> Seat:
        return self.game.seats[seat - 1]

    def allows(self, command: GameCommand) -> bool:
        """Return whether there is a game, and its rules allow a command now."""
        return self.table.game is not None and self.why_not(command) is None

    def seats_for(self, command: Callable[[SeatNo], GameCommand]) -> tuple[Seat, ...]:
        """Return the seats for which the rules allow a command now; empty if there is no game."""
        seats = () if self.table.game is None else self.game.seats
        return tuple(seat for seat in seats if self.allows(command(seat.seat)))

    def why_not(self, command: GameCommand) -> Refused | None:
        """Return why the rules refuse a command now, or None if they allow it."""
        return why_not(self.game, command, self.edition, may_undo=self.table.may_undo)


class Reply(msgspec.Struct, frozen=True):
    """The effects of a touch.

    becomes: a scene that replaces this one.
    opens: a scene on top of it.
    closes: close this scene.
    leaves: close all opened scenes, as after a judge's action.
    rotates: turn opened scenes towards the other side of the table.
    """

    intents: tuple[Intent, ...] = ()
    becomes: "Scene | Page | None" = None
    opens: "Scene | Page | None" = None
    closes: bool = False
    leaves: bool = False
    rotates: bool = False


CLOSE: Final = Reply(closes=True)


class OnTouch(Action):
    """The action of a button: the reply to its touch."""

    __slots__ = ("reply",)

    def __init__(self, reply: Reply) -> None:
        self.reply = reply


class Scene(Protocol):
    """A scene: what the screen shows at a moment. Its buttons carry the replies to their touches."""

    @property
    def name(self) -> str:
        """The scene's name, for programs that observe the terminal."""

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Return the blocks to draw. This is a pure function."""

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the scene may stay open in the current state of the table."""


@runtime_checkable
class PointerListener(Protocol):
    """A scene that receives all touch events, in addition to touches of its buttons."""

    def on_pointer(self, pointer: Pointer, stage: SceneContext) -> Reply:
        """Return the reply to a touch event: down, move or up."""


def command_reply(command: GameCommand, *, closes: bool = False) -> Reply:
    """Return the reply that sends a command to the game. With ``closes``, it also closes the scene."""
    return Reply(intents=(AskGame(command),), closes=closes)


def prefer_reply(stage: SceneContext, **changes: object) -> Reply:
    """Return the reply that changes some preferences. ``changes`` contains the new values by name."""
    return Reply(intents=(ChangePreferences(msgspec.structs.replace(stage.table.preferences, **changes)),))
