"""The time from a touch to the painted and presented picture, without hardware."""

import os
from collections.abc import Sequence

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
import pygame

from bench.figure import Effort, Figure, Measurement, milliseconds, percentile
from kiosk.i18n import Words
from kiosk.scenes.scene import SceneContext
from kiosk.terminal.display.flow import scene_of
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Block, TouchedButton
from kiosk.ui.geometry import ScreenGeometry
from kiosk.ui.painter import Painter
from kiosk.ui.text import Typesetter
from kiosk.view.intents import AskGame
from tests.scenarios.moments import Table

SIZE = (800, 480)
TAPS = 300
_FINGER_MS = 60
_FLOOR = "fill and flip of a bare screen"


class Hand:
    """A simulated finger that alternately takes and gives a life point of seat 2."""

    def __init__(self) -> None:
        pygame.display.init()
        surface = pygame.display.set_mode(SIZE)
        self._table = _playing()
        self._screen = TableScreen(ScreenGeometry(*SIZE, 5.2), surface=surface, failsafe=False)
        self._screen.update(self._table.view())
        glass = ScreenGeometry(*SIZE, 5.2)
        stage = SceneContext(self._table.view(), glass, Words("en"))
        blocks = scene_of(stage.table).view(stage)
        self._panels = (blocks, _pressed(blocks))
        self._pressed = False
        self._painter = Painter(glass, surface, Typesetter())
        self._now_ms = 1_000
        self._down = True

    def tap(self) -> None:
        """Tap once: decide, apply, build the view, paint and present."""
        name = "seat-2-minus" if self._down else "seat-2-plus"
        self._down = not self._down
        target = next(t for t in self._screen.targets() if t.id == name)
        x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
        self._now_ms += 4_000
        intents = self._screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self._now_ms))
        self._now_ms += _FINGER_MS
        intents += self._screen.advance(self._now_ms)
        intents += self._screen.pointer(Pointer(1, PointerPhase.UP, x, y, self._now_ms))
        for intent in intents:
            if isinstance(intent, AskGame):
                self._table.do(intent.command)
        if self._screen.update(self._table.view()):
            pygame.display.flip()

    def panel(self) -> None:
        self._pressed = not self._pressed
        self._painter.paint(self._panels[self._pressed])

    def whole(self) -> None:
        self._painter.invalidate()
        self._painter.paint(self._panels[0])

    def floor(self) -> None:
        pygame.display.get_surface().fill((40, 30, 20))
        pygame.display.flip()

    def repaint(self) -> None:
        self._screen.repaint()
        self._screen.update(self._table.view())
        pygame.display.flip()


def _pressed(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks with a finger on seat 2's minus."""
    return tuple(
        msgspec.structs.replace(block, touched=(TouchedButton("seat-2-minus"),))
        if block.id == "seat-2"
        else block
        for block in blocks
    )


def _playing() -> Table:
    return Table(7).begun()


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return the measurement of a tap, beside filling and presenting a bare screen."""
    return (Measurement("tap to frame", lambda: _taps(Hand(), effort.count(TAPS, 20))),)


def _taps(hand: Hand, count: int) -> Sequence[Figure]:
    milliseconds(hand.tap, min(count, 20))
    taps, floor = milliseconds(hand.tap, count), _floor(hand, count)
    return [
        Figure("tap to frame, median", "ms", percentile(taps, 50), _FLOOR, floor),
        Figure("tap to frame, p99", "ms", percentile(taps, 99), _FLOOR, floor),
    ]


def _floor(hand: Hand, count: int) -> float:
    return percentile(milliseconds(hand.floor, count), 50)
