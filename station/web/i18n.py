"""The words of the pages in a language: gettext, chosen per request."""

import gettext as catalogues
from collections.abc import Callable
from pathlib import Path

from saloon.core.errors import BadData, Refused, SaloonError

LANGUAGES = {"en": "English", "it": "Italiano"}
_FOLDER = Path(__file__).parents[1] / "locale"


class Words:
    """All words in one language. What is not translated is English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        found = catalogues.translation("station", str(_FOLDER), [self.language], fallback=True)
        self.gettext: Callable[[str], str] = found.gettext
        self.ngettext: Callable[[str, str, int], str] = found.ngettext

    def error(self, error: SaloonError) -> str:
        """What an error says to the person at the page."""
        if isinstance(error, Refused):
            fields = {k: self.gettext(v) if isinstance(v, str) and v else v for k, v in error.fields.items()}
            return self.gettext(str(error.reason.value)).format(**fields)
        if isinstance(error, BadData):
            return f"{error.where}: {self.gettext(error.problem)}"
        return str(error)


def language_of(cookie: str | None, accepted: str) -> str:
    """The language a person wants: the one chosen before, else the browser's first that we speak."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted.split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"
