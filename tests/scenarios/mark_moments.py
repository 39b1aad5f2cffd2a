"""Scenes of a rehearsal, each with its mark: for pictures and for tests."""

from collections.abc import Iterator

import msgspec

from core.editions.edition import Edition
from tests.scenarios.moments import EDITION, Moment, moments

_MARKED = ("play", "waiting", "sheet", "confirmed")


def mark_moments(seats: int, rules: Edition = EDITION) -> Iterator[Moment]:
    """Yield some scenes as a rehearsal shows them."""
    for moment in moments(seats, rules):
        if moment.picture in _MARKED:
            view = msgspec.structs.replace(moment.view, is_rehearsal=True)
            yield msgspec.structs.replace(moment, picture=f"rehearsal-{moment.picture}", view=view)
