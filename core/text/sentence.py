"""A sentence of the rules with its source, and a question that the rules leave open with its answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from core.editions.edition import Edition, Schedule, TieBreak
from core.editions.game_rules import HighNoonStarter
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
    """Mark a text that cards at the table show as well, so that it is also translated for tables."""
    return Brief(text)


class Sentence(msgspec.Struct, frozen=True):
    """A sentence of the rules, with at least one source: printed sections, or readings such as D16."""

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
    """A chapter of the rules. key: its identifier for programs."""

    key: str
    title: str
    sentences: tuple[Sentence, ...]


class English:
    """The English words as written in the code."""

    @staticmethod
    def gettext(message: str) -> str:
        return message

    @staticmethod
    def ngettext(one: str, several: str, number: int) -> str:
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


Concerns = Callable[[Edition], bool]


class Reading(msgspec.Struct, frozen=True):
    """An answer to an open question, as a judge chooses it. rule: its sentence among the rules."""

    text: str
    rule: str = ""


class OpenQuestion(msgspec.Struct, frozen=True):
    """A point that the rules leave open.

    decision: its number, such as D08; numbers with S aren't decisions.
    concerns: whether the question can make a difference in an edition, with any of its options.
    answers: the answers by their values in files; a settled point has a single one, for "".
    key: the key in an edition's file, unless it's the name among ``readings``.
    """

    name: str
    decision: str
    concerns: Concerns
    text: str
    answers: Mapping[str | bool, Reading]
    key: str = ""

    @property
    def is_settled(self) -> bool:
        return "" in self.answers


def everyone(rules: Edition) -> bool:
    del rules
    return True


def is_championship(rules: Edition) -> bool:
    return rules.schedule is Schedule.CHART


def is_one_group(rules: Edition) -> bool:
    return rules.is_one_group


def has_high_noon(rules: Edition) -> bool:
    return rules.high_noon is not None


def begins_high_noon_after_sheriff(rules: Edition) -> bool:
    return rules.high_noon is not None and rules.high_noon.starter is HighNoonStarter.AFTER_SHERIFF


def has_finals(rules: Edition) -> bool:
    return rules.finals is not None


def has_enlistment(rules: Edition) -> bool:
    return rules.options.enlistment is not None


def has_rebel(rules: Edition) -> bool:
    return rules.options.rebel is not None


def breaks_ties_by(*keys: TieBreak) -> Concerns:
    """Return a predicate for editions with one of these tie-breaks."""
    return lambda rules: not set(keys).isdisjoint(rules.tie_breaks)
