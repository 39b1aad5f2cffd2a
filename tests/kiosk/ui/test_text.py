"""Text of any script, fitted into its place."""

import shutil
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.fonts import FOLDER
from kiosk.ui import text
from kiosk.ui.blocks import Label, Paragraph, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.text import SOFT_HYPHEN, Typesetter, in_visual_order, lacks_letters
from kiosk.view import theme
from kiosk.view.theme import INK

LONG = f"Kopfgeld{SOFT_HYPHEN}jäger"


@pytest.fixture(scope="module")
def types() -> Typesetter:
    """Made by the first test rather than at import, as other modules' tests may quit pygame in between."""
    return Typesetter()


def test_a_label_never_shows_a_soft_hyphen(types: Typesetter) -> None:
    assert types.fit(Label(Rect(0, 0, 400, 40), LONG, 30, theme.INK)).text == "Kopfgeldjäger"


def test_a_paragraph_breaks_a_long_word_with_a_hyphen_where_it_has_no_room(types: Typesetter) -> None:
    wide = types.wrap(Paragraph(Rect(0, 0, 400, 40), f"Der {LONG}", 30, theme.INK))
    assert wide.lines == ("Der Kopfgeldjäger",)
    narrow = types.wrap(Paragraph(Rect(0, 0, 90, 120), f"Der {LONG}", 30, theme.INK))
    assert narrow.lines == ("Der", "Kopfgeld-", "jäger")


@given(st.lists(st.sampled_from(["Der", LONG, "gewinnt", "x"]), max_size=8), st.integers(20, 300))
def test_no_letter_is_lost(types: Typesetter, words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = types._lines(Paragraph(Rect(0, 0, width, 100), text, 20, theme.INK), 20)
    joined = "".join(line.removesuffix("-") for line in lines).replace(" ", "")
    assert joined == text.replace(SOFT_HYPHEN, "").replace(" ", "")


NAMES = (
    "Ελένη Παπαδοπούλου",
    "Наташа Иванова",
    "דוד כהן",
    "محمد العربي",
    "علی\u200cرضا",
    "Bo ★",
    "Łukasz Žižka",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("face", list(Typeface))
def test_every_letter_of_a_name_has_a_picture(types: Typesetter, name: str, face: Typeface) -> None:
    assert not lacks_letters(name, types.font(face, 30, name))


@pytest.mark.parametrize("name", NAMES[:5])
def test_two_names_of_one_length_do_not_look_alike(types: Typesetter, name: str) -> None:
    other = name[0] + name[:0:-1]
    assert other != name
    pictures = [
        pygame.image.tobytes(
            types.font(Typeface.BOLD, 30, one).render(in_visual_order(one), True, (0, 0, 0)), "RGBA"
        )
        for one in (name, other)
    ]
    assert pictures[0] != pictures[1]


def test_a_name_in_han_letters_is_set_in_debians_font_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Any other font will do, as the test only checks that the line uses it if needed.
    han = tmp_path / "han.ttf"
    shutil.copy(FOLDER / "SaloonSign.ttf", han)
    monkeypatch.setattr(text, "HAN", han)
    types = Typesetter()
    font = types.font(Typeface.BOLD, 30, "Turn of 王小明")
    assert font is types.font(Typeface.BOLD, 30, "佐藤")
    assert font is not types.font(Typeface.BOLD, 30, "Наташа")
    monkeypatch.setattr(text, "HAN", tmp_path / "none.ttf")
    assert types.font(Typeface.BOLD, 30, "佐藤") is types.font(Typeface.BOLD, 30, "Наташа")


def test_latin_names_keep_the_face_of_the_screen(types: Typesetter) -> None:
    for name in ("Ada", "Zoë Müller", "Łukasz", "Ğülşen", "José … “Pepe”"):
        assert types.font(Typeface.TEXT, 30, name) is types.font(Typeface.TEXT, 30)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("דוד כהן", "ןהכ דוד"),
        ("Table 3", "Table 3"),
        ("Zoë", "Zoë"),
        ("Anna כהן", "Anna ןהכ"),
        ("כהן Anna", "Anna ןהכ"),
        ("علی\u200cرضا", "اضریلع"),
        ("כהן 12", "12 ןהכ"),
    ],
)
def test_lines_from_right_to_left_are_drawn_so(text: str, drawn: str) -> None:
    assert in_visual_order(text) == drawn


@given(st.text(alphabet="abcé אבגד ABC12 ابج", max_size=30))
def test_turning_loses_no_letter(text: str) -> None:
    assert sorted(in_visual_order(text)) == sorted(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_fits_its_label(types: Typesetter, name: str) -> None:
    fitted = types.fit(Label(Rect(0, 0, 220, 40), name, 30, INK))
    assert fitted.width <= 220
    assert not fitted.cut
