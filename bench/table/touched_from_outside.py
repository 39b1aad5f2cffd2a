"""Our terminal, touched and measured by another process: its real loop, journal and mock pins.

``python -m bench.table.touched_from_outside FOLDER`` prints the places to touch as a JSON line, and then a
byte for each event: ``f`` for a flip, ``s`` when all entries are known to be saved. Touches arrive through
the pipe ``FOLDER/finger`` in the format of ``TOUCH``.
"""

import contextlib
import json
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pygame

from bench.table.ours import SIZE, Bell, life_points, playing_loop
from bench.table.seated import seat_players
from kiosk.cli.logs import set_up_logs
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import Pointers
from kiosk.terminal.loop import Display
from kiosk.touch import Pointer
from kiosk.ui.geometry import ScreenGeometry
from kiosk.view.table_view import TableView

TOUCH: Final = struct.Struct("<?dd")
"""The finger: 1 while it is down, and its position as shares of width and height."""
FINGER, BELL = "finger", "dev/event0"
FLIPPED, SAVED = b"f", b"s"


class PipedTouches(Pointers):
    """A source of touches from a pipe, in addition to those of SDL."""

    def __init__(self, pipe: Path) -> None:
        super().__init__(ScreenGeometry(*SIZE, 5.2))
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def of(self, events: Iterable[pygame.event.Event], now_ms: int) -> tuple[Pointer, ...]:
        """Return the pointers from these events and from the pipe, in order."""
        return super().of((*events, *self._piped()), now_ms)

    def _piped(self) -> Iterable[pygame.event.Event]:
        with contextlib.suppress(BlockingIOError):
            while touch := os.read(self._pipe, TOUCH.size):
                is_down, x, y = TOUCH.unpack(touch)
                kind = pygame.FINGERDOWN if is_down else pygame.FINGERUP
                yield pygame.event.Event(kind, finger_id=1, x=x, y=y, dx=0.0, dy=0.0)


class WatchedScreen(TableScreen):
    """A screen that reports when all entries are saved."""

    _saved = 0
    is_watched = False

    def update(self, view: TableView) -> bool:
        """Paint the changes since the last view, and report if all is saved."""
        changed = super().update(view)
        delivery = view.delivery
        if delivery.saved > self._saved and delivery.saved == delivery.entered:
            self._saved = delivery.saved
            if self.is_watched:
                _report(SAVED)
        return changed


def _report(event: bytes) -> None:
    os.write(sys.stdout.fileno(), event)


def main(folder: Path) -> None:
    """Show seven players in a game until the process is ended."""
    set_up_logs()
    with contextlib.ExitStack() as parts:
        seat_players(folder / "data")
        pygame.display.init()
        surface = pygame.display.set_mode(SIZE)
        screen = WatchedScreen(ScreenGeometry(*SIZE, 5.2), surface=surface)
        bell = Bell(folder)

        def flip() -> None:
            pygame.display.flip()
            if screen.is_watched:
                _report(FLIPPED)

        touches = PipedTouches(folder / FINGER)
        display = Display(touches, flip, polls=True, touch_wakeup=bell.doorbell)
        loop, waker = playing_loop(folder, parts, screen, display)
        print(json.dumps(life_points(screen)), flush=True)
        screen.is_watched = True
        loop.run(waker)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
