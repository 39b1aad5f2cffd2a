"""The words of the own screen in one language, from the station's catalogue."""

import gettext
from collections.abc import Callable
from pathlib import Path

Translate = Callable[[str], str]
_FOLDER = Path(__file__).parents[1] / "locale"


def words_in(language: str) -> Translate:
    """What turns English sentences into this language; English where there is no such catalogue."""
    return gettext.translation("station", str(_FOLDER), [language], fallback=True).gettext
