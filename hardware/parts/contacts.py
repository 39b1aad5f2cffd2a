"""Buttons, switches and the pins of a battery: edges become debounced events.

Debouncing acts on the first edge and ignores chatter for a while. Presses that are too short or too fast come
from a loose wire, or from hammering on the button. They mute it until it has been at rest.
"""

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Final, Self

import msgspec
from gpiozero.pins import Factory

from hardware.contract import (
    Battery,
    ButtonPressed,
    PanelButton,
    PanelEvent,
    PartFailed,
    PartRecovered,
    PressKind,
    RepairHint,
    SwitchMoved,
)
from hardware.part_wiring import BatteryWiring, ButtonWiring, SwitchWiring
from hardware.pins import InputPin, PinFault

QUIET_MS = 30
"""Milliseconds after an edge for which a button's chatter is ignored."""
SETTLED_MS = 100
"""Milliseconds for which a key switch must be still to count."""
SHORT_MS: Final = 40
"""The shortest press, in milliseconds, that can come from a finger."""
MOST_SHORT: Final = 2
"""The number of consecutive short presses that reveals a loose wire."""
ROW_MS: Final = 2_000
"""Presses further apart than this, in milliseconds, are not consecutive."""
PACES: Final = ((5, ROW_MS), (9, 10_000))
"""Limits as (presses, milliseconds), above what people need: nine presses end all turns at a table of ten."""
REST_MS: Final = 3_000
"""Milliseconds that a muted button must be open and still to work again."""
LONG_REST_MS: Final = 30_000
"""The same for a button that was muted within NOT_LONG_AGO_MS."""
NOT_LONG_AGO_MS: Final = 300_000


class ButtonState(msgspec.Struct, frozen=True):
    """The last accepted level of a button. Chatter is ignored until ``quiet_until_ms``."""

    closed: bool = False
    since_ms: int = 0
    quiet_until_ms: int = 0
    held: bool = False

    def after(self, *, level: bool, now_ms: int) -> "ButtonState":
        """Return the state after reading a level."""
        if now_ms < self.quiet_until_ms or level == self.closed:
            return self
        return ButtonState(level, now_ms, now_ms + QUIET_MS)

    def is_due_to_be_held(self, now_ms: int, hold_ms: int) -> bool:
        return self.closed and not self.held and now_ms - self.since_ms >= hold_ms

    def deadline_ms(self, now_ms: int, hold_ms: int) -> int | None:
        """Return when to check the button again."""
        due = [self.quiet_until_ms] if now_ms < self.quiet_until_ms else []
        if self.closed and not self.held:
            due.append(self.since_ms + hold_ms)
        return min(due, default=None)


class KeyState(msgspec.Struct, frozen=True):
    """A key switch: its last stable level, and the current level since ``since_ms``."""

    on: bool = False
    level: bool = False
    since_ms: int = 0

    def after(self, *, level: bool, now_ms: int) -> "KeyState":
        """Return the state after reading a level."""
        moved = self if level == self.level else KeyState(self.on, level, now_ms)
        if moved.level != moved.on and now_ms - moved.since_ms >= SETTLED_MS:
            return KeyState(moved.level, moved.level, moved.since_ms)
        return moved

    def deadline_ms(self) -> int | None:
        return self.since_ms + SETTLED_MS if self.level != self.on else None


class Chatter(msgspec.Struct, frozen=True):
    """The recent movements of a button, after debouncing. All times are of one monotonic clock.

    presses: their times, oldest first, as far back as needed.
    shorts: the number of consecutive presses that were too short.
    is_silent: the button is muted.
    mended_ms: when it was last unmuted, or None if it was never muted.
    """

    presses: tuple[int, ...] = ()
    shorts: int = 0
    moved_ms: int = 0
    is_silent: bool = False
    mended_ms: int | None = None

    @property
    def rest_ms(self) -> int:
        """The milliseconds that a muted button must be still."""
        if self.mended_ms is None or self.presses[-1] - self.mended_ms > NOT_LONG_AGO_MS:
            return REST_MS
        return LONG_REST_MS

    def after_edge(self, *, closed: bool, at_ms: int) -> "Chatter":
        """Return the state after a press or release. The press that mutes the button does not count."""
        if self.is_silent:
            return msgspec.structs.replace(self, moved_ms=at_ms)
        if not closed:
            shorts = self.shorts + 1 if at_ms - self.moved_ms < SHORT_MS else 0
            is_silent = shorts >= MOST_SHORT
            return msgspec.structs.replace(self, shorts=shorts, moved_ms=at_ms, is_silent=is_silent)
        presses = (*self.presses[-_MOST_PRESSES:], at_ms)
        return msgspec.structs.replace(
            self,
            presses=presses,
            shorts=self.shorts if at_ms - self.moved_ms <= ROW_MS else 0,
            moved_ms=at_ms,
            is_silent=any(_is_beyond(presses, most, within_ms) for most, within_ms in PACES),
        )

    def at(self, now_ms: int, *, closed: bool) -> "Chatter":
        """Return the state at a time: a muted button that is open works again after a rest."""
        if not self.is_silent or closed or now_ms < self.moved_ms + self.rest_ms:
            return self
        return Chatter(moved_ms=self.moved_ms, mended_ms=now_ms)

    def deadline_ms(self, *, closed: bool) -> int | None:
        return self.moved_ms + self.rest_ms if self.is_silent and not closed else None


