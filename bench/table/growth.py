"""The growth of a terminal's memory over a million touch events, measured from the first tenth on.

``python -m bench.table.growth SHARE`` sends this part of the million events, from 0 to 1, and prints
megabytes.
"""

import gc
import os
import sys
from typing import Final

import pygame

from bench.table.process_counters import rss_mb
from kiosk.terminal.display.screen import TableScreen
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.geometry import ScreenGeometry
from kiosk.view.intents import AskGame
from tests.scenarios.moments import Table

SIZE: Final = (800, 480)
MOMENTS: Final = 1_000_000
_MOVES: Final = 98
"""The number of moves between the finger's down and up."""
_WARM: Final = 10
_APART_MS: Final = 2_000
"""The time between two touches, more than a new target ignores fingers."""


def main(share: float) -> None:
    """Touch the screen many times, each a drag that ends on a plus, a minus, or undo."""
    pygame.display.init()
    table = Table(7).begun()
    screen = TableScreen(ScreenGeometry(*SIZE, 5.2), surface=pygame.display.set_mode(SIZE), failsafe=False)
    screen.update(table.view())
    warm_mb, touches = 0.0, max(_WARM, round(share * MOMENTS / (_MOVES + 2)))
    for touch in range(touches):
        if touch == touches // _WARM:
            gc.collect()
            warm_mb = rss_mb(os.getpid())
        _touch(screen, table, touch)
        screen.update(table.view())
    gc.collect()
    print(rss_mb(os.getpid()) - warm_mb, flush=True)


def _touch(screen: TableScreen, table: Table, number: int) -> None:
    places = [t for t in screen.targets() if t.enabled and t.id.endswith(("minus", "plus", "undo"))]
    # Undo each lost life point, as the game keeps all of its steps and would grow.
    undo = next((place for place in places if place.id == "undo"), None)
    place = undo if number % 2 and undo is not None else places[number % len(places)]
    x, y, width, height = place.rect
    x, y, now_ms = x + width // 2, y + height // 2, table.view().now_ms + (number + 1) * _APART_MS
    asked = screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, now_ms))
    for move in range(_MOVES):
        asked += screen.pointer(Pointer(1, PointerPhase.MOVE, x + move % 3, y, now_ms + move))
    asked += screen.advance(now_ms + _MOVES)
    asked += screen.pointer(Pointer(1, PointerPhase.UP, x, y, now_ms + _MOVES))
    for intent in asked:
        if isinstance(intent, AskGame):
            table.do(intent.command)


if __name__ == "__main__":
    main(float(sys.argv[1]))
