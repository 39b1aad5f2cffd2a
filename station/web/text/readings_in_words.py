"""The readings of points that the rules don't settle, as questions for a judge.

Only a question with a second answer that concerns the edition is asked.
"""

import enum
from collections.abc import Mapping

import msgspec

from saloon.base.errors import BadData
from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import rules_of, with_readings
from saloon.core.editions.readings import Readings
from saloon.core.editions.relevance import concerns
from saloon.core.rule_set import ReadingChoice, RuleSet
from saloon.station.web.i18n import Words
from saloon.station.web.text.open_questions import QUESTIONS


class ReadingOption(msgspec.Struct, frozen=True):
    """One possible reading. is_default: by the edition's file. is_chosen: by the judge."""

    value: str
    text: str
    is_default: bool
    is_chosen: bool


class ReadingQuestion(msgspec.Struct, frozen=True):
    """A point that the rules don't settle. name: of the reading. decision: D.. of docs/rules."""

    name: str
    decision: str
    text: str
    answers: tuple[ReadingOption, ...]

    @property
    def chosen(self) -> ReadingOption:
        """Return the answer that applies."""
        return next(answer for answer in self.answers if answer.is_chosen)


_Value = str | bool


def questions(base: Edition, chosen: Mapping[str, str], words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the choices of an edition for the judge. chosen: values in text by the name of their reading."""
    asked = (field for field in msgspec.structs.fields(Readings) if concerns(field.name, base))
    found = (_question(base, field, chosen, words) for field in asked)
    return tuple(question for question in found if len(question.answers) > 1)


def choices(base: Edition, chosen: Mapping[str, str]) -> tuple[ReadingChoice, ...]:
    """Return the readings that differ from the edition's, as a rule set keeps them; unknown values stay."""
    found = []
    for field in msgspec.structs.fields(Readings):
        text = chosen.get(field.name, "")
        value = next((known for known in _values(field.type) if _text(known) == text), text)
        if text and value != _plain(getattr(base.readings, field.name)):
            found.append(ReadingChoice(field.name, value))
    return tuple(found)


def changed(rules: RuleSet, words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the questions that a tournament answers differently from its edition."""
    base = rules_of(RuleSet(rules.edition, house_rules=rules.house_rules))
    asked = questions(base, chosen_by(rules), words)
    return tuple(question for question in asked if not question.chosen.is_default)


def chosen_by(rules: RuleSet) -> Mapping[str, str]:
    """Return the readings of a rule set as ``questions`` expects them."""
    return {choice.name: _text(choice.value) for choice in rules.readings}


def _question(
    base: Edition, field: msgspec.structs.FieldInfo, chosen: Mapping[str, str], words: Words
) -> ReadingQuestion:
    decision, text, answers = QUESTIONS.get(field.name, ("", field.name, {}))
    default = _plain(getattr(base.readings, field.name))
    possible = [value for value in _values(field.type) if _is_possible(base, field.name, value)]
    wanted = next((value for value in possible if _text(value) == chosen.get(field.name)), default)
    return ReadingQuestion(
        field.name,
        decision,
        words.gettext(text),
        tuple(
            ReadingOption(
                _text(value),
                words.gettext(answers.get(value, _text(value))),
                is_default=value == default,
                is_chosen=value == wanted,
            )
            for value in possible
        ),
    )


def _values(kind: object) -> tuple[_Value, ...]:
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return tuple(member.value for member in kind)
    return (True, False) if kind is bool else ()


def _plain(value: object) -> _Value:
    return value.value if isinstance(value, enum.Enum) else bool(value)


def _text(value: _Value) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def _is_possible(base: Edition, name: str, value: _Value) -> bool:
    try:
        with_readings(base, {name: value}, name)
    except BadData:
        return False
    return True