_MOST_PRESSES: Final = max(most for most, _ in PACES)


def _is_beyond(presses: tuple[int, ...], most: int, within_ms: int) -> bool:
    return len(presses) > most and presses[-1] - presses[-1 - most] <= within_ms


_STUCK_MS = 60_000
_MOST_EDGES = 4096
"""The most edges kept, since a loose wire produces thousands a second."""
_UNREST_MS = 10_000
"""Milliseconds of continuous chatter after which a switch is reported."""
_REST_MS = 1_000


class MonitoredPart:
    """A part whose signals reveal when it is broken. ``stuck`` is its current failure."""

    name: str
    stuck: PartFailed | None = None

    def _fail(self, problem: str, remedy: RepairHint) -> tuple[PanelEvent, ...]:
        self.stuck = PartFailed(self.name, problem, remedy)
        return (self.stuck,)

    def _recover(self) -> tuple[PanelEvent, ...]:
        failed, self.stuck = self.stuck, None
        return (PartRecovered(self.name),) if failed is not None else ()


class PushButton(MonitoredPart):
    """A button. Raises PinFault. ``wake`` is called, on any thread, after an edge."""

    def __init__(
        self,
        button: PanelButton,
        part: ButtonWiring,
        factory: Factory,
        clock_ms: Callable[[], int],
        wake: Callable[[], None],
    ) -> None:
        def on_edge(closed: bool) -> None:  # noqa: FBT001 (a callback of the pin)
            self._edges.append((closed, clock_ms()))
            wake()

        self.name = f"button {button.value}"
        self._button = button
        self._hold_ms = part.hold_ms
        self._edges: deque[tuple[bool, int]] = deque(maxlen=_MOST_EDGES)
        self._pin = InputPin(part.pin, to_ground=part.to_ground, factory=factory, moved=on_edge)
        # A button that is closed from the start wasn't pressed and may be stuck.
        is_closed = self._pin.is_closed()
        self._state = ButtonState(is_closed, clock_ms(), held=is_closed)
        self._chatter = Chatter(moved_ms=clock_ms())

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Return the events since the last call. Raises PinFault."""
        events: list[PanelEvent] = []
        while self._edges:
            closed, at_ms = self._edges.popleft()
            events.extend(self._on_edge(closed=closed, at_ms=at_ms))
        events.extend(self._on_edge(closed=self._pin.is_closed(), at_ms=now_ms))
        events.extend(self._check_hold(now_ms))
        events.extend(self._check_rest(now_ms))
        return tuple(events)

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``advance`` must be called next."""
        due = self._state.deadline_ms(now_ms, self._hold_ms)
        if due is None and self._state.closed and not self._is_jammed():
            return self._state.since_ms + _STUCK_MS
        rested = self._chatter.deadline_ms(closed=self._state.closed)
        return rested if due is None else min(due, rested or due)

    def close(self) -> None:
        self._pin.close()

    def _on_edge(self, *, closed: bool, at_ms: int) -> tuple[PanelEvent, ...]:
        before = self._state
        self._state = before.after(level=closed, now_ms=at_ms)
        if self._state.closed == before.closed:
            return ()
        was_silent = self._chatter.is_silent
        self._chatter = self._chatter.after_edge(closed=closed, at_ms=at_ms)
        if self._chatter.is_silent:
            # A chattering button doesn't count as held.
            self._state = msgspec.structs.replace(self._state, held=True)
            return () if was_silent else self._fail("chatters: faster than a hand", RepairHint.CLEAN)
        if not closed:
            return self._recover()
        return (ButtonPressed(self._button, PressKind.PRESSED, at_ms),)

    def _check_hold(self, now_ms: int) -> tuple[PanelEvent, ...]:
        state = self._state
        if state.closed and now_ms - state.since_ms >= _STUCK_MS and not self._is_jammed():
            return self._fail("stuck: closed for a minute", RepairHint.RELEASE)
        if not state.is_due_to_be_held(now_ms, self._hold_ms):
            return ()
        self._state = msgspec.structs.replace(state, held=True)
        return (ButtonPressed(self._button, PressKind.HELD, now_ms),)

    def _check_rest(self, now_ms: int) -> tuple[PanelEvent, ...]:
        was_silent = self._chatter.is_silent
        self._chatter = self._chatter.at(now_ms, closed=self._state.closed)
        return self._recover() if was_silent and not self._chatter.is_silent else ()

    def _is_jammed(self) -> bool:
        return self.stuck is not None and self.stuck.remedy is RepairHint.RELEASE


