"""What the structs of an edition have in common: strict fields, and ranges without gap or overlap."""

from itertools import pairwise

import msgspec


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of an edition; a key of the file that it does not know is an error."""


def check_ranges(name: str, ranges: list[tuple[int, int | None]]) -> None:
    """Raises ValueError unless rows from .. to follow one another and the last one is open (None)."""
    if not ranges:
        raise ValueError(f"{name} is empty")
    for (_, last), (following, _) in pairwise(ranges):
        if last is None or following != last + 1:
            raise ValueError(f"{name}: a row from {following} follows a row to {last}; no gap, no overlap")
    if any(last is not None and last < first for first, last in ranges):
        raise ValueError(f"{name}: a row ends before it starts")
    if ranges[-1][1] is not None:
        raise ValueError(f"{name}: the last row must be open (no players_to)")
