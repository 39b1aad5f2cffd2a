"""The progress of an update, for the table's screen."""

from typing import Final

import msgspec

from sync.update.messages import UpdateReported, UpdateStage
from sync.update.version import About

NOTHING: Final = UpdateReported(UpdateStage.NONE)


class UpdateNews(msgspec.Struct, frozen=True):
    """The progress of an update.

    about: the version, or None if there is none.
    payload: its size in bytes.
    """

    progress: UpdateReported = NOTHING
    about: About | None = None
    payload: int = 0
