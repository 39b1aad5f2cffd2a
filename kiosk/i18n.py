"""The words of the terminal in a language: gettext, chosen per screen, with no global state."""

import gettext as catalogues
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final

from saloon.core.errors import Refused

DOMAIN: Final = "kiosk"
FOLDER: Final = Path(__file__).parent / "locale"
LANGUAGES: Final = {"en": "English", "it": "Italiano"}
"""The languages that are complete, by code, in their own words."""


class Words:
    """All words in one language. An unknown language, or a word without a translation, is English."""

    def __init__(self, language: str) -> None:
        self.language = language
        found = catalogues.translation(DOMAIN, str(FOLDER), [language], fallback=True)
        self.gettext: Callable[[str], str] = found.gettext
        self.ngettext: Callable[[str, str, int], str] = found.ngettext

    def name(self, member: Enum) -> str:
        """A member of an enum whose value is its English name."""
        return self.gettext(str(member.value))

    def refusal(self, refused: Refused) -> str:
        """Why a rule forbids something, for the people at the table."""
        fields = {
            name: self.gettext(value) if isinstance(value, str) else value
            for name, value in refused.fields.items()
        }
        return self.gettext(str(refused.reason.value)).format(**fields)
