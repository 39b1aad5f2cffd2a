"""A table's quarrel over an ending: one player disputes it at their own panel, the others agree. Pure."""

import msgspec

from saloon.kiosk.rehearsal.seen import Seen, Touch

SCENES = frozenset({"ending", "dispute", "roles-declare", "sheet"})
_DISPUTES, _AGREES, _NOW = "-disputes", "-agrees", "dispute-now"
_BEHIND_IT = frozenset({"roles-declare", "sheet"})


class Quarrel(msgspec.Struct, frozen=True):
    """One quarrel. seat: the disputing one, as ``seat-3``; empty before that. is_said: at the panel."""

    seat: str = ""
    is_said: bool = False

    def next_touch(self, seen: Seen) -> "tuple[Quarrel, Touch | None]":
        """Return the next touch of a quarrelling table; None where it only waits for the judge."""
        if seen.target(_NOW):
            return msgspec.structs.replace(self, is_said=True), Touch(_NOW, 4)
        disputes = _ending_with(seen, _DISPUTES)
        if not self.is_said and disputes:
            name = disputes[-1]
            return Quarrel(name.removesuffix(_DISPUTES)), Touch(name, 6)
        others = [name for name in _ending_with(seen, _AGREES) if not name.startswith(f"{self.seat}-")]
        return self, Touch(others[0], 3) if others and self.is_said else None

    def is_overruled(self, seen: Seen) -> bool:
        """Return whether the judge went on without the disputing player's agreement."""
        goes_on = seen.target("to-roles") is not None or seen.scene in _BEHIND_IT
        return self.is_said and goes_on


def _ending_with(seen: Seen, suffix: str) -> tuple[str, ...]:
    return tuple(name for name in seen.offered("seat-") if name.endswith(suffix))
