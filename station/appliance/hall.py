"""What the system made of the card's file, as the station and its own screen are told of it."""

from pathlib import Path
from typing import Final

import msgspec

from saloon.core.errors import BadData, Unavailable
from saloon.sync.whole_file import told

HALL_FILE: Final = "hall.json"


class WifiShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The access point that this station is. name, password: to be typed or scanned. address: in it."""

    name: str
    password: str
    address: str = ""


class CardProblem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong with the card's file. line: from 1, 0 for none. key: with its section.

    problem: a sentence of ``sync.provisioning_faults``, with its fields in braces. text: the line, without
    secrets.
    """

    line: int
    key: str
    problem: str
    text: str = ""
    fields: dict[str, str] = {}


class Hall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """name: of the hall. language: of the own screen. wifi: None where this is no access point.

    copy_every_min: between two copies on a stick. card: of a file that was not taken. version: of the image.
    """

    name: str = ""
    language: str = "en"
    wifi: WifiShown | None = None
    copy_every_min: int = 10
    card: CardProblem | None = None
    version: str = ""


def read_hall(folder: Path) -> Hall:
    """What the system left in its folder; a plain hall where it left nothing. Raises Unavailable, BadData."""
    path = folder / HALL_FILE
    try:
        with told(path):
            content = path.read_bytes()
    except Unavailable as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return Hall()
        raise
    try:
        return msgspec.json.decode(content, type=Hall)
    except msgspec.DecodeError as error:
        raise BadData(str(path), f"{error}; start the computer again") from error
