"""Touches in logical pixels, from SDL and from the page of a virtual terminal, and the waking of the loop.

SDL keeps its touch devices private and has to be polled. The kernel notifies every reader of a device, so a
second reader, which discards the data, knows when polling is worthwhile, and the loop can sleep until then.
"""

import contextlib
import os
import select
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import pygame
import structlog

from kiosk.touch import VIRTUAL_FINGERS, Correction, Pointer, PointerPhase
from kiosk.ui.geometry import ScreenGeometry

_LIVE = VIRTUAL_FINGERS
_FIRST = _LIVE + 100_000
_FORSAKEN_MS = 15_000
"""A finger that isn't reported for this long belongs to a page that was closed."""


class VirtualTouches:
    """A queue of simulated touches. ``clock_ms`` is monotonic."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._number = _FIRST
        self._moments: list[Pointer] = []
        self._live: dict[int, Pointer] = {}
        self._within_ms: dict[int, int] = {}

    def touch(self, x: int, y: int, hold_ms: int, *, is_named: bool = False) -> None:
        """Put a finger down now and lift it after ``hold_ms``; touches are queued one after another."""
        self._number += 1
        touches = (p.at_ms + 1 for p in self._moments if p.finger > _FIRST)
        start = max([self._clock_ms(), *touches])
        self._moments.append(Pointer(self._number, PointerPhase.DOWN, x, y, start, is_named))
        self._moments.append(Pointer(self._number, PointerPhase.UP, x, y, start + hold_ms, is_named))

    def move(self, finger: int, phase: PointerPhase, x: int, y: int, *, within_ms: int | None = None) -> None:
        """Add an event of a finger; several fingers may be down at once.

        ``within_ms`` is the time until the next report, after which the finger counts as lost and its holds
        end; None if the finger stays down until lifted.
        """
        number = _LIVE + finger
        lies = number in self._live
        if lies == (phase is PointerPhase.DOWN):
            if not lies:
                return
            self._moments.append(self._now(number, PointerPhase.LOST, x, y))
        moment = self._now(number, phase, x, y)
        self._moments.append(moment)
        if phase in {PointerPhase.DOWN, PointerPhase.MOVE}:
            self._live[number] = moment
            if within_ms is not None:
                self._within_ms[number] = within_ms
        else:
            self._forget(number)

    def reported_ms(self, now_ms: int) -> int:
        """Return the time up to which all fingers have been reported, which counts for holds."""
        return min((self._live[number].at_ms for number in self._within_ms), default=now_ms)

    def is_down(self) -> bool:
        """Return whether a queued touch isn't over yet; reported fingers don't count."""
        return any(moment.finger > _FIRST for moment in self._moments)

    def any_down(self) -> bool:
        return bool(self._live or self._moments)

    def due(self, now_ms: int) -> tuple[Pointer, ...]:
        """Return the events that are due, oldest first."""
        for number, last in tuple(self._live.items()):
            if now_ms - last.at_ms >= self._patience_ms(number):
                self._forget(number)
                self._moments.append(Pointer(number, PointerPhase.LOST, last.x, last.y, now_ms))
        due = tuple(p for p in self._moments if p.at_ms <= now_ms)
        self._moments = [p for p in self._moments if p.at_ms > now_ms]
        return due

    def next_deadline_ms(self) -> int | None:
        forsaken = (last.at_ms + self._patience_ms(number) for number, last in self._live.items())
        return min((*(moment.at_ms for moment in self._moments), *forsaken), default=None)

    def _patience_ms(self, number: int) -> int:
        return self._within_ms.get(number, _FORSAKEN_MS)

    def _forget(self, number: int) -> None:
        del self._live[number]
        self._within_ms.pop(number, None)

    def _now(self, number: int, phase: PointerPhase, x: int, y: int) -> Pointer:
        return Pointer(number, phase, x, y, self._clock_ms())


MOUSE = -1
"""The finger number of a mouse."""

_LEFT_BUTTON = 1
_STEP = 0.04
"""The greatest move of a finger between two reports, as a share of width and height."""


def screen_position(
    glass: ScreenGeometry, x: float, y: float, correction: Correction | None = None
) -> tuple[int, int]:
    """Convert panel pixels to a screen position: turned, corrected and clamped."""
    width, height = glass.width, glass.height
    match glass.quarter_turns % 4:
        case 1:
            x, y = y, height - 1 - x
        case 2:
            x, y = width - 1 - x, height - 1 - y
        case 3:
            x, y = width - 1 - y, x
        case _:
            pass
    if correction is not None:
        share_x, share_y = correction.at((x / width, y / height))
        x, y = share_x * width, share_y * height
    return min(max(round(x), 0), width - 1), min(max(round(y), 0), height - 1)


class Pointers:
    """The fingers on the screen. Mice are ignored once there was a touch, as SDL may report both."""

    def __init__(self, glass: ScreenGeometry) -> None:
        self._glass = glass
        self._down: dict[int, tuple[int, int]] = {}
        self._fingers_seen = False
        self._correction: Correction | None = None

    def correct(self, correction: Correction | None) -> None:
        self._correction = correction

    def any_down(self) -> bool:
        return bool(self._down)

    def of(self, events: Iterable[pygame.event.Event], now_ms: int) -> tuple[Pointer, ...]:
        """Convert SDL events to pointers, in order."""
        pointers: list[Pointer] = []
        batch, (width, height) = tuple(events), self._glass.panel_size
        lifts, landings = _steps(batch)
        for number, event in enumerate(batch):
            match event.type:
                case pygame.FINGERUP if number in lifts and event.finger_id in self._down:
                    # Some panels report a moved finger as lifted and put down.
                    continue
                case pygame.FINGERDOWN | pygame.FINGERMOTION | pygame.FINGERUP:
                    pointers.extend(self._finger_seen(now_ms))
                    place = (event.x * width, event.y * height)
                    is_step = number in landings and event.finger_id in self._down
                    phase = PointerPhase.MOVE if is_step else _FINGER[event.type]
                    pointers.extend(self._moment(event.finger_id, phase, place, now_ms))
                case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == _LEFT_BUTTON:
                    pointers.extend(self._mouse(event, now_ms))
                case pygame.MOUSEMOTION if MOUSE in self._down:
                    pointers.extend(self._mouse(event, now_ms))
        return tuple(pointers)

    def _finger_seen(self, now_ms: int) -> tuple[Pointer, ...]:
        """Ignore mice from now on; lift one that is down, as it would never be lifted."""
        self._fingers_seen = True
        place = self._down.pop(MOUSE, None)
        return () if place is None else (Pointer(MOUSE, PointerPhase.LOST, *place, now_ms),)

    def _mouse(self, event: pygame.event.Event, now_ms: int) -> tuple[Pointer, ...]:
        if self._fingers_seen:
            return ()
        return self._moment(MOUSE, _MOUSE[event.type], event.pos, now_ms)

    def _moment(
        self, finger: int, phase: PointerPhase, place: tuple[float, float], now_ms: int
    ) -> tuple[Pointer, ...]:
        x, y = screen_position(self._glass, *place, self._correction)
        lost: tuple[Pointer, ...] = ()
        if phase is PointerPhase.DOWN and finger in self._down:
            # The panel never reported that it was lifted.
            lost = (Pointer(finger, PointerPhase.LOST, *self._down[finger], now_ms),)
        if phase is not PointerPhase.DOWN and finger not in self._down:
            return ()
        if phase is PointerPhase.UP:
            del self._down[finger]
        else:
            self._down[finger] = (x, y)
        return (*lost, Pointer(finger, phase, x, y, now_ms))


def _steps(events: Sequence[pygame.event.Event]) -> tuple[set[int], set[int]]:
    """Find fingers that one report lifts and puts down nearby, and return the indices of both events.

    A finger put down farther away belongs to another hand: panels reuse a lifted finger's number immediately.
    """
    lifts, landings = set(), set()
    last: dict[int, int] = {}
    for number, event in enumerate(events):
        if event.type not in _FINGER:
            continue
        before = last.get(event.finger_id)
        if event.type == pygame.FINGERDOWN and before is not None and events[before].type == pygame.FINGERUP:
            aside = max(abs(event.x - events[before].x), abs(event.y - events[before].y))
            if aside <= _STEP:
                lifts.add(before)
                landings.add(number)
        last[event.finger_id] = number
    return lifts, landings


_FINGER = {
    pygame.FINGERDOWN: PointerPhase.DOWN,
    pygame.FINGERMOTION: PointerPhase.MOVE,
    pygame.FINGERUP: PointerPhase.UP,
}
_MOUSE = {
    pygame.MOUSEBUTTONDOWN: PointerPhase.DOWN,
    pygame.MOUSEMOTION: PointerPhase.MOVE,
    pygame.MOUSEBUTTONUP: PointerPhase.UP,
}


_log = structlog.get_logger()
DEVICES: Final = Path("/dev/input")
_TELLS: Final = Path("/sys/class/input")
LOOK_MS: Final = 5_000
"""The interval of looking for new devices, as a panel may become ready later than the board."""
_MULTITOUCH: Final = 0x35
"""Linux's ABS_MT_POSITION_X: only touch panels have it."""
_TOUCH: Final = 0x14A
"""Linux's BTN_TOUCH, of single-touch panels."""
_LEFT: Final = 0x110
"""Linux's BTN_LEFT, of mice."""
_READ: Final = 65536


