"""The edition being described, which makes sentences with their sources."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from core.editions.edition import Edition, Schedule
from core.terms import Words
from core.text.open_questions import QUESTIONS, reading_of
from core.text.sentence import BASE_GAME, OFFICIAL_2003, Brief, Sentence

_HEADING: Final = re.compile(r' "[^"]*"')


class RulesText:
    """The edition being described, and the translated words. headings: cite the headings of sections, too."""

    def __init__(self, rules: Edition, words: Words, *, headings: bool = False) -> None:
        self.rules = rules
        self.words = words
        self.gettext: Callable[[str], str] = words.gettext
        self.sections = rules.printed.sections
        self.is_championship = rules.schedule is Schedule.CHART
        self._headings = headings

    def brief(self, text: str, **values: object) -> Brief:
        """Translate a text that cards at the table show as well, and fill in values."""
        return Brief(self.gettext(text).format(**values))

    def from_document(self, text: str, section: str = "") -> Sentence:
        """Return a sentence from the edition's own document; house rules cite theirs for their changes."""
        if self.rules.printed.edition != self.rules.key:
            return Sentence(text, (self.rules.source,))
        return Sentence(text, (self._cite(section),))

    def all_printed(self, texts: Iterable[str], section: str) -> Iterator[Sentence]:
        """Yield sentences from one section of the edition's own document."""
        return (self.from_document(text, section) for text in texts)

    def from_publisher(self, texts: Iterable[str], section: str) -> Iterator[Sentence]:
        """Yield sentences from the publisher's document that don't depend on the edition's values."""
        return (Sentence(text, (self._cite(section),)) for text in texts)

    def _cite(self, section: str) -> str:
        document = self.rules.printed.document or self.rules.source
        number = section if self._headings else _HEADING.sub("", section)
        if not number:
            return document
        return f"{document}, {number}" if number[0].isdigit() else number

    def reading(self, name: str, **values: object) -> Iterator[Sentence]:
        """Yield the sentence of the reading that the edition follows, if any, with values filled in."""
        question = QUESTIONS[name]
        rule = reading_of(question, self.rules).rule
        if rule:
            text = self.gettext(rule).format(**values)
            yield self.read_as(name, Brief(text) if isinstance(rule, Brief) else text)

    def read_as(self, name: str, text: str) -> Sentence:
        """Return a sentence of ours about an open question."""
        return Sentence(text, (), (QUESTIONS[name].decision,))


def base_game(text: str) -> Sentence:
    return Sentence(text, (BASE_GAME,))


def official_2003(text: str) -> Sentence:
    return Sentence(text, (OFFICIAL_2003,))
