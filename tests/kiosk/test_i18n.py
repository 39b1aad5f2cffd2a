import re

import pytest
from babel.messages.pofile import read_po

from saloon.core.errors import Refused
from saloon.core.game.reasons import Reason
from saloon.kiosk.i18n import FOLDER, LANGUAGES, Words

FIELD = re.compile(r"\{\w*\}")


def catalogue(language: str) -> dict[str, tuple[str, ...]]:
    path = FOLDER / language / "LC_MESSAGES" / "kiosk.po"
    with path.open("rb") as file:
        read = read_po(file, locale=language)
    return {
        (message.id if isinstance(message.id, str) else message.id[0]): (
            (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        )
        for message in read
        if message.id
    }


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_refusal_is_translated_with_its_fields(language: str) -> None:
    found = catalogue(language)
    for reason in Reason:
        assert found.get(reason.value, ("",))[0], reason
        assert set(FIELD.findall(found[reason.value][0])) == set(FIELD.findall(reason.value)), reason


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_word_of_the_screen_is_translated(language: str) -> None:
    with (FOLDER / "kiosk.pot").open("rb") as file:
        template = read_po(file)
    found = catalogue(language)
    wanted = {(m.id if isinstance(m.id, str) else m.id[0]) for m in template if m.id}
    assert {word for word in wanted if not all(found.get(word, ("",)))} == set()


def test_words_of_an_unknown_language_are_english() -> None:
    assert Words("xx").gettext("End turn") == "End turn"


def test_a_refusal_says_its_fields_in_the_language() -> None:
    refused = Refused(Reason.ROLE_USED_UP, role="outlaw")
    assert "fuorilegge" in Words("it").refusal(refused)
    assert "outlaw" in Words("en").refusal(refused)
