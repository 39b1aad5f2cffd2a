"""A sentence of the rules, with its source."""

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from core.editions.edition import Edition, Schedule
from core.words import Words

_AMOUNT = re.compile(r"\$\d{1,3}(?:,\d{3})+")
_SEPARATORS: Final = {
    **dict.fromkeys(("it", "de", "es"), str.maketrans(",.", ".,")), "fr": str.maketrans(",.", "\u202f,"),
}  # fmt: skip
"""The thousands and decimal separators by language; French uses a narrow space."""
BASE_GAME = "base game"
REBEL = "The Rebel!"
OFFICIAL_2003 = "Official Score System 2003"
DODGE_CITY = "Dodge City"
_DOCUMENTS = {
    "championship-2022": "Championship 2022/23 v1.4",
    "championship-2010": "Championship 2010 v1.1",
    "official-2003": OFFICIAL_2003,
    "simplified-2003": OFFICIAL_2003,
}


class Sentence(msgspec.Struct, frozen=True):
    """A sentence. printed: documents with sections. readings: decisions such as D16.

    Every sentence has at least one source of either kind.
    """

    text: str
    printed: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.printed and not self.readings:
            raise ValueError(f"no source: {self.text}")

    def source(self, words: Words) -> str:
        """Return the document and section, and our own readings marked as such."""
        sources = [words.gettext("base game") if part == BASE_GAME else part for part in self.printed]
        if self.readings:
            sources.append(words.gettext("our reading, {decision}").format(decision=", ".join(self.readings)))
        return words.gettext("; ").join(sources)


class Chapter(msgspec.Struct, frozen=True):
    """A part of the rules. key: its identifier for programs."""

    key: str
    title: str
    sentences: tuple[Sentence, ...]


class RulesText:
    """The edition being described, and the translated words."""

    def __init__(self, rules: Edition, words: Words) -> None:
        self.rules = rules
        self.words = words
        self.gettext: Callable[[str], str] = words.gettext
        self.is_championship = rules.schedule is Schedule.CHART
        self.is_2010 = self.is_championship and rules.finals is not None
        self._document = _DOCUMENTS.get(rules.key, rules.source)
        self._published = _DOCUMENTS["championship-2010" if self.is_2010 else "championship-2022"]

    def from_document(self, text: str, section: str = "", in_2010: str = "", *readings: str) -> Sentence:
        """Return a sentence from the edition's own document. in_2010: the section there, if it differs."""
        number = in_2010 if self.is_2010 and in_2010 else section
        known = self.is_championship and self.rules.key in _DOCUMENTS and number
        return Sentence(text, (f"{self._document}, {number}" if known else self._document,), readings)

    def reading(self, text: str, *decisions: str) -> Sentence:
        """Return a sentence about our own reading, which no document prints."""
        return Sentence(text, (), decisions)

    def from_publisher(self, texts: Iterator[str], section: str, in_2010: str = "") -> Iterator[Sentence]:
        """Yield sentences from the publisher's document that don't depend on the edition's values."""
        number = in_2010 if self.is_2010 and in_2010 else section
        return (Sentence(text, (f"{self._published}, {number}",)) for text in texts)

    def all_printed(self, texts: Iterator[str], section: str, in_2010: str = "") -> Iterator[Sentence]:
        """Yield sentences from one section."""
        return (self.from_document(text, section, in_2010) for text in texts)


class English:
    """The English words as written in the code."""

    @staticmethod
    def gettext(message: str) -> str:
        """Return a message unchanged."""
        return message

    @staticmethod
    def ngettext(one: str, several: str, number: int) -> str:
        """Return the singular or plural message for a number."""
        return one if number == 1 else several


def base_game(text: str) -> Sentence:
    """Return a sentence about the base game, common to all editions."""
    return Sentence(text, (BASE_GAME,))


def dollars(amount: int) -> str:
    """Format an amount with its sign and a thousands separator: ``$1,600``."""
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


def amounts_in(text: str, language: str) -> str:
    """Return a text with its amounts in the format of a language: ``$1.600`` in Italian."""
    return _AMOUNT.sub(lambda amount: number_in(amount[0], language), text)


def number_in(number: str, language: str) -> str:
    """Return an English number in the format of a language: ``1,511.11`` as ``1.511,11`` in German."""
    return number.translate(_SEPARATORS[language]) if language in _SEPARATORS else number


def list_numbers(values: tuple[int, ...] | list[int]) -> str:
    """Return numbers as text: "5, 6, 7"."""
    return ", ".join(map(str, values))
