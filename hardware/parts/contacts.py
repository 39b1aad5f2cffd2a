"""Buttons, switches and a battery's signals: their pins, and the events from their edges."""

import contextlib
from collections import deque
from collections.abc import Callable

import msgspec
from gpiozero.pins import Factory

from hardware.contract import (
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
from hardware.parts.debounce import ButtonState, Chatter, KeyState
from hardware.parts.readings import Battery
from hardware.pins import InputPin, PinFault

_STUCK_MS = 60_000
_MOST_EDGES = 4096
"""The most edges kept, the newest ones; a loose wire produces thousands a second."""
_UNREST_MS = 10_000
"""Milliseconds without rest after which a switch is reported as chattering."""
_REST_MS = 1_000
"""Milliseconds without an edge after which a switch is at rest."""


class PushButton:
    """A button. Raises PinFault.

    clock_ms: monotonic.
    wake: called, on any thread, after an edge.
    """

    def __init__(
        self,
        button: PanelButton,
        part: ButtonWiring,
        factory: Factory,
        clock_ms: Callable[[], int],
        wake: Callable[[], None],
    ) -> None:
        def on_edge(closed: bool) -> None:  # noqa: FBT001 (as the pin tells it)
            self._edges.append((closed, clock_ms()))
            wake()

        self.name = f"button {button.value}"
        self.stuck: PartFailed | None = None
        self._button = button
        self._hold_ms = part.hold_ms
        self._edges: deque[tuple[bool, int]] = deque(maxlen=_MOST_EDGES)
        self._pin = InputPin(part.pin, to_ground=part.to_ground, factory=factory, moved=on_edge)
        # A button that is closed from the start wasn't pressed and may be stuck.
        is_closed = self._pin.is_closed()
        self._state = ButtonState(is_closed, clock_ms(), held=is_closed)
        self._chatter = Chatter(moved_ms=clock_ms())

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Return the events from its edges and its level. Raises PinFault."""
        events: list[PanelEvent] = []
        while self._edges:
            closed, at_ms = self._edges.popleft()
            events.extend(self._on_edge(closed=closed, at_ms=at_ms))
        events.extend(self._on_edge(closed=self._pin.is_closed(), at_ms=now_ms))
        events.extend(self._check_hold(now_ms))
        events.extend(self._check_rest(now_ms))
        return tuple(events)

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which ``advance`` must be called next."""
        due = self._state.deadline_ms(now_ms, self._hold_ms)
        if due is None and self._state.closed and not self._is_jammed():
            return self._state.since_ms + _STUCK_MS
        rested = self._chatter.deadline_ms(closed=self._state.closed)
        return rested if due is None else min(due, rested or due)

    def close(self) -> None:
        """Free the pin. Raises PinFault."""
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
            return () if was_silent else self._fails("chatters: faster than a hand", RepairHint.CLEAN)
        if not closed:
            return self._recover()
        return (ButtonPressed(self._button, PressKind.PRESSED, at_ms),)

    def _check_hold(self, now_ms: int) -> tuple[PanelEvent, ...]:
        state = self._state
        if state.closed and now_ms - state.since_ms >= _STUCK_MS and not self._is_jammed():
            return self._fails("stuck: closed for a minute", RepairHint.RELEASE)
        if not state.is_due_to_be_held(now_ms, self._hold_ms):
            return ()
        self._state = msgspec.structs.replace(state, held=True)
        return (ButtonPressed(self._button, PressKind.HELD, now_ms),)

    def _check_rest(self, now_ms: int) -> tuple[PanelEvent, ...]:
        was_silent = self._chatter.is_silent
        self._chatter = self._chatter.at(now_ms, closed=self._state.closed)
        return self._recover() if was_silent and not self._chatter.is_silent else ()

    def _is_jammed(self) -> bool:
        return self.stuck is not None and self.stuck.mend is RepairHint.RELEASE

    def _fails(self, problem: str, mend: RepairHint) -> tuple[PartFailed]:
        self.stuck = PartFailed(self.name, problem, mend)
        return (self.stuck,)

    def _recover(self) -> tuple[PanelEvent, ...]:
        mended, self.stuck = self.stuck, None
        return (PartRecovered(self.name),) if mended is not None else ()


class Switch:
    """A switch with two positions. Raises PinFault. ``wake`` is called, on any thread, after an edge."""

    def __init__(
        self, part: SwitchWiring, factory: Factory, clock_ms: Callable[[], int], wake: Callable[[], None]
    ) -> None:
        def on_edge(_closed: bool) -> None:  # noqa: FBT001 (as the pin tells it)
            self._edges.append(clock_ms())
            wake()

        self.name = part.state.part
        self.stuck: PartFailed | None = None
        self._edges: deque[int] = deque(maxlen=_MOST_EDGES)
        self._last_edge_ms = -_REST_MS
        self._unrest_ms: int | None = None
        self._state = KeyState()
        self._pin = InputPin(part.pin, to_ground=part.to_ground, factory=factory, moved=on_edge)

    @property
    def on(self) -> bool:
        """Return the position at the last rest: True for on."""
        return self._state.on

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Return a change of the switch, or a report of chatter. Raises PinFault."""
        events = self._check_rest(now_ms)
        before = self._state
        self._state = before.after(level=self._pin.is_closed(), now_ms=now_ms)
        turned = (SwitchMoved(self.name, self._state.on, now_ms),) if self._state.on != before.on else ()
        return (*events, *turned)

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return the time at which ``advance`` must be called next."""
        del now_ms
        settled = self._state.deadline_ms()
        if self.stuck is None:
            return settled
        return min(self._last_edge_ms + _REST_MS, settled or self._last_edge_ms + _REST_MS)

    def close(self) -> None:
        """Free the pin. Raises PinFault."""
        self._pin.close()

    def _check_rest(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Check the edges: a switch without any rest has a loose contact."""
        if now_ms - self._last_edge_ms >= _REST_MS:
            self._unrest_ms = None
        while self._edges:
            self._last_edge_ms = self._edges.popleft()
            if self._unrest_ms is None:
                self._unrest_ms = self._last_edge_ms
        if self._unrest_ms is None:
            mended, self.stuck = self.stuck, None
            return (PartRecovered(self.name),) if mended is not None else ()
        if self.stuck is None and now_ms - self._unrest_ms >= _UNREST_MS:
            self.stuck = PartFailed(self.name, "chatters: not still for ten seconds", RepairHint.CLEAN)
            return (self.stuck,)
        return ()


class BatteryPins:
    """The pins of a battery, claimed by ``wire``. A level counts once it is stable, as with a key."""

    name = "battery"

    def __init__(self, part: BatteryWiring, wake: Callable[[], None]) -> None:
        self._part, self._wake = part, wake
        self._pins: dict[str, InputPin] = {}
        self._levels = {"power_lost": KeyState(), "low": KeyState()}
        self.reading: Battery | None = None

    def wire(self, factory: Factory) -> None:
        """Claim its pins: all of them, or none with PinFault."""
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

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the levels, and ``reading`` from them. Raises PinFault."""
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
        """Free its pins."""
        self.reading = None
        while self._pins:
            with contextlib.suppress(PinFault):
                self._pins.popitem()[1].close()
