"""The texts of the pages, translated by gettext into the language of each request."""

import functools
import gettext as catalogues
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from base.errors import BadData, Refused, SaloonError, Unavailable
from base.languages import LANGUAGES
from station.store.database import DatabaseDamaged
from station.text.labels import LABELS
from station.text.reasons import NotNow

_FOLDER = Path(__file__).parents[1] / "locale"


class Words:
    """The texts in one language. Untranslated ones are in English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        catalogue = catalogues.translation("station", str(_FOLDER), [self.language], fallback=True)
        self.gettext: Callable[[str], str] = catalogue.gettext
        self.ngettext: Callable[[str, str, int], str] = catalogue.ngettext

    def label(self, member: Enum) -> str:
        """Return the label of an enum member; a sentence keeps its fields in braces."""
        label = LABELS.get(member, str(member.value))
        # The empty key is the catalogue's header.
        return self.gettext(label) if label else ""

    def error(self, error: SaloonError) -> str:
        """Return the text of an error for the person using the page."""
        if isinstance(error, Refused):
            return self.refusal(error)
        if isinstance(error, DatabaseDamaged):
            return self.label(NotNow.DAMAGED)
        if isinstance(error, BadData):
            return self.gettext(error.where) + self.gettext(": ") + self.gettext(error.problem)
        if isinstance(error, Unavailable):
            return self.label(NotNow.STATION)
        return self.gettext(str(error))

    def refusal(self, refused: Refused) -> str:
        """Return the reason for a refusal, with enum members as labels."""
        fields = {name: self._field(value) for name, value in refused.fields.items()}
        return self.label(refused.reason).format(**fields)

    def _field(self, value: object) -> object:
        if isinstance(value, Enum):
            return self.label(value)
        return self.gettext(value) if isinstance(value, str) and value else value


@functools.cache
def words_in(language: str) -> Words:
    """Return the texts in a language, or in English if it is not supported."""
    return Words(language)


def language_of(cookie: str | None, accepted: str) -> str:
    """Return a person's language: the one chosen earlier, else the browser's first supported one."""
    if cookie in LANGUAGES:
        return cookie
    for part in accepted.split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"
