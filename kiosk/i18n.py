"""The texts of a terminal, looked up per language because every seat may have its own."""

import gettext as catalogues
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

from base.errors import Refused
from base.languages import LANGUAGES
from core.game.in_words import ROLE_NAMES
from core.terms import MatchKind, Role
from core.text.sentence import amounts_in, dollars, number_in

DOMAIN: Final = "kiosk"
FOLDER: Final = Path(__file__).parent / "locale"


class Words:
    """The texts of one language; English if the language is unknown or a message isn't translated.

    ``catalogue`` replaces the installed catalogue of the language.
    """

    def __init__(self, language: str, catalogue: catalogues.NullTranslations | None = None) -> None:
        self.language = language
        texts = catalogue or catalogues.translation(DOMAIN, str(FOLDER), [language], fallback=True)
        self._missing = _Missing()
        texts.add_fallback(self._missing)
        self.gettext: Callable[[str], str] = texts.gettext
        self.ngettext: Callable[[str, str, int], str] = texts.ngettext

    def whole(self, build: Callable[["Words"], str]) -> str:
        """Build a sentence from several messages without mixing languages.

        ``build`` returns the sentence, given the texts to use. If a message isn't translated, it is called
        again with English.
        """
        before = self._missing.count
        sentence = build(self)
        return sentence if self._missing.count == before else build(_ENGLISH)

    def money(self, amount: int) -> str:
        """Format dollars as the language writes them: ``$1,600``, in Italian ``$1.600``."""
        return self.number(dollars(amount))

    def number(self, text: str) -> str:
        # The font has no narrow space.
        return number_in(text, self.language).replace("\u202f", "\xa0")

    def amounts(self, text: str) -> str:
        """Write the amounts in a text as the language does."""
        return amounts_in(text, self.language).replace("\u202f", "\xa0")

    def refusal(self, refused: Refused, players: Sequence[str] = ()) -> str:
        """Explain why a rule forbids something. ``players`` are the names of the seats, in order."""
        return self.whole(lambda words: _refusal(words, refused, players))


class _Missing(catalogues.NullTranslations):
    """The last fallback catalogue, which returns messages in English and counts them."""

    count = 0

    def gettext(self, message: str) -> str:
        self.count += 1
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.count += 1
        return super().ngettext(msgid1, msgid2, n)


def _refusal(words: Words, refused: Refused, players: Sequence[str]) -> str:
    fields = {name: _field(words, value) for name, value in refused.fields.items()}
    for name in _SEATS & fields.keys():
        seat = fields[name]
        if isinstance(seat, int) and 0 < seat <= len(players):
            fields[name] = f"{seat} ({players[seat - 1]})"
    return words.gettext(str(refused.reason.value)).format(**fields)


def _field(words: Words, value: object) -> object:
    if isinstance(value, Enum):
        return words.gettext(_NAMES[value]) if value in _NAMES else value.value
    return value


def _(text: str) -> str:
    return text


_NAMES: Final[Mapping[Enum, str]] = {
    **ROLE_NAMES,
    MatchKind.GAME: _("game"),
    MatchKind.LONG_DUEL: _("long duel"),
    MatchKind.SHORT_DUEL: _("short duel"),
}


@lru_cache(maxsize=len(LANGUAGES) + 1)
def words_in(language: str) -> Words:
    return Words(language)


_SEATS: Final = frozenset({"seat", "by", "word"})
"""Fields of refusals with a seat number. The player's name is added, as players can't see the numbers."""
_ENGLISH: Final = Words("en")


def role_name(words: Words, role: Role) -> str:
    return words.gettext(ROLE_NAMES[role])
