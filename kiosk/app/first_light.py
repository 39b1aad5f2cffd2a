"""The screen, from nothing to its first picture; and what it says when the rest cannot start."""

import os
import time
from collections.abc import Callable
from typing import Final

import pygame
import structlog

from saloon.core.errors import Unavailable
from saloon.hardware.supervisor import Supervisor
from saloon.kiosk.app.connector import connected_card
from saloon.kiosk.app.doorbell import Doorbell
from saloon.kiosk.app.loop import Display
from saloon.kiosk.app.pointers import Pointers, Turning
from saloon.kiosk.screen import TableScreen, code_of
from saloon.kiosk.table_view import Delivery, TableView
from saloon.kiosk.ui.glasses import glass_of

_log = structlog.get_logger()
_NO_REAL_SCREEN = frozenset({"dummy", "offscreen"})
_CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
_USUAL_SIZE: Final = (800, 480)
_TRIES_AGAIN_MS: Final = 30_000
_LOOK_S: Final = 0.05


def open_screen(
    size: tuple[int, int] | None, quarter_turns: int, *, is_virtual: bool, inches: float | None = None
) -> tuple[TableScreen, Display]:
    """The screen, and where its touches come from.

    size: of the picture as people see it; None for the panel's own, or a usual one where there is no panel.
    inches: the diagonal of the panel; without it that of the usual one of this size.

    Raises Unavailable where SDL finds no screen, unless none is wanted.
    """
    card = None if is_virtual else connected_card()
    if card is not None:
        os.environ.setdefault(_CARD, str(card))
    try:
        pygame.display.init()
    except pygame.error as error:
        raise Unavailable(f"no screen was found ({error}); connect one, or use --virtual PORT") from error
    driver = pygame.display.get_driver()
    if driver in _NO_REAL_SCREEN and not is_virtual:
        raise Unavailable(f"no screen was found (SDL chose {driver}); connect one, or use --virtual PORT")
    size = size or (
        _USUAL_SIZE if is_virtual else _seen(pygame.display.get_desktop_sizes()[0], quarter_turns)
    )
    glass = glass_of(size, quarter_turns, inches)
    surface = pygame.display.set_mode(glass.panel_size, 0 if is_virtual else pygame.FULLSCREEN)
    if not is_virtual:
        pygame.mouse.set_visible(False)
    _log.info("screen", driver=driver, card=card, size="x".join(map(str, size)), quarter_turns=quarter_turns)
    pointers = Pointers(Turning(*glass.panel_size, quarter_turns))
    doorbell = None if is_virtual else Doorbell()
    return TableScreen(glass, surface=surface), Display(
        pointers, pygame.display.flip, polls=not is_virtual, doorbell=doorbell
    )


def _seen(panel: tuple[int, int], quarter_turns: int) -> tuple[int, int]:
    """The size of a picture that is turned on its panel, as people see it."""
    width, height = panel
    return (height, width) if quarter_turns % 2 else (width, height)


def tell_start_trouble(
    screen: TableScreen,
    display: Display,
    error: Exception,
    *,
    language: str,
    supervisor: Supervisor,
    clock_ms: Callable[[], int],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Show by a code, and in words for the judge, why the terminal cannot start.

    Returns once somebody wants to try again, or after half a minute: then the program ends, and the
    system starts it anew.
    """
    screen.show_trouble(code_of(error), str(error) or type(error).__name__)
    began_ms = clock_ms()
    while (now_ms := clock_ms()) - began_ms < _TRIES_AGAIN_MS and screen.scene_name() == "trouble":
        view = TableView(
            table=None, game=None, edition=None, delivery=Delivery(), now_ms=now_ms, language=language
        )
        if screen.update(view):
            display.flip()
        supervisor.ready(now_ms)
        supervisor.turned(now_ms)
        sleep(_LOOK_S)
        screen.advance(clock_ms())
        for pointer in display.pointers.of(pygame.event.get(), clock_ms()):
            screen.pointer(pointer)
