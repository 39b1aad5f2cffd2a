"""The changed parts of a picture, assembled again by a remote page."""

import io

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.virtual.tiles import PicturePart, PictureTiles

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
