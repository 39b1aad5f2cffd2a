"""The settings that the system passes from the card file to the station and its screen."""

from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from base.whole_file import disk_errors_as_unavailable

HALL_FILE: Final = "hall.json"


class WifiShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The station's access point, as shown to people. ``address`` is the station's address in its network."""

    name: str
    password: str
    address: str = ""


class CardProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A problem with the card file.

    line: its number, from 1, or 0 if unknown.
    key: the key with its section.
    problem: a sentence of ``provisioning_keys.Fault``, with its fields in braces.
    text: the line, without secrets.
    """

    line: int
    key: str
    problem: str
    text: str = ""
    fields: dict[str, str] = {}


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hall's settings.

    language: the language of the station's screen.
    wifi: None if this is not an access point.
    copy_every_min: minutes between two copies on a stick.
    card: the problem of a rejected card file.
    version: the image's version.
    """

    name: str = ""
    language: str = "en"
    wifi: WifiShown | None = None
    copy_every_min: int = 10
    card: CardProblem | None = None
    version: str = ""


def read_hall(folder: Path) -> HallSettings:
    """Read the hall's settings from the system's folder, or the defaults. Raises Unavailable or BadData."""
    path = folder / HALL_FILE
    try:
        with disk_errors_as_unavailable(path):
            content = path.read_bytes()
    except Unavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return HallSettings()
        raise
    try:
        return msgspec.json.decode(content, type=HallSettings)
    except msgspec.DecodeError as error:
        raise BadData(str(path), f"{error}; start the computer again") from error