class TouchWakeup:
    """The touch panels and mice of this machine, as a descriptor to wait for."""

    def __init__(self, devices: Path = DEVICES, tells: Path = _TELLS) -> None:
        self._devices = devices
        self._tells = tells
        self._epoll = select.epoll()
        self._wired: dict[str, int] = {}
        self._next_look_ms: int | None = None

    def fileno(self) -> int:
        return self._epoll.fileno()

    def is_wired(self) -> bool:
        """Return whether any device wakes the loop; without one, SDL must be polled."""
        return bool(self._wired)

    def look(self, now_ms: int) -> None:
        """Open new devices; call this in every turn, as it only looks now and then."""
        if self._next_look_ms is not None and now_ms < self._next_look_ms:
            return
        self._next_look_ms = now_ms + LOOK_MS
        with contextlib.suppress(OSError):
            for tell in self._tells.glob("event*"):
                if tell.name not in self._wired and _can_touch(tell / "device" / "capabilities"):
                    self._wire(tell.name)

    def settle(self) -> None:
        """Discard pending data, and close devices that were unplugged."""
        for name, device in tuple(self._wired.items()):
            try:
                while chunk := os.read(device, _READ):
                    if len(chunk) < _READ:
                        break
                else:
                    self._unwire(name)
            except BlockingIOError:
                continue
            except OSError:
                self._unwire(name)

    def close(self) -> None:
        """Close all devices."""
        for name in tuple(self._wired):
            self._unwire(name)
        self._epoll.close()

    def _wire(self, name: str) -> None:
        try:
            device = os.open(self._devices / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            _log.warning("no permission to read a touch panel", device=name, problem=str(error))
            return
        self._wired[name] = device
        self._epoll.register(device, select.EPOLLIN)
        _log.info("touch", device=name)

    def _unwire(self, name: str) -> None:
        device = self._wired.pop(name)
        with contextlib.suppress(OSError):
            self._epoll.unregister(device)
        os.close(device)


def _can_touch(capabilities: Path) -> bool:
    axes, keys = _bits(capabilities / "abs"), _bits(capabilities / "key")
    return bool(axes >> _MULTITOUCH & 1 or keys >> _TOUCH & 1 or keys >> _LEFT & 1)


def _bits(file: Path) -> int:
    """Read a bit mask in sysfs: hexadecimal words of 64 bits, the highest first."""
    bits = 0
    with contextlib.suppress(OSError, ValueError):
        for word in file.read_text(encoding="ascii").split():
            bits = bits << 64 | int(word, 16)
    return bits
