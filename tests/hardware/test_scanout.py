"""The route of a picture to the screen of a board without a desktop, and the picture that arrives."""

import mmap
import os
import struct
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import scanout as module
from hardware.scanout import (
    Connector,
    Encoder,
    Frame,
    Mode,
    NoScreen,
    Route,
    Scanout,
    copy_picture,
    crtc_for,
    mode_for,
    mode_of,
    open_scanout,
)

sizes = st.tuples(st.integers(1, 40), st.integers(1, 40))


def mode(width: int, height: int, *, is_preferred: bool = False) -> Mode:
    return Mode(width, height, is_preferred, b"")


PANEL = (mode(1280, 800), mode(1024, 600, is_preferred=True), mode(800, 480))


def test_a_mode_of_the_kernel_is_read() -> None:
    raw = struct.pack(
        "<I10H3I32s", 33_000, 800, 840, 888, 1056, 0, 480, 493, 496, 525, 0, 60, 0, 8, b"800x480"
    )
    assert mode_of(raw) == Mode(800, 480, is_preferred=True, raw=raw)


def test_a_screen_shows_what_it_prefers_unless_a_size_is_wanted_that_it_has() -> None:
    assert mode_for(PANEL, None) == PANEL[1]
    assert mode_for(PANEL, (800, 480)) == PANEL[2]
    assert mode_for(PANEL, (720, 1280)) == PANEL[1]
    assert mode_for((mode(640, 480), mode(800, 600)), None) == mode(640, 480)
    assert mode_for((), (800, 480)) is None


def test_what_feeds_a_screen_now_goes_on_to() -> None:
    assert crtc_for((40, 41, 42), (Encoder(41, 0b111),)) == 41
    assert crtc_for((40, 41, 42), (Encoder(0, 0b110), Encoder(42, 0b100))) == 42


def test_a_screen_that_nothing_feeds_takes_the_first_that_can() -> None:
    assert crtc_for((40, 41, 42), (Encoder(0, 0b100), Encoder(0, 0b011))) == 42
    assert crtc_for((40,), (Encoder(0, 0b10),)) is None


@given(picture=sizes, screen=sizes, beyond=st.integers(0, 3))
def test_a_picture_arrives_in_the_middle_of_the_screen(
    picture: tuple[int, int], screen: tuple[int, int], beyond: int
) -> None:
    surface = pygame.Surface(picture, depth=32)
    colour = (10, 20, 30)
    surface.fill(colour)
    pitch = 4 * (screen[0] + beyond)
    frame = Frame(1, pitch, mmap.mmap(-1, pitch * screen[1]))
    copy_picture(surface, frame, screen)
    pixels = frame.memory[:]
    wide, high = min(picture[0], screen[0]), min(picture[1], screen[1])
    left, top = (screen[0] - wide) // 2, (screen[1] - high) // 2
    row = struct.pack("<I", surface.map_rgb(colour))
    for y in range(screen[1]):
        inside = top <= y < top + high
        expected = bytes(4 * left) + row * wide if inside else b""
        assert pixels[y * pitch : (y + 1) * pitch] == expected.ljust(pitch, b"\0")


def test_a_card_that_shows_nothing_yet_is_not_filled_with_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    made, frames = 0, 0

    def new_frame(_card: int, width: int, height: int) -> Frame:
        nonlocal made
        made += 1
        return Frame(1, 4 * width, mmap.mmap(-1, 4 * width * height))

    def show(*_way: object) -> None:
        nonlocal frames
        frames += 1
        if frames < 3:
            raise PermissionError("another program is the master")

    monkeypatch.setattr(module, "_new_frame", new_frame)
    monkeypatch.setattr(module, "_show", show)
    monkeypatch.setattr(module, "_report_change", lambda _card, _frame: None)
    route = Route(
        1, Connector(2, is_connected=True, is_built_in=True, modes=PANEL, encoders=(), encoder=0), mode(8, 4)
    )
    scanout = Scanout(os.open(os.devnull, os.O_RDWR), route)
    picture = pygame.Surface((8, 4), depth=32)
    for _ in range(2):
        with pytest.raises(PermissionError):
            scanout.show(picture)
    for _ in range(2):
        scanout.show(picture)
    scanout.close()
    assert (made, frames) == (1, 3)


def test_what_is_no_card_with_a_screen_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(NoScreen, match="no graphics card has a screen"):
        open_scanout(None, None, tmp_path)
    (tmp_path / "card0").write_bytes(b"")
    before = len(tuple(Path("/proc/self/fd").iterdir()))
    with pytest.raises(NoScreen, match="card0: Inappropriate ioctl"):
        open_scanout(0, None, tmp_path)
    assert len(tuple(Path("/proc/self/fd").iterdir())) == before
