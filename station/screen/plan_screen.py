"""The plan on a screen: drawn whenever it changes, or once into a picture."""

import contextlib
import datetime as dt
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pygame

from base.errors import SaloonError
from base.terminal_text import echo
from hardware.scanout import NoScreen, open_scanout
from hardware.supervisor import Supervisor
from station.appliance.status import HallSettings, StatusReader, read_hall
from station.screen.picture import draw_plan
from station.screen.plan import ScreenPlan, plan_of, words_in

_LOOKS_EVERY_S: Final = 1.0
_SIZE_PARTS: Final = 2
_USUAL_SIZE: Final = (1280, 720)


def show_plan(folder: Path, size: str, picture: Path | None) -> None:
    """Show the plan until SIGTERM, or draw it once into a picture. Exits with status 2 without a screen."""
    pygame.font.init()
    source = PlanSource(folder)
    wanted = _size_of(size)
    if picture is not None:
        surface = pygame.Surface(wanted or _USUAL_SIZE)
        draw_plan(source.plan(), surface)
        pygame.image.save(surface, str(picture))
        return
    with contextlib.ExitStack() as parts:
        try:
            surface, flip = _window(wanted) if wanted else _whole_screen(parts)
            _show(source, surface, flip)
        except (pygame.error, NoScreen) as error:
            # The supervisor restarts this program until there is a screen.
            echo(f"no screen: {error}", err=True)
            sys.exit(2)


class PlanSource:
    """The source of the plan. An unreadable file is treated as a station that is not running."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._status = StatusReader(folder, time.time)
        self._has_radio = False

    def plan(self) -> ScreenPlan:
        """Return the current plan."""
        hall, status = HallSettings(), None
        with contextlib.suppress(SaloonError):
            hall = read_hall(self._folder)
        with contextlib.suppress(SaloonError):
            status = self._status.read()
        # Still valid when the station stops writing.
        self._has_radio = self._has_radio if status is None else status.has_radio
        if not self._has_radio:
            hall = msgspec.structs.replace(hall, wifi=None)
        return plan_of(hall, status, dt.datetime.now().astimezone(), words_in(hall.language))


def _size_of(text: str) -> tuple[int, int] | None:
    parts = [int(part) for part in text.split("x") if part.isdigit()]
    return (parts[0], parts[1]) if len(parts) == _SIZE_PARTS else None


def _window(size: tuple[int, int]) -> tuple[pygame.Surface, Callable[[], None]]:
    pygame.display.init()
    return pygame.display.set_mode(size), _flip


def _flip() -> None:
    pygame.display.flip()
    pygame.event.clear()


def _whole_screen(parts: contextlib.ExitStack) -> tuple[pygame.Surface, Callable[[], None]]:
    """Open the full screen of a board without a desktop or SDL, and therefore without keys and touch."""
    scanout = open_scanout(None, None)
    parts.callback(scanout.close)
    surface = pygame.Surface(scanout.size, depth=32)

    def _present() -> None:
        try:
            scanout.show(surface)
        except OSError as error:
            raise NoScreen(f"the screen is gone: {error.strerror}") from error

    return surface, _present


def _show(source: PlanSource, surface: pygame.Surface, flip: Callable[[], None]) -> None:
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    supervisor = Supervisor(os.environ)
    last: ScreenPlan | None = None
    while not ended.is_set():
        if (plan := source.plan()) != last:
            draw_plan(plan, surface)
            flip()
            last = plan
        now_ms = time.monotonic_ns() // 1_000_000
        supervisor.ready(now_ms)
        supervisor.on_turn(now_ms)
        ended.wait(_LOOKS_EVERY_S)
    supervisor.ends()
    pygame.quit()