class Switch(MonitoredPart):
    """A switch with two positions. Raises PinFault. ``wake`` is called, on any thread, after an edge."""

    def __init__(
        self, part: SwitchWiring, factory: Factory, clock_ms: Callable[[], int], wake: Callable[[], None]
    ) -> None:
        def on_edge(_closed: bool) -> None:  # noqa: FBT001 (a callback of the pin)
            self._edges.append(clock_ms())
            wake()

        self.name = part.state.part
        self._edges: deque[int] = deque(maxlen=_MOST_EDGES)
        self._last_edge_ms = -_REST_MS
        self._unrest_ms: int | None = None
        self._state = KeyState()
        self._pin = InputPin(part.pin, to_ground=part.to_ground, factory=factory, moved=on_edge)

    @property
    def on(self) -> bool:
        return self._state.on

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Return a change of the switch, or a report of chatter. Raises PinFault."""
        events = self._check_rest(now_ms)
        before = self._state
        self._state = before.after(level=self._pin.is_closed(), now_ms=now_ms)
        turned = (SwitchMoved(self.name, self._state.on, now_ms),) if self._state.on != before.on else ()
        return (*events, *turned)

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``advance`` must be called next."""
        del now_ms
        settled = self._state.deadline_ms()
        if self.stuck is None:
            return settled
        return min(self._last_edge_ms + _REST_MS, settled or self._last_edge_ms + _REST_MS)

    def close(self) -> None:
        self._pin.close()

    def _check_rest(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Report a switch that never comes to rest, which has a loose contact."""
        if now_ms - self._last_edge_ms >= _REST_MS:
            self._unrest_ms = None
        while self._edges:
            self._last_edge_ms = self._edges.popleft()
            if self._unrest_ms is None:
                self._unrest_ms = self._last_edge_ms
        if self._unrest_ms is None:
            return self._recover()
        if self.stuck is None and now_ms - self._unrest_ms >= _UNREST_MS:
            return self._fail("chatters: not still for ten seconds", RepairHint.CLEAN)
        return ()


class BatteryPins:
    """The pins of a battery, claimed by ``wire``. As with a key switch, a level counts once it is stable."""

    name = "battery"

    def __init__(self, part: BatteryWiring, wake: Callable[[], None]) -> None:
        self._part, self._wake = part, wake
        self._pins: dict[str, InputPin] = {}
        self._levels = {"power_lost": KeyState(), "low": KeyState()}
        self.reading: Battery | None = None

    def wire(self, factory: Factory) -> Self:
        """Claim all pins, or none and raise PinFault."""
        part, to_ground = self._part, not self._part.active_high
        try:
            for name, number in (("power_lost", part.power_lost), ("low", part.low)):
                if number is not None:
                    self._pins[name] = InputPin(
                        number, to_ground=to_ground, factory=factory, moved=lambda _: self._wake()
                    )
        except PinFault:
            self.close()
            raise
        return self

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update ``reading`` from the levels of the pins. Raises PinFault."""
        for name, pin in self._pins.items():
            self._levels[name] = self._levels[name].after(level=pin.is_closed(), now_ms=now_ms)
        on_mains = not self._levels["power_lost"].on if "power_lost" in self._pins else None
        self.reading = Battery(None, on_mains, self._levels["low"].on)
        return ()

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when a level will count as stable."""
        del now_ms
        due = (level.deadline_ms() for level in self._levels.values())
        return min((at_ms for at_ms in due if at_ms is not None), default=None)

    def close(self) -> None:
        """Release the pins, ignoring failures."""
        self.reading = None
        while self._pins:
            with contextlib.suppress(PinFault):
                self._pins.popitem()[1].close()
