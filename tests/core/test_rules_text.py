"""The rules as sentences: each names its source, as the docstrings do, and says what the edition does."""

import ast
import enum
import re
import typing
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from core import text
from core.cli.editions import page
from core.editions.edition import Edition
from core.editions.loader import edition, editions, read_house_rules, with_options
from core.editions.readings import (
    MarogiAverage,
    Readings,
    RenegadeFinalDuel,
    SidWithTwoLeft,
    SimplifiedEliminated,
    SimplifiedMultiplier,
    TimeLimit,
)
from core.editions.tables import AboveChart
from core.rule_set import OptionKey
from core.text.open_questions import QUESTIONS
from core.text.rules_in_words import text_chapters
from core.text.sentence import BASE_GAME, DODGE_CITY, OFFICIAL_2003, REBEL, English, Sentence, list_numbers

SECTIONS = {
    "Championship 2022/23 v1.4": {"1", "1.1", "1.2", "1.3", "1.4", "2", "3", "4", "5"},
    "Championship 2010 v1.1": {"1", "1.1", "1.2", "1.3", "2", "3", "4", "5"},
}
WHOLE = {OFFICIAL_2003, REBEL, BASE_GAME, DODGE_CITY}
DECISIONS = {f"D{number:02}" for number in range(1, 52)}
ENGLISH = English()


def sentences(rules: Edition) -> list[Sentence]:
    return [sentence for chapter in text_chapters(rules, ENGLISH) for sentence in chapter.sentences]


def texts(rules: Edition, key: str) -> list[str]:
    chapters = [chapter for chapter in text_chapters(rules, ENGLISH) if chapter.key == key]
    return [sentence.text for chapter in chapters for sentence in chapter.sentences]


def read(known: Edition, **readings: object) -> Edition:
    return replace(known, readings=replace(known.readings, **readings))


def every_form() -> list[Edition]:
    """Each edition, each with all its options, and each with every value of the readings that change text."""
    plain = [*editions(), *(with_options(known, known.offered, "test") for known in editions())]
    readings = [
        read(
            known,
            time_limit=limit,
            renegade_final_duel=duel,
            simplified_multiplier=multiplier,
            simplified_eliminated=eliminated,
            marogi_average=MarogiAverage.PER_MATCH if penalty else MarogiAverage.PER_OPPONENT,
            sid_with_two_left=SidWithTwoLeft.AS_BEER if penalty else SidWithTwoLeft.ALLOWED,
            deputy_penalty_in_simplified=penalty,
            high_noon_affects_passive=penalty,
            eliminated_count_as_winners=penalty,
        )
        for known in editions()
        for limit, duel, multiplier, eliminated, penalty in product(
            TimeLimit, RenegadeFinalDuel, SimplifiedMultiplier, SimplifiedEliminated, (False, True)
        )
    ]
    return plain + readings


@pytest.mark.slow
def test_every_sentence_names_a_section_that_exists_or_a_decision() -> None:
    for rules in every_form():
        for sentence in sentences(rules):
            assert sentence.printed or sentence.readings, sentence.text
            assert set(sentence.readings) <= DECISIONS, sentence
            for source in sentence.printed:
                document, _, section = source.partition(", ")
                assert source in WHOLE or section in SECTIONS[document], sentence


def test_a_sentence_without_a_source_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no source: Sheriffs win"):
        Sentence("Sheriffs win.")


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_every_line_of_a_page_ends_with_its_source(known: Edition) -> None:
    text = page(known).split("## What the document leaves open")[0]
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(lines) > 20
    document = r"(base game|Dodge City|The Rebel!|Official Score System 2003|\d(\.\d)?|D\d\d)"
    source = re.compile(rf"\({document}(; {document})*\)$")
    assert [line for line in lines if not source.search(line)] == []


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_an_edition_cites_no_other_championship(known: Edition) -> None:
    own = {"championship-2022": "2022/23", "championship-2010": "2010"}.get(known.key, "no championship")
    cited = {
        source for sentence in sentences(known) for source in sentence.printed if "Championship" in source
    }
    assert all(own in source for source in cited)


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_no_sentence_is_written_twice(known: Edition) -> None:
    all_texts = [sentence.text for sentence in sentences(with_options(known, known.offered, "test"))]
    assert sorted({text for text in all_texts if all_texts.count(text) > 1}) == []


def test_what_is_not_printed_in_2010_is_not_told_as_printed() -> None:
    waivers = [s for s in sentences(edition("championship-2010")) if s.text.startswith("To save time")]
    assert waivers
    assert all(not sentence.printed for sentence in waivers)
    printed = [s for s in sentences(edition("championship-2022")) if s.text.startswith("To save time")]
    assert [sentence.printed for sentence in printed] == [("Championship 2022/23 v1.4, 1.3",)] * 2


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010"])
def test_what_the_championships_print_is_there(key: str) -> None:
    text = " ".join(sentence.text for sentence in sentences(edition(key)))
    for words in (
        "Only the base game",
        "average score of all opponents" if "2022" in key else "sum of the scores of all opponents",
        "stays in play, passive",
        "second one in a tournament means ejection",
        "reports ejected players to the publisher",
        "doesn't play in the tournament they judge",
        "Pedro Ramirez",
        "full copy of the publisher's document",
        "still alive then takes their turn as normal",
    ):
        assert words in text, words
    assert ("Eight always wins" in text) is ("2010" in key)
    assert "| 4 |" not in page(edition(key)).split("## Roles")[1].split("## Characters")[0]


