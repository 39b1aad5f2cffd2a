from collections.abc import Callable

import msgspec
import pytest

from saloon.kiosk.pointer import Pointer, PointerPhase
from saloon.kiosk.rehearsal.moments import Moment
from saloon.kiosk.screen import TableScreen
from saloon.kiosk.ui.geometry import Glass
from saloon.kiosk.ui.glasses import glass_of

GLASSES = {
    f"{width}x{height}": glass_of((width, height))
    for width, height in ((800, 480), (1280, 720), (1024, 600), (720, 1280))
}


class Hand:
    """A finger on a screen, with its own clock."""

    def __init__(self, screen: TableScreen, now_ms: int = 10_000) -> None:
        self.screen = screen
        self.now_ms = now_ms
        self.intents: list[object] = []

    def touch(self, target: str) -> None:
        found = next(t for t in self.screen.targets() if t.id == target)
        assert found.enabled, target
        x, y = found.rect[0] + found.rect[2] // 2, found.rect[1] + found.rect[3] // 2
        self.now_ms += 500
        self.intents += self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms))
        self.now_ms += max(50, found.hold_ms)
        self.intents += self.screen.advance(self.now_ms)
        self.intents += self.screen.pointer(Pointer(1, PointerPhase.UP, x, y, self.now_ms))


Show = Callable[..., TableScreen]


@pytest.fixture(scope="session")
def show() -> Show:
    """A screen at a moment, with what its touches open."""

    def shown(glass: Glass, moment: Moment, language: str = "en") -> TableScreen:
        screen = TableScreen(glass, failsafe=False)
        view = msgspec.structs.replace(moment.view, language=language)
        screen.update(view)
        hand = Hand(screen)
        for target in moment.touches:
            hand.touch(target)
            screen.update(view)
        return screen

    return shown
