"""The picture on the screen of a board without a desktop: a buffer read by the display controller.

SDL's own driver for it (kmsdrm) uses OpenGL, whose software renderer takes more
time and memory than the rest of the terminal. As pictures are painted by the
processor anyway, they only need to be copied. Touches still come from SDL (its driver ``evdev``).
"""

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import pygame

from hardware.display import drm
from hardware.display.drm import Connector, Encoder, Frame, Mode

CARDS: Final = Path("/dev/dri")
_BYTES: Final = 4


class NoScreen(OSError):
    """No graphics card of this machine has a screen."""


class Route(msgspec.Struct, frozen=True):
    """The route of a picture to a screen: CRTC, connector and mode."""

    crtc: int
    connector: Connector
    mode: Mode


def mode_for(modes: Sequence[Mode], wanted: tuple[int, int] | None) -> Mode | None:
    """Return the mode to show a picture of this size in pixels, or None if the screen has no mode.

    That is the mode of exactly this size, or else the preferred one. ``wanted`` is None for the preferred
    one.
    """
    for mode in modes:
        if (mode.width, mode.height) == wanted:
            return mode
    return next((mode for mode in modes if mode.is_preferred), modes[0] if modes else None)


def crtc_for(crtcs: Sequence[int], encoders: Iterable[Encoder]) -> int | None:
    """Return a CRTC for one of the encoders: the current one, or else the first possible one."""
    known = tuple(encoders)
    for encoder in known:
        if encoder.crtc in crtcs:
            return encoder.crtc
    for encoder in known:
        for number, crtc in enumerate(crtcs):
            if encoder.possible >> number & 1:
                return crtc
    return None


def route_on(card: int, wanted: tuple[int, int] | None) -> Route | None:
    """Return the route to the screen of a card, whose file is open, or None if it has no screen.

    A built-in screen is preferred to a plugged one. Raises OSError.
    """
    crtcs, numbers = drm.resources(card)
    connectors = (drm.connector(card, number) for number in numbers)
    for connector in sorted(
        (one for one in connectors if one.is_connected), key=lambda one: not one.is_built_in
    ):
        # The current encoder first, so that nothing flickers.
        order = sorted(connector.encoders, key=lambda number: number != connector.encoder)
        crtc = crtc_for(crtcs, (drm.encoder(card, number) for number in order))
        mode = mode_for(connector.modes, wanted)
        if crtc is not None and mode is not None:
            return Route(crtc, connector, mode)
    return None


class Scanout:
    """A screen of a graphics card, in use from the first frame until ``close``. ``card`` is its open file."""

    def __init__(self, card: int, route: Route) -> None:
        self.size = (route.mode.width, route.mode.height)
        self._card = card
        self._route = route
        self._frame: Frame | None = None
        self._is_shown = False
        self._must_tell = True

    def show(self, picture: pygame.Surface) -> None:
        """Copy a picture of 32 bits per pixel to the centre of the screen. Raises OSError."""
        # Reuse one buffer, as the card keeps every buffer until its file is closed.
        frame = self._frame = self._frame or drm.new_frame(self._card, *self.size)
        copy_picture(picture, frame, self.size)
        if not self._is_shown:
            # Switch only once the buffer contains the picture, to keep the previous one until then.
            drm.show(self._card, self._route.crtc, frame, self._route.connector, self._route.mode)
            self._is_shown = True
        if self._must_tell:
            try:
                drm.report_change(self._card, frame)
            except OSError:
                # The card reads the buffer continuously and doesn't support this.
                self._must_tell = False

    def close(self) -> None:
        """Release the screen."""
        if self._frame is not None:
            self._frame.memory.close()
        os.close(self._card)


def copy_picture(picture: pygame.Surface, frame: Frame, size: tuple[int, int]) -> None:
    """Copy a picture to the centre of a frame of this size, cropping the excess."""
    width, height = min(picture.get_width(), size[0]), min(picture.get_height(), size[1])
    pitch = picture.get_pitch()
    # The type hints don't declare it as a buffer.
    source = memoryview(picture.get_buffer())  # type: ignore[arg-type]
    with source as pixels, memoryview(frame.memory) as target:
        if picture.get_size() == size and pitch == frame.pitch:
            target[: pitch * height] = pixels[: pitch * height]
            return
        left, top = (size[0] - width) // 2, (size[1] - height) // 2
        for row in range(height):
            to, of = (top + row) * frame.pitch + left * _BYTES, row * pitch
            target[to : to + width * _BYTES] = pixels[of : of + width * _BYTES]


def open_scanout(number: int | None, wanted: tuple[int, int] | None, cards: Path = CARDS) -> Scanout:
    """Open the screen of this machine. ``number`` is the card's number; None to try all.

    ``wanted`` is the size of the picture on the panel, in pixels. Raises NoScreen.
    """
    names = (f"card{number}",) if number is not None else sorted(path.name for path in cards.glob("card*"))
    trouble = "no graphics card has a screen"
    for name in names:
        with contextlib.ExitStack() as parts:
            try:
                card = os.open(cards / name, os.O_RDWR | os.O_CLOEXEC)
                parts.callback(os.close, card)
                route = route_on(card, wanted)
            except OSError as error:
                trouble = f"{name}: {error.strerror}"
                continue
            if route is not None:
                parts.pop_all()
                return Scanout(card, route)
    raise NoScreen(trouble)
