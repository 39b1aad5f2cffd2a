import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from base.languages import LANGUAGES
from core.game.correction import CorrectLife, CorrectTurns
from core.game.in_words import ROLE_NAMES, describe_event
from core.game.state.reasons import GameReason
from core.terms import MatchKind, Role, SeatNo
from core.tournament.state.reasons import TournamentReason
from kiosk.i18n import FOLDER, Words
from kiosk.scenes.widgets.clock_words import judge_words
from kiosk.view.table_view import RoundTime


class Catalogue(gettext.NullTranslations):
    """A catalogue of a few messages."""

    def __init__(self, messages: dict[str, str]) -> None:
        super().__init__()
        self._messages = messages

    def gettext(self, message: str) -> str:
        translation = self._messages.get(message)
        return super().gettext(message) if translation is None else translation


FIELD = re.compile(r"\{\w*\}")


def read(file: Path, language: str | None = None) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def translated(language: str) -> Catalog:
    return read(FOLDER / language / "LC_MESSAGES" / "kiosk.po", language)


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def said(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def catalogue(language: str) -> dict[str, tuple[str, ...]]:
    return {ids(message)[0]: said(message) for message in translated(language) if message.id}


def known_in(file: Path) -> set[str]:
    return {ids(message)[0] for message in read(file) if message.id}


every_translation = pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])


@every_translation
def test_every_refusal_is_translated_with_its_fields(language: str) -> None:
    messages = catalogue(language)
    for reason in GameReason:
        assert messages.get(reason.value, ("",))[0], reason
        assert set(FIELD.findall(messages[reason.value][0])) == set(FIELD.findall(reason.value)), reason


@pytest.mark.slow
@every_translation
def test_every_word_of_the_screen_is_translated(language: str) -> None:
    messages = catalogue(language)
    wanted = known_in(FOLDER / "kiosk.pot")
    assert {word for word in wanted if not all(messages.get(word, ("",)))} == set()


@pytest.mark.slow
@pytest.mark.parametrize(("catalogue", "rooms"), [("kiosk", ("core", "kiosk")), ("station", ("station",))])
def test_every_message_of_the_code_is_in_the_catalogue(catalogue: str, rooms: tuple[str, ...]) -> None:
    # The extraction misses messages inside an f-string.
    root = FOLDER.parents[1]
    known = known_in(root / catalogue / "locale" / f"{catalogue}.pot")
    messages = {
        word
        for room in rooms
        for path in (root / room).rglob("*.py")
        if not (room == "core" and path.parent.name == "text")
        for word in _messages(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert messages - known == set()


def _messages(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.Call(ast.Name(id=name) | ast.Attribute(attr=name), [ast.Constant(value=str(word)), *_]):
                if name in {"_", "gettext", "ngettext"}:
                    yield word
            case _:
                pass


def test_words_of_an_unknown_language_are_english() -> None:
    assert Words("xx").gettext("End turn") == "End turn"


def test_a_refusal_says_its_fields_in_the_language() -> None:
    refused = Refused(GameReason.ROLE_USED_UP, role=Role.OUTLAW)
    assert "Fuori\u00adlegge" in Words("it").refusal(refused)
    assert "Outlaw" in Words("en").refusal(refused)


def test_a_refusal_names_the_player_of_a_seat() -> None:
    refused = Refused(GameReason.OUT, seat=2)
    assert Words("en").refusal(refused, ("Ada", "Bartolomeo")) == "Seat 2 (Bartolomeo) has been eliminated."
    assert "(Bartolomeo)" in Words("it").refusal(refused, ("Ada", "Bartolomeo"))
    assert Words("en").refusal(Refused(GameReason.OUT, seat=9), ("Ada",)) == "Seat 9 has been eliminated."


@pytest.mark.parametrize("value", [*MatchKind, *Role])
def test_a_refusal_names_kinds_and_roles_in_words_not_as_they_are_stored(value: MatchKind | Role) -> None:
    refused = Refused(GameReason.NO_SUCH_DUEL, kind=value)
    words = Words("en").refusal(refused).removeprefix("There is no ").removesuffix(" in this edition.")
    assert "-" not in words
    assert Words("it").refusal(refused) != refused.reason.value.format(kind=value.value)


def test_a_refusal_names_a_kind_of_match_in_each_language() -> None:
    refused = Refused(GameReason.NO_SUCH_DUEL, kind=MatchKind.SHORT_DUEL)
    assert Words("en").refusal(refused) == "There is no short duel in this edition."
    assert "duello breve" in Words("it").refusal(refused)


@pytest.mark.parametrize("reason", [*GameReason, *TournamentReason])
def test_a_refusal_counts_nothing_in_the_plural_only(reason: GameReason | TournamentReason) -> None:
    assert not re.search(r"\{\w+\} (eliminations|steps|cards)\b|\{times\} times", reason.value)


@pytest.mark.parametrize(("count", "words"), [(1, "1 turn ("), (2, "2 turns (")])
def test_a_correction_of_one_turn_or_life_point_is_in_the_singular(count: int, words: str) -> None:
    turns = describe_event(CorrectTurns(SeatNo(1), count, "slip"), ("Ada",), Words("en"))
    life = describe_event(CorrectLife(SeatNo(1), count, "slip"), ("Ada",), Words("en"))
    assert turns == f"Judge: Ada has played {words}slip)"
    assert life == f"Judge: Ada has {words.replace('turn', 'life point')}slip)"


def test_a_sentence_of_several_messages_is_never_half_translated() -> None:
    words = Words("xx", Catalogue({"{role} left": "{role} übrig"}))
    assert words.gettext("{role} left").format(role="outlaw") == "outlaw übrig"
    assert words.whole(lambda w: w.gettext("{role} left").format(role=w.gettext("outlaw"))) == "outlaw left"
    both = Words("xx", Catalogue({"{role} left": "{role} übrig", "outlaw": "Bandit"}))
    assert both.whole(lambda w: w.gettext("{role} left").format(role=w.gettext("outlaw"))) == "Bandit übrig"


@given(known=st.sets(st.sampled_from([reason.value for reason in GameReason] + list(ROLE_NAMES.values()))))
def test_a_refusal_is_whole_in_one_language(known: set[str]) -> None:
    words = Words(
        "xx", Catalogue({message: message.upper().replace("{ROLE}", "{role}") for message in known})
    )
    said = words.refusal(Refused(GameReason.ROLE_USED_UP, role=Role.OUTLAW))
    assert said in {said.upper(), Words("en").refusal(Refused(GameReason.ROLE_USED_UP, role=Role.OUTLAW))}


@every_translation
def test_a_translation_has_the_plurals_of_its_language_and_the_fields_of_its_message(language: str) -> None:
    translation = translated(language)
    for message in filter(lambda message: message.id, translation):
        if isinstance(message.id, tuple) and any(said(message)):
            assert all(said(message)), message.id
            assert len(said(message)) == translation.num_plurals, message.id
        allowed = {field for text in ids(message) for field in FIELD.findall(text)}
        for text in filter(None, said(message)):
            assert set(FIELD.findall(text)) <= allowed, message.id
            assert set(FIELD.findall(text)) >= set(FIELD.findall(ids(message)[0])) - {"{count}"}, message.id


@pytest.mark.parametrize("language", ["en", "it", "de", "es", "fr"])
def test_a_minute_of_a_rough_clock_is_one_minute(language: str) -> None:
    one, two = (judge_words(RoundTime(60 * n, 3_600, is_rough=True), Words(language)) for n in (1, 2))
    assert one != two.replace("2", "1")
