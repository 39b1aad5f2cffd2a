"""The screen of a board without a desktop, shown from a buffer that the display controller reads.

SDL's own driver (kmsdrm) needs OpenGL, whose software renderer takes more time and memory than the rest of
the terminal. The pictures are painted by the processor anyway, so they only have to be copied. Touches still
come from SDL (its driver ``evdev``). All requests to the graphics card are ones that every driver of the
kernel's direct rendering manager supports.
Source: the kernel's include/uapi/drm/drm.h and drm_mode.h.
"""

import array
import contextlib
import fcntl
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import pygame

_CONNECTED: Final = 1
_BUILT_IN: Final = frozenset({7, 14, 16, 17})
"""Connector types LVDS, eDP, DSI and DPI."""
_PREFERRED: Final = 1 << 3
"""The flag DRM_MODE_TYPE_PREFERRED."""
_BITS: Final = 32
_DEPTH: Final = 24
_MODE: Final = struct.Struct("<I10H3I32s")
_RESOURCES: Final = struct.Struct("<4Q8I")
_CONNECTOR: Final = struct.Struct("<4Q12I")
_ENCODER: Final = struct.Struct("<5I")
_CRTC: Final = struct.Struct("<Q7I68s")
_DUMB: Final = struct.Struct("<6IQ")
_MAP: Final = struct.Struct("<2IQ")
_FRAME: Final = struct.Struct("<7I")
_DIRTY: Final = struct.Struct("<4IQ")


class Mode(msgspec.Struct, frozen=True):
    """A display mode. ``raw`` is the kernel's own structure."""

    width: int
    height: int
    is_preferred: bool
    raw: bytes


class Connector(msgspec.Struct, frozen=True):
    """A connector for a screen.

    is_built_in: it has no plug.
    encoders: those that can drive it.
    encoder: the current one, or 0 without one.
    """

    id: int
    is_connected: bool
    is_built_in: bool
    modes: tuple[Mode, ...]
    encoders: tuple[int, ...]
    encoder: int


class Encoder(msgspec.Struct, frozen=True):
    """An encoder: its current CRTC, or 0 without one, and a bit mask of the possible ones."""

    crtc: int
    possible: int


class Frame(msgspec.Struct, frozen=True):
    """A displayable buffer of 32 bits per pixel. ``pitch`` is the number of bytes from row to row."""

    id: int
    pitch: int
    memory: mmap.mmap


def mode_of(raw: bytes) -> Mode:
    fields = _MODE.unpack(raw)
    return Mode(fields[1], fields[6], bool(fields[13] & _PREFERRED), raw)