def test_simplified_pays_eliminated_players_only_to_the_living_and_follows_its_readings() -> None:
    rules = edition("simplified-2003")
    lines = texts(rules, "winnings")
    assert any("only to players still alive" in text for text in lines)
    assert any("the Sheriff gets $3,500, the Deputy $2,500" in text.replace("The", "the") for text in lines)
    assert not any("loses $5,000" in text for text in lines)
    by_players = SimplifiedMultiplier.RENEGADE_PLAYERS
    changed = read(rules, simplified_multiplier=by_players, deputy_penalty_in_simplified=True)
    assert any("by the number of players" in text for text in texts(changed, "winnings"))
    assert any("loses $5,000" in text for text in texts(changed, "winnings"))


def test_cash_rewards_survive_a_time_limit() -> None:
    rules = with_options(edition("official-2003"), (OptionKey.CASH_REWARDS,), "test")
    assert any("rewards earned before the time limit are kept" in text for text in texts(rules, "tournament"))
    assert "nobody is paid." not in page(rules)


def test_totals_are_secret_only_where_that_is_printed() -> None:
    for known in editions():
        secret = any("secret" in text for text in texts(known, "ranking"))
        assert secret is known.key.startswith("championship")


def test_amounts_with_a_rebel_are_on_the_page_of_the_system_of_2003() -> None:
    text = page(edition("official-2003"))
    law = text.split("**With a Rebel!: Law wins**")[1].split("**")[0]
    assert "| role | when | dollars | 4 players | 6 players | 8 players | 9 players | 10 players |" in law
    assert re.search(r"\| Sheriff \|.*\| 1,500 \| 3,000 \| 4,500 \| 4,500 \| 6,000 \|", law)


def test_house_rules_cite_their_own_file_for_what_it_changes() -> None:
    own = replace(edition("championship-2022"), key="our-club", source="Rules of our club")
    rounds = next(s for s in sentences(own) if "players play" in s.text)
    assert rounds.printed == ("Rules of our club",)
    conduct = next(s for s in sentences(own) if "Forbidden" in s.text)
    assert conduct.printed == ("Championship 2022/23 v1.4, 2",)


def test_sections_are_those_of_the_list_of_sources() -> None:
    listed = (ROOT / "docs" / "development" / "sources.md").read_text(encoding="utf-8")
    for document, sections in SECTIONS.items():
        row = next(line for line in listed.splitlines() if f"`{document}`" in line)
        assert sections <= set(re.findall(r"\d(?:\.\d)?", row.split("|")[3]))


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


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010", "official-2003"])
def test_house_rules_of_earlier_versions_cite_the_document_of_their_kind(key: str) -> None:
    """They have no table ``printed``."""
    known = edition(key)
    path = Path(str(edition.__code__.co_filename)).with_name(f"{key}.toml")
    lines = path.read_text(encoding="utf-8").replace(f'key = "{key}"', 'key = "ours"', 1)
    before, _, rest = lines.partition("[printed]\n")
    read = read_house_rules(before + "[readings]" + rest.partition("[readings]")[2], "ours.toml")
    assert read.printed == known.printed
    assert sentences(read) == sentences(replace(known, key="ours"))


def test_more_players_than_the_chart_lists_are_seated_as_the_file_says() -> None:
    known = edition("championship-2022")
    few = replace(known, tables=replace(known.tables, above_chart=AboveChart.FEWEST_TABLES))
    said = [
        any("as few tables as possible" in one.text for one in sentences(rules)) for rules in (few, known)
    ]
    assert said == [True, False]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((5,), "5"), ((5, 6), "5 or 6"), ((4, 5, 6, 7, 8), "4 to 8"), ((4, 6, 8), "4, 6 or 8")],
)
def test_numbers_are_listed_as_people_say_them(numbers: tuple[int, ...], expected: str) -> None:
    assert list_numbers(numbers, ENGLISH) == expected


ROOT = Path(__file__).parents[2]
CITATION = re.compile(r"(Championship 2022/23 v1\.4|Championship 2010 v1\.1), (\d(?:\.\d)?)(?: \"[^\"]+\")?")


def sources() -> list[tuple[str, str]]:
    """Those of the docstrings."""
    return [
        (str(path.relative_to(ROOT)), " ".join(match[1].split()))
        for path in sorted((ROOT / "core").rglob("*.py"))
        for match in re.finditer(
            r"Source: (.+?)(?:\n\s*\n|\"\"\")", path.read_text(encoding="utf-8"), re.DOTALL
        )
    ]


@pytest.mark.parametrize(("path", "source"), sources())
def test_a_source_of_a_docstring_is_a_listed_document_and_section_or_a_reading(
    path: str, source: str
) -> None:
    sections = [(match[1], match[2]) for match in CITATION.finditer(source)]
    named = any(document in source for document in (BASE_GAME, OFFICIAL_2003, "The Rebel!"))
    readings = set(re.findall(r"\bD\d\d\b", source))
    assert sections or named or readings, f"{path}: {source}"
    assert all(section in SECTIONS[document] for document, section in sections), f"{path}: {source}"
    assert readings <= DECISIONS, f"{path}: {source}"


def test_the_rules_name_their_sources() -> None:
    assert len(sources()) >= 10
