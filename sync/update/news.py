"""How far an update is, as the table's screen is told."""

from typing import Final

import msgspec

from saloon.sync.update.about import About
from saloon.sync.update.messages import UpdateStage, UpdateTold

NOTHING: Final = UpdateTold(UpdateStage.NONE)


class UpdateNews(msgspec.Struct, frozen=True):
    """How far an update is. about: the version; None for none. payload: bytes of it."""

    told: UpdateTold = NOTHING
    about: About | None = None
    payload: int = 0
