"""The pictures that the documentation shows, which are the only ones in the repository."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
DRAWN: Final = ROOT / "build" / "pictures"
"""The folder for all pictures, for inspection."""
_PICTURE: Final = re.compile(r"\]\((?:\.\./)*(?:docs/)?pictures/([^)]+)\)")


def shown_pictures() -> frozenset[str]:
    """Return the files below docs/pictures that the README or a page of docs/ shows or links to."""
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    return frozenset(name for page in pages for name in _PICTURE.findall(page.read_text(encoding="utf-8")))


def copy_shown(folder: str) -> None:
    """Copy the pictures that pages show into a folder of docs/pictures."""
    (PICTURES / folder).mkdir(parents=True, exist_ok=True)
    for name in shown_pictures():
        if name.startswith(f"{folder}/") and (DRAWN / name).is_file():
            shutil.copyfile(DRAWN / name, PICTURES / name)


def station_messages(language: str) -> frozenset[str]:
    """Return every message of the station without placeholders, as its pages show it in a language."""
    file = ROOT / "station/locale" / ("it" if language == "en" else language) / "LC_MESSAGES/station.po"
    with file.open("rb") as opened:
        catalogue = read_po(opened)
    texts = ((message.id, message.string) for message in catalogue if isinstance(message.id, str))
    return frozenset(ours if language == "en" else str(theirs) for ours, theirs in texts)


def shown_messages(lines: Iterable[str], language: str) -> str:
    """Return those of a page's lines that are messages, to be kept in its picture."""
    known = station_messages(language)
    return "\n".join(dict.fromkeys(line for line in map(str.strip, lines) if line and line in known))