def _resources(card: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the card's CRTCs and connectors. ``card`` is its open file."""
    counted = _RESOURCES.unpack(_ioctl(card, 0xA0, _RESOURCES.pack(*[0] * 12)))
    crtcs, connectors = array.array("I", [0] * counted[5]), array.array("I", [0] * counted[6])
    filled = _RESOURCES.pack(0, _at(crtcs), _at(connectors), 0, 0, len(crtcs), len(connectors), *[0] * 5)
    _ioctl(card, 0xA0, filled)
    return tuple(crtcs), tuple(connectors)


def _connector(card: int, number: int) -> Connector:
    """Return the state of a connector. Probes the screen, which may take a while."""
    counted = _CONNECTOR.unpack(_ioctl(card, 0xA7, _CONNECTOR.pack(*[0] * 8, number, *[0] * 7)))
    modes = array.array("B", bytes(_MODE.size * counted[4]))
    encoders = array.array("I", [0] * counted[6])
    raw_fields = _ioctl(
        card,
        0xA7,
        _CONNECTOR.pack(_at(encoders), _at(modes), 0, 0, counted[4], 0, counted[6], 0, number, *[0] * 7),
    )
    fields = _CONNECTOR.unpack(raw_fields)
    raw = modes.tobytes()
    all_modes = tuple(mode_of(raw[at : at + _MODE.size]) for at in range(0, len(raw), _MODE.size))
    return Connector(
        number,
        is_connected=fields[11] == _CONNECTED,
        is_built_in=fields[9] in _BUILT_IN,
        modes=tuple(mode for mode in all_modes if mode.width),
        encoders=tuple(encoders),
        encoder=fields[7],
    )


def _encoder(card: int, number: int) -> Encoder:
    fields = _ENCODER.unpack(_ioctl(card, 0xA6, _ENCODER.pack(number, 0, 0, 0, 0)))
    return Encoder(fields[2], fields[3])


def _new_frame(card: int, width: int, height: int) -> Frame:
    """Create a black buffer of this size in pixels."""
    made = _DUMB.unpack(_ioctl(card, 0xB2, _DUMB.pack(height, width, _BITS, 0, 0, 0, 0)))
    handle, pitch, size = made[4], made[5], made[6]
    framed = _FRAME.unpack(_ioctl(card, 0xAE, _FRAME.pack(0, width, height, pitch, _BITS, _DEPTH, handle)))
    offset = _MAP.unpack(_ioctl(card, 0xB3, _MAP.pack(handle, 0, 0)))[2]
    return Frame(framed[0], pitch, mmap.mmap(card, size, offset=offset))


def _show(card: int, crtc: int, frame: Frame, at: Connector, mode: Mode) -> None:
    """Show a buffer on a screen from now on. The card's file must be the DRM master."""
    connectors = array.array("I", [at.id])
    _ioctl(card, 0xA2, _CRTC.pack(_at(connectors), 1, crtc, frame.id, 0, 0, 0, 1, mode.raw))


def _report_change(card: int, frame: Frame) -> None:
    """Report a changed buffer to the card, which may have to copy it. Other cards ignore it."""
    _ioctl(card, 0xB1, _DIRTY.pack(frame.id, 0, 0, 0, 0))


def _ioctl(card: int, number: int, question: bytes) -> bytes:
    """Send a request to the card, and return the kernel's answer in the same format."""
    request = 3 << 30 | len(question) << 16 | ord("d") << 8 | number
    return fcntl.ioctl(card, request, question)


def _at(numbers: "array.array[int]") -> int:
    return numbers.buffer_info()[0]


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
    """Return the mode of exactly this size in pixels, or else the preferred one.

    ``wanted`` is None to use the preferred mode. Returns None if the screen has no modes.
    """
    for mode in modes:
        if (mode.width, mode.height) == wanted:
            return mode
    return next((mode for mode in modes if mode.is_preferred), modes[0] if modes else None)


def crtc_for(crtcs: Sequence[int], encoders: Iterable[Encoder]) -> int | None:
    """Return a CRTC for one of the encoders, preferably one in use already."""
    known = tuple(encoders)
    for encoder in known:
        if encoder.crtc in crtcs:
            return encoder.crtc
    for encoder in known:
        for number, crtc in enumerate(crtcs):
            if encoder.possible >> number & 1:
                return crtc
    return None


def _route_on(card: int, wanted: tuple[int, int] | None) -> Route | None:
    """Return the route to the screen of an open card, or None if it has no screen.

    A built-in screen is preferred to a plugged one. Raises OSError.
    """
    crtcs, numbers = _resources(card)
    connectors = (_connector(card, number) for number in numbers)
    for connector in sorted(
        (one for one in connectors if one.is_connected), key=lambda one: not one.is_built_in
    ):
        # The current encoder first, so that nothing flickers.
        order = sorted(connector.encoders, key=lambda number: number != connector.encoder)
        crtc = crtc_for(crtcs, (_encoder(card, number) for number in order))
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
        self._needs_reports = True

    def show(self, picture: pygame.Surface) -> None:
        """Copy a picture of 32 bits per pixel to the centre of the screen. Raises OSError."""
        # Reuse one buffer, as the card keeps every buffer until its file is closed.
        frame = self._frame = self._frame or _new_frame(self._card, *self.size)
        copy_picture(picture, frame, self.size)
        if not self._is_shown:
            # Switch only once the buffer contains the picture, to keep the previous one until then.
            _show(self._card, self._route.crtc, frame, self._route.connector, self._route.mode)
            self._is_shown = True
        if self._needs_reports:
            try:
                _report_change(self._card, frame)
            except OSError:
                # The card reads the buffer continuously and doesn't support this.
                self._needs_reports = False

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
    """Open the screen of this machine, to show a picture of the ``wanted`` size in pixels.

    ``number`` is the number of the card, or None to try all. Raises NoScreen.
    """
    names = (f"card{number}",) if number is not None else sorted(path.name for path in cards.glob("card*"))
    trouble = "no graphics card has a screen"
    for name in names:
        with contextlib.ExitStack() as parts:
            try:
                card = os.open(cards / name, os.O_RDWR | os.O_CLOEXEC)
                parts.callback(os.close, card)
                route = _route_on(card, wanted)
            except OSError as error:
                trouble = f"{name}: {error.strerror}"
                continue
            if route is not None:
                parts.pop_all()
                return Scanout(card, route)
    raise NoScreen(trouble)
