"""Requests to the kernel about a graphics card: connectors, modes, and frame buffers.

They use only what every driver of the kernel's direct rendering manager supports, without OpenGL.
Source: the kernel's include/uapi/drm/drm.h and drm_mode.h. Every function raises OSError.
"""

import array
import fcntl
import mmap
import struct
from typing import Final

import msgspec

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
    """A display mode. ``raw`` contains its bytes, in the kernel's format."""

    width: int
    height: int
    is_preferred: bool
    raw: bytes


class Connector(msgspec.Struct, frozen=True):
    """A connector for a screen.

    encoders: those that can drive it.
    encoder: the current one, or 0 without one.

    ``is_built_in`` is True if it has no plug.
    """

    id: int
    is_connected: bool
    is_built_in: bool
    modes: tuple[Mode, ...]
    encoders: tuple[int, ...]
    encoder: int


class Encoder(msgspec.Struct, frozen=True):
    """An encoder that drives connectors.

    crtc: the current one, or 0 if none.
    possible: a bit for each CRTC.
    """

    crtc: int
    possible: int


class Frame(msgspec.Struct, frozen=True):
    """A displayable buffer of 32 bits per pixel. ``pitch`` is the number of bytes from row to row."""

    id: int
    pitch: int
    memory: mmap.mmap


def mode_of(raw: bytes) -> Mode:
    """Parse a mode from the kernel's 68 bytes."""
    fields = _MODE.unpack(raw)
    return Mode(fields[1], fields[6], bool(fields[13] & _PREFERRED), raw)


def resources(card: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the card's CRTCs and connectors. ``card`` is its open file."""
    counted = _RESOURCES.unpack(_ioctl(card, 0xA0, _RESOURCES.pack(*[0] * 12)))
    crtcs, connectors = array.array("I", [0] * counted[5]), array.array("I", [0] * counted[6])
    filled = _RESOURCES.pack(0, _at(crtcs), _at(connectors), 0, 0, len(crtcs), len(connectors), *[0] * 5)
    _ioctl(card, 0xA0, filled)
    return tuple(crtcs), tuple(connectors)


def connector(card: int, number: int) -> Connector:
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


def encoder(card: int, number: int) -> Encoder:
    """Return the state of an encoder."""
    fields = _ENCODER.unpack(_ioctl(card, 0xA6, _ENCODER.pack(number, 0, 0, 0, 0)))
    return Encoder(fields[2], fields[3])


def new_frame(card: int, width: int, height: int) -> Frame:
    """Create a black buffer of this size in pixels."""
    made = _DUMB.unpack(_ioctl(card, 0xB2, _DUMB.pack(height, width, _BITS, 0, 0, 0, 0)))
    handle, pitch, size = made[4], made[5], made[6]
    framed = _FRAME.unpack(_ioctl(card, 0xAE, _FRAME.pack(0, width, height, pitch, _BITS, _DEPTH, handle)))
    offset = _MAP.unpack(_ioctl(card, 0xB3, _MAP.pack(handle, 0, 0)))[2]
    return Frame(framed[0], pitch, mmap.mmap(card, size, offset=offset))


def show(card: int, crtc: int, frame: Frame, at: Connector, mode: Mode) -> None:
    """Show a buffer on a screen from now on. The card's file must be the DRM master."""
    connectors = array.array("I", [at.id])
    _ioctl(card, 0xA2, _CRTC.pack(_at(connectors), 1, crtc, frame.id, 0, 0, 0, 1, mode.raw))


def report_change(card: int, frame: Frame) -> None:
    """Tell the card that a buffer has changed, for cards that must copy it; others refuse the request."""
    _ioctl(card, 0xB1, _DIRTY.pack(frame.id, 0, 0, 0, 0))


def _ioctl(card: int, number: int, question: bytes) -> bytes:
    """Return the kernel's answer, in the format of the question. ``number`` is the number of the request."""
    request = 3 << 30 | len(question) << 16 | ord("d") << 8 | number
    return fcntl.ioctl(card, request, question)


def _at(numbers: "array.array[int]") -> int:
    return numbers.buffer_info()[0]
