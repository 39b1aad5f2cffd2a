"""The pictures that the documentation shows, which are the only ones in the repository."""

import re
import shutil
from pathlib import Path
from typing import Final

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
