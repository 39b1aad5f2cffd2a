"""The readings of what the rules leave open, as questions with answers in words.

The table is literal: the key is a field of ``Readings``, the answers are keyed by the value in a
file. The English words are the keys for translation. Only a question with a second answer is put to
the judge.
"""

import enum
from collections.abc import Mapping
from typing import Final

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import rules_of, with_readings
from saloon.core.editions.readings import Readings
from saloon.core.errors import BadData
from saloon.core.rule_set import ReadingChoice, RuleSet
from saloon.station.web.i18n import Words


class Answer(msgspec.Struct, frozen=True):
    """One way to read it. is_default: the edition's file says so. is_chosen: the judge does."""

    value: str
    text: str
    is_default: bool
    is_chosen: bool


class Question(msgspec.Struct, frozen=True):
    """What the rules leave open. name: of the reading. decision: D.. of docs/rules."""

    name: str
    decision: str
    text: str
    answers: tuple[Answer, ...]

    @property
    def chosen(self) -> Answer:
        """The answer that holds."""
        return next(answer for answer in self.answers if answer.is_chosen)


def _(text: str) -> str:
    return text


_Value = str | bool
_Put = tuple[str, str, Mapping[_Value, str]]

QUESTIONS: Final[Mapping[str, _Put]] = {
    "min_players": (
        "D01", _("What if fewer players come than the table chart begins with?"),
        {"block_with_override": _("The tournament does not begin, unless the judge calls it unofficial.")},
    ),
    "rounds_recomputed_on_withdrawal": (
        "D04", _("Does the number of rounds change when players leave?"),
        {False: _("No, it stays as at the first draw."), True: _("Yes, it is looked up again.")},
    ),
    "below_min_mid": (
        "D05", _("What if too few players are left in the middle of the tournament?"),
        {"judge": _("The judge decides.")},
    ),
    "sheriff_repeat": (
        "D06", _("Who is Sheriff when too few players are left who never were?"),
        {"fewest_then_draw": _("Whoever was Sheriff least often; among equals the draw decides.")},
    ),
    "simultaneous": (
        "D07", _("When one card eliminates several players, when does the game end?"),
        {
            "end_of_effect": _("After the whole card: all of them count."),
            "elimination_order": _("At the first elimination that ends it; the others do not count."),
        },
    ),
    "renegade_final_duel": (
        "D08", _("When has the Renegade lost the final duel?"),
        {
            "footnote": _("When only Sheriff and Renegade were left, whatever eliminated the Renegade."),
            "strict": _("The same, but only if the Sheriff eliminated the Renegade."),
            "label": _("When the Sheriff eliminated the Renegade last, even if others were alive."),
        },
    ),
    "time_limit": (
        "D09", _("What happens when the time limit is reached?"),
        {
            "no_winner": _("Nobody wins, and nobody is paid."),
            "high_noon": _("High Noon begins at once, and the game is played to its end."),
            "judge": _("The judge decides and says why."),
        },
    ),
    "high_noon_dead_starter": (
        "D10", _("With whom does High Noon begin when the player after the Sheriff is out?"),
        {"next_living": _("With the next player in play.")},
    ),
    "high_noon_trigger_in_starter_turn": (
        "D11", _("What if High Noon is called in the very turn of the player it begins with?"),
        {"next_orbit": _("It begins with that player's next turn.")},
    ),
    "high_noon_affects_passive": (
        "D12", _("Does High Noon take life points from a player who left?"),
        {True: _("Yes, and no Beer may answer it."), False: _("No.")},
    ),
    "high_noon_order": (
        "D13", _("What comes first at the start of a turn: High Noon, or Jail and Dynamite?"),
        {"first": _("High Noon.")},
    ),
    "high_noon_beer": (
        "D14", _("When may a Beer answer High Noon?"),
        {"last_point_only": _("Only when it takes the last life point.")},
    ),
    "high_noon_further_reshuffles": (
        "D15", _("Does another reshuffle during High Noon change anything?"),
        {"no_extra": _("No.")},
    ),
    "high_noon_sid_ketchum": (
        "D17", _("May Sid Ketchum discard two cards to answer High Noon?"),
        {True: _("Yes, as with a Beer."), False: _("No.")},
    ),
    "marogi_scores": (
        "D18", _("Which scores of the opponents make the Marogi?"),
        {"final_totals": _("Their totals at the end, before the bonus.")},
    ),
    "tiebreak_opponents": (
        "D19", _("How does an opponent count whom a player met twice?"),
        {"per_encounter": _("Twice."), "distinct": _("Once.")},
    ),
    "withdrawn_ranking": (
        "D21", _("Where are players ranked who left?"), {"bottom": _("Below all others, without a rank.")},
    ),
    "withdrawn_count_for_opponents": (
        "D21", _("Do players who left count for the tie-breaks of those they met?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "eliminated_count_as_winners": (
        "D42", _("Has an eliminated player of the winning side won the match?"),
        {True: _("Yes."), False: _("No.")},
    ),
}  # fmt: skip
"""Each reading with its decision, its question, and its answers."""


def questions(base: Edition, chosen: Mapping[str, str], words: Words) -> tuple[Question, ...]:
    """What an edition lets the judge choose. chosen: values in text by the name of their reading."""
    found = (_question(base, field, chosen, words) for field in msgspec.structs.fields(Readings))
    return tuple(question for question in found if len(question.answers) > 1)


def choices(base: Edition, chosen: Mapping[str, str]) -> tuple[ReadingChoice, ...]:
    """The readings that differ from the edition's, as a rule set keeps them; unknown values stay."""
    found = []
    for field in msgspec.structs.fields(Readings):
        text = chosen.get(field.name, "")
        value = next((known for known in _values(field.type) if _text(known) == text), text)
        if text and value != _plain(getattr(base.readings, field.name)):
            found.append(ReadingChoice(field.name, value))
    return tuple(found)


def changed(rules: RuleSet, words: Words) -> tuple[Question, ...]:
    """The questions that a tournament answers otherwise than its edition."""
    base = rules_of(RuleSet(rules.edition, house_rules=rules.house_rules))
    asked = questions(base, chosen_by(rules), words)
    return tuple(question for question in asked if not question.chosen.is_default)


def chosen_by(rules: RuleSet) -> Mapping[str, str]:
    """The readings of a rule set as ``questions`` wants them."""
    return {choice.name: _text(choice.value) for choice in rules.readings}


def _question(
    base: Edition, field: msgspec.structs.FieldInfo, chosen: Mapping[str, str], words: Words
) -> Question:
    decision, text, answers = QUESTIONS.get(field.name, ("", field.name, {}))
    default = _plain(getattr(base.readings, field.name))
    possible = [value for value in _values(field.type) if _is_possible(base, field.name, value)]
    wanted = next((value for value in possible if _text(value) == chosen.get(field.name)), default)
    return Question(
        field.name,
        decision,
        words.gettext(text),
        tuple(
            Answer(
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
