"""Scenes of a rehearsal, each with its mark: for pictures and for tests."""

from collections.abc import Iterator

import msgspec

from saloon.kiosk.rehearsal.moments import Moment, moments

_MARKED = ("play", "waiting", "sheet")


def mark_moments(seats: int) -> Iterator[Moment]:
    """Some scenes as a rehearsal shows them."""
    for moment in moments(seats):
        if moment.picture in _MARKED:
            view = msgspec.structs.replace(moment.view, is_rehearsal=True)
            yield msgspec.structs.replace(moment, picture=f"rehearsal-{moment.picture}", view=view)
