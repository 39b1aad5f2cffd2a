"""Translate the texts of the station's screen, from the station's catalogue."""

import gettext
from collections.abc import Callable
from pathlib import Path

Translate = Callable[[str], str]
_FOLDER = Path(__file__).parents[1] / "locale"


def words_in(language: str) -> Translate:
    """Return a function that translates English sentences; unchanged if there is no catalogue."""
    return gettext.translation("station", str(_FOLDER), [language], fallback=True).gettext
