"""The opening of the screen, and the display of errors that prevent a start."""

import contextlib
import errno
import os
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pygame

from base.errors import Unavailable
from hardware.scanout import NoScreen, open_scanout
from hardware.supervisor import Supervisor
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.display.screen import TableScreen, code_of
from kiosk.terminal.display.touch_input import Pointers, TouchWakeup
from kiosk.terminal.loop import Display
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.view.table_view import Delivery, TableView

CARDS: Final = Path("/sys/class/drm")
DEVICES: Final = Path("/dev/dri")
_CONNECTOR: Final = re.compile(r"card(\d+)-([A-Za-z]+(?:-[A-Z])?)-\d+")
_CONNECTOR_LOOK_S: Final = 0.02
_BUILT_IN: Final = ("DSI", "DPI", "eDP", "LVDS")


def wait_for_card(
    within_s: float,
    cards: Path = CARDS,
    devices: Path = DEVICES,
    *,
    clock_s: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Wait until a graphics card with connectors can be opened, and return whether there is one.

    A program that starts at boot may be ready before the system has the card. A screen need not be connected;
    cards without connectors (the 3D part of a Pi) don't count.
    """
    end_s = clock_s() + within_s
    while not (is_there := _is_handed_over(cards, devices)) and clock_s() < end_s:
        sleep(_CONNECTOR_LOOK_S)
    return is_there


def _is_handed_over(cards: Path, devices: Path) -> bool:
    with contextlib.suppress(OSError):
        numbers = {name[1] for path in cards.iterdir() if (name := _CONNECTOR.fullmatch(path.name))}
        return any(os.access(devices / f"card{number}", os.R_OK | os.W_OK) for number in numbers)
    return False


def find_connected_card(cards: Path = CARDS) -> int | None:
    """Return the number of the graphics card with a connected screen, or None.

    A built-in panel is preferred to a pluggable one, then the lowest number.
    """
    candidates: list[tuple[bool, int]] = []
    with contextlib.suppress(OSError):
        for connector in cards.iterdir():
            name = _CONNECTOR.fullmatch(connector.name)
            if name is None:
                continue
            with contextlib.suppress(OSError):
                if (connector / "status").read_text(encoding="ascii").strip() == "connected":
                    candidates.append((name[2] not in _BUILT_IN, int(name[1])))
    return min(candidates)[1] if candidates else None


_NO_REAL_SCREEN = frozenset({"dummy", "offscreen"})
_TOUCHES_ONLY: Final = "evdev"
"""SDL's driver for touch devices without a screen, as we pass the picture to the kernel ourselves."""
_CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
_USUAL_SIZE: Final = (800, 480)
_TRIES_AGAIN_MS: Final = 30_000
_LOOK_S: Final = 0.05


def open_screen(
    parts: contextlib.ExitStack,
    size: tuple[int, int] | None,
    quarter_turns: int,
    *,
    is_virtual: bool,
    inches: float | None = None,
    within_s: float = 0,
    moves: bool = True,
) -> tuple[TableScreen, Display]:
    """Open the screen and the source of its touches; ``parts`` releases both.

    size: the picture's size as people see it, or None for the panel's own, or a default without a panel.
    inches: the panel's diagonal, or None for the common one of that size.
    within_s: how long to wait for a graphics card.
    moves: as for ``TableScreen``.

    Raises Unavailable if a screen is needed and none is found.
    """
    # SDL captures the console's keyboard: release it even if the startup is interrupted.
    parts.callback(pygame.quit)
    if is_virtual:
        _driver()
        glass = screen_geometry_for(size or _USUAL_SIZE, quarter_turns, inches)
        surface = pygame.display.set_mode(glass.panel_size)
        display = Display(Pointers(glass), pygame.display.flip, polls=False)
    else:
        wait_for_card(within_s)
        glass, surface, flip = _open_screen(parts, size, quarter_turns, inches)
        described = {
            "driver": pygame.display.get_driver(),
            "card": os.environ.get(_CARD),
            "size": glass.panel_size,
            "quarter_turns": quarter_turns,
        }
        pygame.mouse.set_visible(False)
        touch_wakeup = TouchWakeup()
        parts.callback(touch_wakeup.close)
        display = Display(Pointers(glass), flip, polls=True, touch_wakeup=touch_wakeup, described=described)
    return TableScreen(glass, surface=surface, moves=moves), display


def _open_screen(
    parts: contextlib.ExitStack, size: tuple[int, int] | None, quarter_turns: int, inches: float | None
) -> tuple[ScreenGeometry, pygame.Surface, Callable[[], None]]:
    """Open the physical screen, and return its geometry, the surface to paint on, and the flip function."""
    card = find_connected_card()
    if card is not None:
        os.environ.setdefault(_CARD, str(card))
    driver = _driver()
    if driver in _NO_REAL_SCREEN:
        raise Unavailable(f"no screen was found (SDL chose {driver}); connect one, or use --virtual PORT")
    if driver != _TOUCHES_ONLY:
        glass = screen_geometry_for(
            size or _upright_size(pygame.display.get_desktop_sizes()[0], quarter_turns), quarter_turns, inches
        )
        return glass, pygame.display.set_mode(glass.panel_size, pygame.FULLSCREEN), pygame.display.flip
    try:
        scanout = open_scanout(card, None if size is None else _upright_size(size, quarter_turns))
    except NoScreen as error:
        raise Unavailable(f"no screen was found ({error}); connect one, or use --virtual PORT") from error
    parts.callback(scanout.close)
    glass = screen_geometry_for(size or _upright_size(scanout.size, quarter_turns), quarter_turns, inches)
    surface = pygame.display.set_mode(glass.panel_size, depth=32)
    return glass, surface, partial(scanout.show, surface)


def _driver() -> str:
    try:
        pygame.display.init()
    except pygame.error as error:
        raise Unavailable(f"no screen was found ({error}); connect one, or use --virtual PORT") from error
    return pygame.display.get_driver()


def _upright_size(panel: tuple[int, int], quarter_turns: int) -> tuple[int, int]:
    width, height = panel
    return (height, width) if quarter_turns % 2 else (width, height)


def show_startup_error(
    screen: TableScreen,
    display: Display,
    error: Exception,
    *,
    language: str,
    supervisor: Supervisor,
    clock_ms: Callable[[], int],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Show why the terminal can't start, as a code and a text for the judge.

    Returns when somebody wants to try again, or after half a minute; the program then ends, and the system
    starts it again.
    """
    problem = str(error) or type(error).__name__
    screen.show_trouble(TroubleScene(code_of(error), problem, _is_of_card(error)))
    began_ms = clock_ms()
    while (now_ms := clock_ms()) - began_ms < _TRIES_AGAIN_MS and screen.scene_name() == "trouble":
        view = TableView(
            table=None, game=None, edition=None, delivery=Delivery(), now_ms=now_ms, language=language
        )
        if screen.update(view):
            display.flip()
        supervisor.ready(now_ms)
        supervisor.on_turn(now_ms)
        sleep(_LOOK_S)
        screen.advance(clock_ms())
        for pointer in display.pointers.of(pygame.event.get(), clock_ms()):
            screen.pointer(pointer)


def _is_of_card(error: Exception) -> bool:
    cause = error.__cause__
    return (
        isinstance(error, Unavailable)
        and isinstance(cause, OSError)
        and cause.errno in {errno.EROFS, errno.EIO}
    )
