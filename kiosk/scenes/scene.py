"""The interface of scenes, with their input (SceneContext) and output (Reply)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Protocol, runtime_checkable

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
    return ring_layout(glass, seats) if layout is Layout.RING else keeper_layout(glass, seats)


@lru_cache(maxsize=16)
def life_spots_by_seat(glass: ScreenGeometry, seats: int, layout: Layout) -> tuple[LifeSpots, ...]:
    places = table_layout(glass, seats, layout)
    return tuple(life_spots(glass, places, seat) for seat in range(1, seats + 1))


class LifePointsChange(msgspec.Struct, frozen=True):
    """A recent change of the life points of a seat, or of a character in a duel, shown until ``until_ms``."""

    seat: SeatNo
    points: int
    until_ms: int
    character: Character | None = None


class SceneContext(msgspec.Struct, frozen=True):
    """Everything that a scene is drawn from: the table, the screen, and the texts of a language.

    words: the texts in the language of the player at ``spoken_to``, or of the table if that is None.
    speech: returns the texts of a language.
    quarter_turns: how far pages are turned to face their reader.
    can_rotate: whether pages have a button that turns them, as a judge may stand at any side.
    types: measures texts.
    """

    table: TableView
    glass: ScreenGeometry
    words: Words
    changes: tuple[LifePointsChange, ...] = ()
    speech: Callable[[str], Words] = words_in
    spoken_to: SeatNo | None = None
    quarter_turns: int = 0
    can_rotate: bool = False
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
        return () if self.table.timeline is None else self.table.timeline.moments

    @property
    def ring(self) -> TableLayout:
        return table_layout(self.glass, len(self.game.seats), self.table.preferences.layout)

    @property
    def has_duel(self) -> bool:
        return self.table.game is not None and self.table.game.duel is not None

    def is_in(self, *phases: Phase) -> bool:
        """Return whether there is a game in one of these phases."""
        return self.table.game is not None and self.game.phase in phases

    def life_spots_of(self, seat: SeatNo) -> LifeSpots:
        seats, layout = len(self.game.seats), self.table.preferences.layout
        return life_spots_by_seat(self.glass, seats, layout)[seat - 1]

    @property
    def shared_words(self) -> Words:
        """The texts in the table's language, as for the middle and the status strip."""
        return self.speech(self.table.language)

    def words_for(self, seat: SeatNo) -> Words:
        """Return the texts in the language that a seat's player has chosen, or in the table's."""
        chosen = self.table.preferences.language_of(self.game.tournament, self.seat(seat).player)
        return self.speech(chosen or self.table.language)

    def is_learning(self, seat: SeatNo) -> bool:
        """Return whether the player at a seat is new to BANG!, for a few turns."""
        played = self.game.turns_played[seat - 1] if self.game.turns_played else 0
        return self.table.preferences.is_learning(self.game.game, seat, played)

    def in_language_of(self, seat: SeatNo) -> "SceneContext":
        """Return a copy for blocks in the language of a seat's player, turned towards them."""
        turns = self.ring.places[seat - 1].quarter_turns
        return msgspec.structs.replace(self, words=self.words_for(seat), spoken_to=seat, quarter_turns=turns)

    def for_turn_player(self) -> "SceneContext":
        """Return a copy for a middle in the language of the player in turn, turned towards them.

        Nothing changes if the turn is unknown or its player has left, or in the keeper's layout, where one
        person reads for all.
        """
        turn = None if self.game.is_turn_unknown else self.game.turn
        if turn is None or self.table.preferences.layout is Layout.KEEPER:
            return self
        seat = self.seat(turn)
        return self.in_language_of(turn) if seat.in_play and not seat.passive else self

    def for_table(self, facing: int | None = None) -> "SceneContext":
        """Return a copy for pages that everybody may read.

        They face the place from which they were opened, which is turned by ``facing`` quarter turns, or the
        bottom of the screen, or seat 1 if nobody sits there.
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
        """Convert a type size to pixels, which some themes enlarge."""
        return self.glass.mm(millimetres * TYPE_SCALES[self.table.preferences.theme])

    @property
    def legible_px(self) -> int:
        """The smallest size in pixels of text that must be readable."""
        return self.glass.mm(LEGIBLE_MM)

    def seat(self, seat: SeatNo) -> Seat:
        return self.game.seats[seat - 1]

    def allows(self, command: GameCommand) -> bool:
        """Return whether there is a game whose rules allow a command now."""
        return self.table.game is not None and self.why_not(command) is None

    def seats_for(self, command: Callable[[SeatNo], GameCommand]) -> tuple[Seat, ...]:
        """Return the seats for which the rules allow a command now."""
        seats = () if self.table.game is None else self.game.seats
        return tuple(seat for seat in seats if self.allows(command(seat.seat)))

    def why_not(self, command: GameCommand) -> Refused | None:
        return why_not(self.game, command, self.edition, may_undo=self.table.may_undo)


class Reply(msgspec.Struct, frozen=True):
    """The effects of a touch.

    intents: requests to the app.
    becomes: a scene to show instead of this one.
    opens: a scene to open on top.
    closes: close this scene.
    leaves: close all opened scenes, as after a judge's action.
    rotates: turn the opened scenes towards the next side of the table.
    """

    intents: tuple[Intent, ...] = ()
    becomes: "Scene | Page | None" = None
    opens: "Scene | Page | None" = None
    closes: bool = False
    leaves: bool = False
    rotates: bool = False


CLOSE: Final = Reply(closes=True)


class OnTouch(Action):
    """The action of a button: the reply to its touch, or a scene that it opens."""

    __slots__ = ("reply",)

    def __init__(self, effect: "Effect") -> None:
        self.reply = effect if isinstance(effect, Reply) else Reply(opens=effect)


class Scene(Protocol):
    """A picture of the screen at a moment. Its buttons carry the replies to their touches."""

    @property
    def name(self) -> str:
        """The scene's name, as seen by programs that watch the terminal."""

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Return the blocks to draw, which depend only on the arguments and the scene's state."""

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the scene may stay open."""


Effect = Reply | Scene | Page
"""The effect of a button: a reply, or a scene to open on top."""


@runtime_checkable
class PointerListener(Protocol):
    """A scene that gets all touch events, not only the touches of its buttons."""

    def on_pointer(self, pointer: Pointer, stage: SceneContext) -> Reply:
        """Return the reply to a finger that goes down, moves or goes up."""


def command_reply(command: GameCommand, *, closes: bool = False) -> Reply:
    return Reply(intents=(AskGame(command),), closes=closes)


def prefer_reply(stage: SceneContext, **changes: object) -> Reply:
    """Return the reply that changes preferences to new values, given by name."""
    return Reply(intents=(ChangePreferences(msgspec.structs.replace(stage.table.preferences, **changes)),))
