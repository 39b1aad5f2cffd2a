"""The slots of a panel's parts: a failed part is reported, closed, and tried again later."""

import contextlib
from collections.abc import Callable
from typing import Final, Protocol

from hardware.contract import PanelEvent, PartFailed, PartRecovered, RepairHint
from hardware.parts.outputs import NoBacklight
from hardware.pins import PinFault

AGAIN_MS: Final = 30_000
"""Milliseconds until a failed part is tried again."""


class PanelPart(Protocol):
    """A part that has claimed its pins. All failures are raised as PinFault or NoBacklight."""

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the part, and return its events."""

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``advance`` must be called next, or None if only an edge requires it."""

    def close(self) -> None:
        """Switch it off and free its pins."""


class PartSlot:
    """The slot of one part. ``take`` creates the part or claims its pins, and raises PinFault."""

    def __init__(self, name: str, take: Callable[[], PanelPart]) -> None:
        self.name = name
        self.part: PanelPart | None = None
        self.lost: PartFailed | None = None
        self._take = take
        self._again_ms = 0

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Update the part, or try to recover it."""
        if self.part is None and now_ms < self._again_ms:
            return ()
        try:
            if self.part is None:
                self.part = self._take()
            events = self.part.advance(now_ms)
        except (PinFault, NoBacklight) as fault:
            return self._lose(fault, now_ms)
        mended, self.lost = self.lost, None
        return (PartRecovered(self.name), *events) if mended is not None else events

    def deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``advance`` must be called next.

        That is the part's own deadline, or the next attempt to recover it.
        """
        return self._again_ms if self.part is None else self.part.deadline_ms(now_ms)

    def close(self) -> None:
        """Switch the part off and free its pins."""
        part, self.part = self.part, None
        if part is not None:
            with contextlib.suppress(PinFault):
                part.close()

    def _lose(self, fault: PinFault | NoBacklight, now_ms: int) -> tuple[PanelEvent, ...]:
        self.close()
        self._again_ms = now_ms + AGAIN_MS
        mend = fault.mend if isinstance(fault, PinFault) else RepairHint.RIGHTS
        before, self.lost = self.lost, PartFailed(self.name, str(fault), mend)
        return (self.lost,) if self.lost != before else ()
