"""A sentence of the rules, with its source."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from core.terms import Words

_AMOUNT = re.compile(r"\$\d{1,3}(?:,\d{3})+")
_SEPARATORS: Final = {
    **dict.fromkeys(("it", "de", "es"), str.maketrans(",.", ".,")), "fr": str.maketrans(",.", "\u202f,"),
}  # fmt: skip
"""The thousands and decimal separators by language; French uses a narrow space."""
BASE_GAME = "base game"
REBEL = "The Rebel!"
OFFICIAL_2003 = "Official Score System 2003"
DODGE_CITY = "Dodge City"


class Brief(str):
    """A text that is short enough for a card at the table."""

    __slots__ = ()


def brief(text: str) -> Brief:
    """Mark a text that a card at the table shows as well, in the catalogue of the tables."""
    return Brief(text)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence.

    printed: documents with sections.
    readings: decisions such as D16.

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
    """A part of the rules. ``key`` is its identifier for programs."""

    key: str
    title: str
    sentences: tuple[Sentence, ...]


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


def dollars(amount: int) -> str:
    """Format an amount with its sign and a thousands separator: ``$1,600``."""
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


def amounts_in(text: str, language: str) -> str:
    """Return a text with its amounts in the format of a language: ``$1.600`` in Italian."""
    return _AMOUNT.sub(lambda amount: number_in(amount[0], language), text)


def number_in(number: str, language: str) -> str:
    """Return an English number in the format of a language: ``1,511.11`` as ``1.511,11`` in German."""
    return number.translate(_SEPARATORS[language]) if language in _SEPARATORS else number


def list_numbers(numbers: Sequence[int], words: Words) -> str:
    """Return ascending numbers as text: "4 to 8", "5 or 6", "4, 6 or 8"."""
    _ = words.gettext
    *head, last = numbers
    if len(head) > 1 and last - head[0] == len(head):
        return _("{first} to {last}").format(first=head[0], last=last)
    return (
        _("{numbers} or {last}").format(numbers=", ".join(map(str, head)), last=last) if head else str(last)
    )
