"""Each open question is one complete record, and the texts of the rules name only those that exist."""

import ast
import enum
import typing
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from core import text
from core.editions.edition import Edition
from core.editions.loader import edition, read_house_rules
from core.editions.readings import Readings
from core.editions.tables import AboveChart
from core.text.open_questions import QUESTIONS
from core.text.rules_in_words import text_chapters
from core.text.sentence import English, list_numbers

ENGLISH = English()


def values_of(kind: object) -> set[str | bool]:
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {str(member.value) for member in kind}
    return {True, False} if kind is bool else set(typing.get_args(kind))


def named_in_texts() -> Iterator[str]:
    """Yield the names of readings in calls such as ``book.reading("sheriff_repeat")``."""
    for path in Path(str(text.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(attr="reading" | "read_as"), [ast.Constant(str(name)), *_]):
                    yield name
                case _:
                    pass


@pytest.mark.parametrize("field", msgspec.structs.fields(Readings), ids=lambda field: field.name)
def test_every_reading_has_a_question_and_every_value_an_answer(field: msgspec.structs.FieldInfo) -> None:
    question = QUESTIONS[field.name]
    assert set(question.answers) == values_of(field.type)
    assert not question.key
    assert question.decision.startswith("D")


def test_the_texts_name_only_open_questions_that_exist() -> None:
    names = set(named_in_texts())
    assert len(names) > 30
    assert names <= set(QUESTIONS)


def test_every_sentence_of_a_reading_is_among_the_rules_of_some_edition() -> None:
    """A sentence that no text asks for would never be seen."""
    named = set(named_in_texts())
    looped = {"prize_other_rounds", "time_limit", "bid_order", "next_nominator", "high_noon_beer"}
    looped |= {name for name in QUESTIONS if name.startswith("high_noon_")}
    looped |= {"rebel_money", "revolution", "two_renegades_final_duel"}
    spoken = {q.name for q in QUESTIONS.values() if any(reading.rule for reading in q.answers.values())}
    assert spoken <= named | looped


def texts(rules: Edition) -> list[tuple[str, tuple[str, ...]]]:
    chapters = text_chapters(rules, ENGLISH)
    return [(sentence.text, sentence.printed) for chapter in chapters for sentence in chapter.sentences]


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010", "official-2003"])
def test_house_rules_of_earlier_versions_cite_the_document_of_their_kind(key: str) -> None:
    """They have no table ``printed``."""
    known = edition(key)
    path = Path(str(edition.__code__.co_filename)).with_name(f"{key}.toml")
    lines = path.read_text(encoding="utf-8").replace(f'key = "{key}"', 'key = "ours"', 1)
    before, _, rest = lines.partition("[printed]\n")
    read = read_house_rules(before + "[readings]" + rest.partition("[readings]")[2], "ours.toml")
    assert read.printed == known.printed
    assert texts(read) == texts(replace(known, key="ours"))


def test_more_players_than_the_chart_lists_are_seated_as_the_file_says() -> None:
    known = edition("championship-2022")
    few = replace(known, tables=replace(known.tables, above_chart=AboveChart.FEWEST_TABLES))
    assert any("as few tables as possible" in sentence for sentence, _ in texts(few))
    assert not any("as few tables as possible" in sentence for sentence, _ in texts(known))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((5,), "5"), ((5, 6), "5 or 6"), ((4, 5, 6, 7, 8), "4 to 8"), ((4, 6, 8), "4, 6 or 8")],
)
def test_numbers_are_listed_as_people_say_them(numbers: tuple[int, ...], expected: str) -> None:
    assert list_numbers(numbers, ENGLISH) == expected
