"""Lines in every script, compared with what HarfBuzz draws of the same letters when it is asked itself."""

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from base.fonts import HAN
from kiosk.ui import shaping
from kiosk.ui.blocks import Typeface
from kiosk.ui.shaping import runs
from kiosk.ui.text import Typesetter
from tests.outlines import WORDS, drawn_by_harfbuzz, likeness

SIZE = 60


def drawn_by_us(types: Typesetter, word: str) -> Image.Image:
    picture = types.picture(word, Typeface.BOLD, SIZE, (255, 255, 255))
    pixels = pygame.image.tobytes(picture, "RGBA")
    return Image.frombytes("RGBA", picture.get_size(), pixels).getchannel("A")


@pytest.fixture(scope="module")
def types() -> Typesetter:
    return Typesetter()


@pytest.mark.parametrize("word", WORDS)
def test_a_word_looks_as_harfbuzz_draws_it(types: Typesetter, word: str) -> None:
    (run,) = runs(word)
    expected = drawn_by_harfbuzz(word, run.file(Typeface.BOLD), run.size_px(SIZE))
    assert likeness(drawn_by_us(types, word), expected) > 0.8


@pytest.mark.parametrize("word", [word for word in WORDS if len(word) > 3])
def test_letters_in_another_order_look_different(types: Typesetter, word: str) -> None:
    (run,) = runs(word)
    turned = drawn_by_harfbuzz(word[::-1], run.file(Typeface.BOLD), run.size_px(SIZE))
    assert likeness(drawn_by_us(types, word), turned) < 0.8


def drawn(text: str) -> str:
    return "".join(run.text for run in runs(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("דוד כהן", "ןהכ דוד"),
        ("Table 3", "Table 3"),
        ("Anna כהן", "Anna ןהכ"),
        ("כהן Anna", "ןהכ Anna"),
        ("כהן 12", "ןהכ 12"),
        ("דוד (2)'s turn", "דוד (2)'s turn"),
        ("דנה, table 4", "הנד, table 4"),
        ("2: محمد, علي", "2: دمحم, يلع"),
        ("דוד [תל אביב] (2)", "[ביבא לת] דוד (2)"),
        ("ד. כהן.", "ןהכ .ד."),
        ("עבד-אל שלום – דנה", "םולש לא-דבע – הנד"),
        ("דוד (תל אביב)", "(ביבא לת) דוד"),
        ("דוד [3]", "דוד [3]"),
        ("דוד (Roma)", "דוד (Roma)"),
        ("محمد علي's turn", "يلع دمحم's turn"),
    ],
)
def test_a_line_is_read_from_the_left_and_its_right_to_left_words_from_the_right(
    text: str, expected: str
) -> None:
    assert drawn(text) == expected


@given(st.text(alphabet="abcé אבגד ()[] ABC12 ابج", max_size=30))
def test_no_letter_is_lost(text: str) -> None:
    def without_sides(letters: str) -> list[str]:
        return sorted(letters.translate(str.maketrans(")]", "([")))

    assert without_sides(drawn(text)) == without_sides(text)


@given(st.lists(st.sampled_from(["Anna", "דוד כהן", "علي", "'s turn", "(2)", "4:", "–", "[A]"])))
def test_a_name_from_the_right_never_reorders_what_is_around_it(parts: list[str]) -> None:
    expected = " / ".join(drawn(part) for part in parts)
    assert drawn(" / ".join(parts)) == expected


def test_each_run_has_the_font_of_its_script() -> None:
    files = [run.file(Typeface.TEXT).stem for run in runs("Bo Наташа สมชาย")]
    assert files == [
        "BarlowCondensed-Medium", "DejaVuSans", "BarlowCondensed-Medium", "NotoSansThai-Medium",
    ]  # fmt: skip


def test_latin_names_keep_the_face_of_the_screen() -> None:
    for name in ("Ada", "Zoë Müller", "Łukasz", "Ğülşen", "José … “Pepe”"):
        assert [run.script for run in runs(name)] == [None]


@pytest.mark.parametrize("name", ["王小明", "たなか", "김민준"])
def test_a_name_in_han_letters_is_set_in_debians_font_where_there_is_one(name: str) -> None:
    (run,) = runs(name)
    assert (run.script is shaping._HAN) is HAN.exists()
