"""Each character's ability in one line, the same at tables, at the station and in the docs."""

import pytest

from base.languages import LANGUAGES
from core.characters import Character
from core.editions.loader import edition, editions
from core.text.abilities import ability, name_ability
from core.text.rules_in_words import text_chapters
from core.text.rules_text import RulesText
from core.text.sentence import BASE_GAME, English
from kiosk.i18n import words_in as words_of_tables
from station.text.i18n import words_in as words_of_station

CHAMPIONSHIP = edition("championship-2022")
LONGEST = 66
EXACT = {
    Character.WILLY_THE_KID: "any number of BANG!",
    Character.SLAB_THE_KILLER: "two Missed!",
    Character.KIT_CARLSON: "top three",
    Character.JESSE_JONES: "first card from another player's hand",
    Character.PEDRO_RAMIREZ: "first card from the discard pile",
    Character.PAUL_REGRET: "increased by 1",
    Character.ROSE_DOOLAN: "decreased by 1",
    Character.BLACK_JACK: "second card",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("character", Character)
def test_an_ability_is_one_short_line_that_can_follow_a_name(character: Character, language: str) -> None:
    book = RulesText(CHAMPIONSHIP, words_of_tables(language))
    text, named = ability(character, book), name_ability(character, book)
    assert len(text) <= LONGEST
    assert text[0].isupper()
    # A card's name at the beginning would lose its capital after the character.
    assert not text.startswith(("BANG!", "Missed!", "Mancato!"))
    assert named.startswith(character.value)
    assert named.endswith(text[1:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_and_station_translate_an_ability_alike(language: str) -> None:
    table, station = (
        RulesText(CHAMPIONSHIP, words_in(language)) for words_in in (words_of_tables, words_of_station)
    )
    for character in Character:
        assert name_ability(character, table) == name_ability(character, station)
        assert language == "en" or ability(character, table) != ability(
            character, RulesText(CHAMPIONSHIP, English())
        )


@pytest.mark.parametrize(("character", "words"), EXACT.items())
def test_an_ability_says_what_matters(character: Character, words: str) -> None:
    assert words in ability(character, RulesText(CHAMPIONSHIP, English()))


def test_the_rules_of_every_edition_name_the_ability_of_each_of_its_characters() -> None:
    for known in editions():
        chapter = next(one for one in text_chapters(known, English()) if one.key == "abilities")
        names = [sentence.text.partition(":")[0] for sentence in chapter.sentences]
        assert names == [character.value for character in known.characters.deck]
        assert {sentence.printed for sentence in chapter.sentences} == {(BASE_GAME,)}
