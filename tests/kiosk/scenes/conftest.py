from collections.abc import Callable
from functools import cache

import msgspec
import pygame
import pytest

from base.errors import Refused
from core.game.state.game import GameState
from kiosk.i18n import Words, words_in
from kiosk.preferences import Layout, Theme
from kiosk.rehearsal.seen import Seen, SeenTarget
from kiosk.scenes.scene import OnTouch, Reply, Scene, SceneContext
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.story import describe_undone
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Block, Typeface
from kiosk.ui.geometry import Rect, ScreenGeometry, screen_geometry_for
from kiosk.ui.shaping import PLAIN, TextRun
from kiosk.ui.text import Typesetter
from kiosk.view.intents import AskGame, DismissNotice
from kiosk.view.table_view import TableView
from tests.scenarios.duel_moments import DuelTable
from tests.scenarios.moments import Moment, Table

GLASSES = {
    f"{width}x{height}": screen_geometry_for((width, height))
    for width, height in ((800, 480), (1280, 720), (1024, 600), (720, 1280))
}


class Hand:
    """A simulated finger on a screen, with its own clock."""

    def __init__(self, screen: TableScreen, now_ms: int = 10_000) -> None:
        self.screen = screen
        self.now_ms = max(now_ms, screen._now_ms)
        self.intents: list[object] = []

    def touch(self, *targets: str, view: TableView | None = None) -> None:
        """Touch or hold targets. view: shown again after each."""
        for target in targets:
            button = next(t for t in self.screen.targets() if t.id == target)
            assert button.enabled, target
            x, y = button.rect[0] + button.rect[2] // 2, button.rect[1] + button.rect[3] // 2
            self.now_ms += 1_050
            self.intents += self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms))
            self.now_ms += max(50, button.hold_ms)
            self.intents += self.screen.advance(self.now_ms)
            self.intents += self.screen.pointer(Pointer(1, PointerPhase.UP, x, y, self.now_ms))
            if view is not None:
                self.screen.update(view)


def hand_on(view: TableView, glass: ScreenGeometry = GLASSES["800x480"]) -> Hand:
    """Return a finger on a screen with this view."""
    screen = TableScreen(glass, failsafe=False)
    screen.update(view)
    return Hand(screen)


class Played:
    """A table whose touches are carried out by the rules; refusals become notices, as in the terminal.

    seen: values of the view that the table doesn't know, such as ``judge_present``.
    """

    def __init__(
        self, table: Table | DuelTable, glass: ScreenGeometry = GLASSES["800x480"], **seen: object
    ) -> None:
        self.table, self.seen = table, seen
        self.hand = hand_on(msgspec.structs.replace(table.view(), **seen), glass)
        self.screen = self.hand.screen

    @property
    def state(self) -> GameState:
        return self.table.state

    def show(self, **seen: object) -> None:
        self.seen |= seen
        self.screen.update(msgspec.structs.replace(self.table.view(), **self.seen))

    def touch(self, *targets: str) -> None:
        for target in targets:
            self.hand.intents.clear()
            self.hand.touch(target)
            for intent in self.hand.intents:
                self._carry_out(intent)
            self.show()

    def _carry_out(self, intent: object) -> None:
        match intent:
            case AskGame(command=command):
                try:
                    self.table.do(command)
                except Refused as refusal:
                    self.seen["notice"] = words_in("en").refusal(refusal)
            case DismissNotice():
                self.seen["notice"] = ""
            case _:
                pytest.fail(f"nobody asked for {intent}")

    def offers(self, target: str) -> bool:
        return any(button.id == target and button.enabled for button in self.screen.targets())

    def see(self) -> Seen:
        """Return what a simulated player sees."""
        targets = tuple(SeenTarget(t.id, t.label, t.enabled, t.hold_ms) for t in self.screen.targets())
        return Seen(self.screen.scene_name(), targets)


