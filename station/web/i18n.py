"""The words of the pages in a language: gettext, chosen per request."""

import gettext as catalogues
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from saloon.core.errors import BadData, Refused, SaloonError, Unavailable
from saloon.station.database import DatabaseDamaged
from saloon.station.web.labels import LABELS
from saloon.station.web.reasons import NotNow

LANGUAGES = {"en": "English", "it": "Italiano"}
_FOLDER = Path(__file__).parents[1] / "locale"


class Words:
    """All words in one language. What is not translated is English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        found = catalogues.translation("station", str(_FOLDER), [self.language], fallback=True)
        self.gettext: Callable[[str], str] = found.gettext
        self.ngettext: Callable[[str, str, int], str] = found.ngettext

    def label(self, member: Enum) -> str:
        """What a member of an enum is called on pages; a sentence with its fields still in braces."""
        label = LABELS.get(member, str(member.value))
        # The empty key is the head of a catalogue.
        return self.gettext(label) if label else ""

    def error(self, error: SaloonError) -> str:
        """What an error says to the person at the page."""
        if isinstance(error, Refused):
            return self.refusal(error)
        if isinstance(error, DatabaseDamaged):
            return self.label(NotNow.DAMAGED)
        if isinstance(error, BadData):
            return f"{self.gettext(error.where)}: {self.gettext(error.problem)}"
        if isinstance(error, Unavailable):
            return self.label(NotNow.STATION)
        return self.gettext(str(error))

    def refusal(self, refused: Refused) -> str:
        """Why a rule, or a form, forbids something. A role that a field names is translated as well."""
        fields = {name: self._field(value) for name, value in refused.fields.items()}
        return self.label(refused.reason).format(**fields)

    def _field(self, value: object) -> object:
        if isinstance(value, Enum):
            return self.label(value)
        return self.gettext(value) if isinstance(value, str) and value else value


def language_of(cookie: str | None, accepted: str) -> str:
    """The language a person wants: the one chosen before, else the browser's first that we speak."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted.split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"
