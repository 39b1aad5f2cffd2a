"""A terminal with a turned panel: its web page shows everything upright."""

import io
import json
from collections.abc import Iterator

import pygame
import pytest

from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import shipped_wiring
from kiosk.i18n import Words
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import VirtualTouches
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.table_view import Delivery, TableView
from kiosk.virtual.answers import AnswerContext, Answers
from kiosk.virtual.http_server import HttpRequest


@pytest.fixture
def panel() -> Iterator[PinPanel]:
    made = PinPanel(shipped_wiring(), pin_factory(PinDriver.MOCK), lambda: 0)
    yield made
    made.close()


@pytest.fixture
def fingers() -> VirtualTouches:
    return VirtualTouches(lambda: 0)


def answers(turns: int, panel: PinPanel, fingers: VirtualTouches) -> Answers:
    screen = TableScreen(screen_geometry_for((800, 480), turns), failsafe=False)
    screen.update(TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0))
    return Answers(screen, panel, fingers, lambda: AnswerContext(Words("en"), 7), quarter_turns=turns)


def picture(door: Answers) -> pygame.Surface:
    return pygame.image.load(io.BytesIO(door.to(HttpRequest("GET", "/screen.png", b"")).body), "screen.png")


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_picture_size_and_targets_are_upright(turns: int, panel: PinPanel, fingers: VirtualTouches) -> None:
    door = answers(turns, panel, fingers)
    data = json.loads(door.to(HttpRequest("GET", "/screen.json", b"")).body)
    seen = picture(door)
    assert (data["version"], data["size"]) == (7, [800, 480])
    assert seen.get_size() == (800, 480)
    # Letters are turned separately, so edges may differ slightly; the places of colours may not.
    upright = picture(answers(0, panel, fingers))
    for target in data["targets"]:
        x, y = target["rect"][0] + 4, target["rect"][1] + target["rect"][3] // 2
        assert seen.get_at((x, y)) == upright.get_at((x, y)), target["id"]


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_place_is_the_same_place_however_the_panel_is_turned(
    turns: int, panel: PinPanel, fingers: VirtualTouches
) -> None:
    door = answers(turns, panel, fingers)
    assert door.to(HttpRequest("POST", "/touch", b'{"x": 799, "y": 479}')).status == 200
    assert [(p.x, p.y) for p in fingers.due(10_000)] == [(799, 479)] * 2
    assert door.to(HttpRequest("POST", "/touch", b'{"x": 479, "y": 480}')).status == 400
