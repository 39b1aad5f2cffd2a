"""The screen's message if the rest of the terminal can't start."""

import errno
from collections.abc import Iterator

import pygame
import pytest

from base.errors import BadData, Unavailable
from hardware.supervisor import Supervisor
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import PanelRotation, Pointers
from kiosk.terminal.display_startup import show_startup_error
from kiosk.terminal.loop import Display
from kiosk.ui.geometry import screen_geometry_for

DAMAGED = BadData("/var/lib/saloon/journal.db", "not a journal; take a spare terminal")


class Watching:
    """A person who watches the screen and may touch it after some time."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.flips = 0
        self.touches_after_ms: int | None = None
        self.screen = TableScreen(screen_geometry_for((800, 480)), failsafe=False)
        self.display = Display(Pointers(PanelRotation(800, 480)), self._flip, polls=True)
        self.said: tuple[str, ...] = ()

    def watch(self, error: Exception) -> None:
        show_startup_error(
            self.screen,
            self.display,
            error,
            language="en",
            supervisor=Supervisor({}),
            clock_ms=lambda: self.now_ms,
            sleep=self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self.said = self.screen.visible_text()
        self.now_ms += round(seconds * 1000)
        if self.touches_after_ms is not None and self.now_ms > self.touches_after_ms:
            self.touches_after_ms = None
            x, y, width, height = next(t.rect for t in self.screen.targets() if t.id == "dismiss")
            across, down = (x + width / 2) / 800, (y + height / 2) / 480
            for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
                pygame.event.post(pygame.event.Event(kind, finger_id=1, x=across, y=down, dx=0.0, dy=0.0))

    def _flip(self) -> None:
        self.flips += 1


@pytest.fixture
def somebody() -> Iterator[Watching]:
    pygame.display.init()
    pygame.event.clear()
    yield Watching()
    pygame.display.quit()


def test_the_judge_is_told_a_code_and_the_reason(somebody: Watching) -> None:
    somebody.watch(DAMAGED)
    said = "\n".join(somebody.said)
    assert "Error" in said
    assert "can't start" in said
    assert "journal.db" in said
    assert "Traceback" not in said
    assert somebody.flips == 1


def test_it_is_tried_again_after_half_a_minute(somebody: Watching) -> None:
    somebody.watch(DAMAGED)
    assert 29_000 < somebody.now_ms < 31_000


def test_it_is_tried_again_when_somebody_wants_to(somebody: Watching) -> None:
    somebody.touches_after_ms = 2_000
    somebody.watch(DAMAGED)
    assert 2_000 < somebody.now_ms < 3_000


def test_a_fault_without_words_is_named(somebody: Watching) -> None:
    somebody.watch(ZeroDivisionError())
    assert "ZeroDivisionError" in "\n".join(somebody.said)


def test_a_card_that_takes_nothing_is_said_to_be_one(somebody: Watching) -> None:
    worn = Unavailable("/var/lib/saloon/key.pem: Read-only file system")
    worn.__cause__ = OSError(errno.EROFS, "Read-only file system")
    somebody.watch(worn)
    assert "card" in "\n".join(somebody.said)


def test_a_fault_of_something_else_sends_nobody_for_a_card(somebody: Watching) -> None:
    somebody.watch(Unavailable("the cable is out"))
    assert "card" not in "\n".join(somebody.said)
