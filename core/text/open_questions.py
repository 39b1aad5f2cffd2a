"""The open questions that concern an edition or a tournament, with the answers in effect."""

import enum
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Final

import msgspec

from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import base_edition, with_readings
from core.editions.readings import BEFORE_IT_WAS_ASKED, Readings
from core.rule_set import ReadingChoice, RuleSet
from core.terms import Words
from core.text.money_questions import QUESTIONS_OF_MONEY
from core.text.play_questions import QUESTIONS_OF_PLAY
from core.text.sentence import OpenQuestion, Reading
from core.text.tournament_questions import QUESTIONS_OF_TOURNAMENTS

_Value = str | bool

QUESTIONS: Final[Mapping[str, OpenQuestion]] = {
    question.name: question
    for question in (*QUESTIONS_OF_TOURNAMENTS, *QUESTIONS_OF_PLAY, *QUESTIONS_OF_MONEY)
}
"""All points that the rules leave open, by name."""


class ReadingOption(msgspec.Struct, frozen=True):
    """A possible reading: the edition's default, the judge's choice, both or neither."""

    value: str
    text: str
    is_default: bool
    is_chosen: bool


class ReadingQuestion(msgspec.Struct, frozen=True):
    """An open question, ready to be shown. key: its key in an edition's file, or "" if it is settled."""

    name: str
    decision: str
    key: str
    text: str
    answers: tuple[ReadingOption, ...]

    @property
    def chosen(self) -> ReadingOption:
        return next(answer for answer in self.answers if answer.is_chosen)


def reading_of(question: OpenQuestion, rules: Edition) -> Reading:
    return question.answers[_value_in(question, rules)]


def questions(base: Edition, chosen: Mapping[str, str], words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the questions that an edition leaves to the judge. chosen: values by the names of readings."""
    candidates = (_put(question, base, chosen, words) for question in _in_readings(base))
    return tuple(question for question in candidates if len(question.answers) > 1)


def all_questions(rules: Edition, words: Words) -> tuple[ReadingQuestion, ...]:
    """Return every question that concerns an edition, including those with one answer, by decision."""
    entries = [*_in_readings(rules)]
    entries += [q for q in QUESTIONS.values() if q.name not in _READINGS and q.concerns(rules)]
    entries.sort(key=lambda question: question.decision)
    return tuple(_put(question, rules, {}, words) for question in entries)


def choices(base: Edition, chosen: Mapping[str, str]) -> tuple[ReadingChoice, ...]:
    """Return the readings that differ from the edition's, for a rule set; unknown values are kept."""
    differing = []
    for name in _READINGS:
        text, question = chosen.get(name, ""), QUESTIONS[name]
        value = next((known for known in question.answers if _text(known) == text), text)
        if text and value != _value_in(question, base):
            differing.append(ReadingChoice(name, value))
    return tuple(differing)


def changed_questions(rules: RuleSet, words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the questions that a tournament answers differently from its edition."""
    entries = questions(base_edition(rules), {**BEFORE_IT_WAS_ASKED, **chosen_readings(rules)}, words)
    return tuple(question for question in entries if not question.chosen.is_default)


def count_changed(rules: RuleSet) -> int:
    """Return the number of questions that a tournament answers differently from its edition."""
    base = base_edition(rules)
    answers = {**BEFORE_IT_WAS_ASKED, **chosen_readings(rules)}
    return sum(
        QUESTIONS[name].concerns(base) and _text(_value_in(QUESTIONS[name], base)) != value
        for name, value in answers.items()
    )


def chosen_readings(rules: RuleSet) -> Mapping[str, str]:
    """Return the readings of a rule set as ``questions`` expects them."""
    return {choice.name: _text(choice.value) for choice in rules.readings}


_READINGS: Final = Readings.__struct_fields__


def _in_readings(rules: Edition) -> Iterator[OpenQuestion]:
    return (QUESTIONS[name] for name in _READINGS if QUESTIONS[name].concerns(rules))


def _put(question: OpenQuestion, rules: Edition, chosen: Mapping[str, str], words: Words) -> ReadingQuestion:
    default, wanted = _value_in(question, rules), chosen.get(question.name, "")
    possible = [value for value in question.answers if _is_possible(rules, question, value)]
    answer = next((value for value in possible if wanted and _text(value) == wanted), default)
    return ReadingQuestion(
        question.name,
        question.decision,
        "" if question.is_settled else _key(question),
        words.gettext(question.text),
        tuple(
            ReadingOption(
                _text(value),
                words.gettext(question.answers[value].text),
                is_default=value == default,
                is_chosen=value == answer,
            )
            for value in possible
        ),
    )


def _key(question: OpenQuestion) -> str:
    return question.key or f"readings.{question.name}"


def _value_in(question: OpenQuestion, rules: Edition) -> _Value:
    if len(question.answers) == 1:
        return next(iter(question.answers))
    value: object = reduce(getattr, _key(question).split("."), rules)
    return str(value.value) if isinstance(value, enum.Enum) else bool(value)


def _text(value: _Value) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def _is_possible(base: Edition, question: OpenQuestion, value: _Value) -> bool:
    if question.name not in _READINGS:
        return True
    try:
        with_readings(base, {question.name: value}, question.name)
    except BadData:
        return False
    return True
