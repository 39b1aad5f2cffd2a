"""A terminal with a turned panel: its web page shows everything upright."""

import io
import json
from collections.abc import Iterator

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import PinPanel
from kiosk.i18n import Words
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import VirtualTouches
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.table_view import Delivery, TableView
from kiosk.virtual.answers import Answers
from kiosk.virtual.http_server import HttpRequest
from kiosk.virtual.tiles import PicturePart, PictureTiles
from tests.kiosk.rig.stand_ins import mock_panel


@pytest.fixture
def panel() -> Iterator[PinPanel]:
    made = mock_panel()
    yield made
    made.close()


@pytest.fixture
def fingers() -> VirtualTouches:
    return VirtualTouches(lambda: 0)


def answers(turns: int, panel: PinPanel, fingers: VirtualTouches) -> Answers:
    screen = TableScreen(screen_geometry_for((800, 480), turns), failsafe=False)
    screen.update(TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0))
    return Answers(screen, panel, fingers, lambda: (Words("en"), 7), quarter_turns=turns)


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


SIZE = (200, 130)
SPOTS = st.tuples(st.integers(0, 199), st.integers(0, 129), st.integers(1, 90), st.integers(1, 90))


def draw(onto: pygame.Surface, parts: tuple[PicturePart, ...]) -> None:
    for part in parts:
        onto.blit(pygame.image.load(io.BytesIO(part.png), "part.png"), part.rect[:2])


def same(one: pygame.Surface, other: pygame.Surface) -> bool:
    return pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")


@pytest.mark.slow
@given(st.lists(st.lists(SPOTS, max_size=3), min_size=1, max_size=5))
def test_parts_since_any_version_make_the_newest_picture(
    changes: list[list[tuple[int, int, int, int]]],
) -> None:
    tiles, picture = PictureTiles(), pygame.Surface(SIZE)
    tiles.parts_since(picture, 1, 0)
    seen_by = {1: picture.copy()}
    for version, spots in enumerate(changes, 2):
        for number, spot in enumerate(spots):
            picture.fill((40 * number + 10, version * 20, 200), spot)
        for since, seen in seen_by.items():
            draw(seen, tiles.parts_since(picture, version, since))
            assert same(seen, picture), since
        # One of the earlier clients has seen this version; the others continue from theirs.
        seen_by = {version: picture.copy()} | {since: seen.copy() for since, seen in seen_by.items()}


def test_a_change_in_a_corner_sends_one_tile() -> None:
    tiles, picture = PictureTiles(), pygame.Surface(SIZE)
    tiles.parts_since(picture, 1, 0)
    picture.set_at((199, 129), (255, 0, 0))
    assert [part.rect for part in tiles.parts_since(picture, 2, 1)] == [(192, 128, 8, 2)]
    assert tiles.parts_since(picture, 2, 2) == ()


def test_neighbours_are_one_part_and_a_new_size_sends_everything() -> None:
    tiles, picture = PictureTiles(), pygame.Surface(SIZE)
    assert [part.rect for part in tiles.parts_since(picture, 1, 0)] == [(0, 0, 200, 130)]
    picture.fill((255, 0, 0), (60, 60, 20, 20))
    assert [part.rect for part in tiles.parts_since(picture, 2, 1)] == [(0, 0, 128, 128)]
    assert len(tiles.parts_since(pygame.Surface((64, 64)), 3, 2)) == 1
