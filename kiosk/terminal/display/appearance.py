"""The first language and rotation of a terminal: from the command line, or the provisioning file."""

from pathlib import Path
from typing import Final

import msgspec

from saloon.sync.terminal.station_record import StationRecord

USUAL_LANGUAGE: Final = "en"
_QUARTER: Final = 90


class Appearance(msgspec.Struct, frozen=True):
    """The appearance of the picture. quarter_turns: clockwise. inches: the panel's diagonal; None for 7."""

    language: str
    quarter_turns: int
    inches: float | None


def appearance_of(
    data: Path, sources: tuple[Path, ...], *, language: str, quarter_turns: int | None, inches: float | None
) -> Appearance:
    """Return the appearance for this start. sources: the provisioning files that it is about to take over.

    language, quarter_turns, inches: of the command line; empty or None where it says nothing.
    """
    told = StationRecord(data).settings_after_import(sources)
    if quarter_turns is None:
        quarter_turns = (told.rotation or 0) // _QUARTER
    return Appearance(
        language or told.language or USUAL_LANGUAGE,
        quarter_turns,
        told.inches if inches is None else inches,
    )
