"""The screen as a person at the table sees it: its scene and touch targets."""

import re

import msgspec

from core.terms import SeatNo

_SEAT = re.compile(r"seat-(\d+)-")


class SeenTarget(msgspec.Struct, frozen=True):
    """A place on the screen that can be touched."""

    id: str
    label: str = ""
    enabled: bool = True
    hold_ms: int = 0


class Seen(msgspec.Struct, frozen=True):
    """The contents of the screen at one moment."""

    scene: str
    targets: tuple[SeenTarget, ...]

    def target(self, name: str) -> SeenTarget | None:
        """Return the target with this name if it can be touched now."""
        return next((t for t in self.targets if t.id == name and t.enabled), None)

    def targets_like(self, prefix: str, suffix: str = "") -> tuple[str, ...]:
        names = (t.id for t in self.targets if t.enabled)
        return tuple(name for name in names if name.startswith(prefix) and name.endswith(suffix))

    def seats_with(self, suffix: str) -> tuple[SeatNo, ...]:
        """Return the seats that have a touchable target ``seat-N-suffix``, in order."""
        matches = (_SEAT.fullmatch(t.id.removesuffix(suffix)) for t in self.targets if t.enabled)
        return tuple(sorted(SeatNo(int(match[1])) for match in matches if match))

    def seats(self) -> int:
        return max((int(match[1]) for t in self.targets if (match := _SEAT.match(t.id))), default=0)


class Touch(msgspec.Struct, frozen=True):
    """A touch of a target. ``after_s`` is how long people wait before it, at normal speed."""

    target: str
    after_s: float
    hold_ms: int = 0