def intents_of(hand: Hand) -> list[object]:
    """Return the requests made so far: game commands and others."""
    return [intent.command if isinstance(intent, AskGame) else intent for intent in hand.intents]


def touch(scene: Scene, target: str, stage: SceneContext) -> Reply:
    """Return the reply of the button with this target."""
    action = next(b.action for block in scene.view(stage) for b in block.buttons if b.id == target)
    assert isinstance(action, OnTouch), target
    return action.reply


class Unpainted:
    """A painter that paints nothing, for tests that don't look at the picture."""

    def set_palette(self, palette: object) -> None:
        del palette

    def invalidate(self) -> None:
        pass

    def paint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:
        del blocks
        return ()


_WIDTHS: dict[tuple[str, Typeface, int], int] = {}
"""Shared by all tests, as measuring text takes most of the layout's time."""


class WidthsKept(Typesetter):
    """A typesetter that measures no text twice, shared by all screens of a size."""

    def font(self, face: Typeface, size_px: int, run: TextRun = PLAIN) -> pygame.font.Font:
        if not self._fonts:
            # Fonts don't outlive pygame, which tests of whole terminals end.
            pygame.register_quit(self._fonts.clear)
            pygame.font.init()
        return super().font(face, size_px, run)

    def width(self, text: str, face: Typeface, size_px: int) -> int:
        key = (text, face, size_px)
        width = _WIDTHS.get(key)
        if width is None:
            width = _WIDTHS[key] = super().width(text, face, size_px)
        return width


@cache
def types_for(glass: ScreenGeometry) -> Typesetter:
    """Return the typesetter shared by all screens of a size."""
    del glass
    return WidthsKept()


@cache
def _never_painted(glass: ScreenGeometry) -> pygame.Surface:
    return pygame.Surface(glass.panel_size, depth=32)


def laid_out(
    glass: ScreenGeometry,
    moment: Moment,
    language: str = "en",
    layout: Layout = Layout.RING,
    speech: Callable[[str], Words] = words_in,
) -> TableScreen:
    """Return a screen at a moment with its pages opened, never painted, in either layout."""
    screen = TableScreen(glass, surface=_never_painted(glass), failsafe=False, speech=speech)
    screen._painter = Unpainted()  # type: ignore[assignment]
    screen._types = types_for(glass)
    preferences = msgspec.structs.replace(moment.view.preferences, layout=layout)
    undone = describe_undone(moment.view.timeline, speech(language))
    view = msgspec.structs.replace(moment.view, language=language, taken_back=undone, preferences=preferences)
    return opened(screen, view, moment)


def opened(screen: TableScreen, view: TableView, moment: Moment) -> TableScreen:
    """Return the screen with this view and the pages that the moment's touches open."""
    if moment.trouble is not None:
        screen.show_trouble(moment.trouble)
    screen.update(view)
    Hand(screen).touch(*moment.touches, view=view)
    return screen


Show = Callable[..., TableScreen]


@pytest.fixture(scope="session")
def show() -> Show:
    """Return a factory of screens at a moment with its pages opened."""

    def laid_out_screen(glass: ScreenGeometry, moment: Moment, language: str = "en") -> TableScreen:
        view = msgspec.structs.replace(moment.view, language=language)
        return opened(TableScreen(glass, failsafe=False), view, moment)

    return laid_out_screen


def context_of(
    view: TableView,
    glass: ScreenGeometry,
    language: str = "en",
    layout: Layout = Layout.RING,
    theme: Theme = Theme.DAY,
) -> SceneContext:
    """Return what one scene draws from, in a language and a look; measured widths are kept."""
    preferences = msgspec.structs.replace(view.preferences, layout=layout, theme=theme)
    undone = describe_undone(view.timeline, words_in(language))
    view = msgspec.structs.replace(view, language=language, taken_back=undone, preferences=preferences)
    return SceneContext(view, glass, words_in(language), types=types_for(glass))


def middle_of(scene: Scene, context: SceneContext) -> Block:
    return next(block for block in scene.view(context) if block.id == "middle")
