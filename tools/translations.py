"""Gettext catalogues of the rooms: ``extract`` new words, ``update`` and ``compile`` the languages."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CATALOGUES = {
    "kiosk": ("core", "kiosk", "hardware"),
    "station": ("core", "station"),
}
"""Each room with words, and the folders whose words its catalogue holds."""


def _babel(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *arguments], check=True, cwd=ROOT)


def _template(room: str) -> str:
    return f"{room}/locale/{room}.pot"


def extract() -> None:
    """Collect the words of each room into its template."""
    for room, folders in CATALOGUES.items():
        (ROOT / room / "locale").mkdir(exist_ok=True)
        _babel(
            "-q", "extract", "-F", "tools/babel.cfg", "-k", "_", "-k", "ngettext:1,2", "--no-location",
            "--omit-header", "-o", _template(room), *folders,
        )  # fmt: skip


def update() -> None:
    """Bring the languages of each room up to its template."""
    extract()
    for room in CATALOGUES:
        _babel(
            "-q", "update", "-i", _template(room), "-d", f"{room}/locale", "-D", room, "--no-fuzzy-matching"
        )


def compile_all() -> None:
    """Make the files that programs read."""
    for room in CATALOGUES:
        if any((ROOT / room / "locale").glob("*/LC_MESSAGES/*.po")):
            _babel("-q", "compile", "-d", f"{room}/locale", "-D", room)


if __name__ == "__main__":
    {"extract": extract, "update": update, "compile": compile_all}[sys.argv[1]]()
