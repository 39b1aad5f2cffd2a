"""Lines in every script, compared with what HarfBuzz draws of the same letters when it is asked itself."""

import itertools
from pathlib import Path

import pygame
import pytest
import uharfbuzz as hb
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageStat

from base.fonts import HAN
from kiosk.ui import shaping
from kiosk.ui.blocks import Typeface
from kiosk.ui.shaping import runs
from kiosk.ui.text import Typesetter

Point = tuple[float, float]
SIZE = 60
FINE = 4
"""HarfBuzz's outlines are drawn this much larger and scaled down, so that their edges are smooth."""
WORDS = (
    "Ελένη", "Наташа", "محمد", "العربي", "مُحَمَّد", "علی\u200cرضا", "דוד", "שָׁלוֹם", "สมชาย", "ผู้ใหญ่ปั๊ก",
    "नरेन्द्र", "क्षत्रिय", "मोदी",
)  # fmt: skip


def outlines(font: hb.Font, glyph: int) -> list[list[Point]]:
    """Return the contours of a glyph as polygons, in font units."""
    contours: list[list[Point]] = []

    def curve(points: tuple[Point, ...]) -> None:
        start = contours[-1][-1]
        for step in range(1, 9):
            level = [start, *points]
            while len(level) > 1:
                level = [
                    (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
                    for (x, y), (to_x, to_y) in itertools.pairwise(level)
                ]
            contours[-1] += level

    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, _: contours.append([(x, y)]))
    pen.set_line_to_func(lambda x, y, _: contours[-1].append((x, y)))
    pen.set_quadratic_to_func(lambda a, b, x, y, _: curve(((a, b), (x, y))))
    pen.set_cubic_to_func(lambda a, b, c, d, x, y, _: curve(((a, b), (c, d), (x, y))))
    pen.set_close_path_func(lambda _: None)
    font.draw_glyph(glyph, pen)
    return contours


def drawn_by_harfbuzz(word: str, file: Path, size_px: int) -> Image.Image:
    face = hb.Face(hb.Blob.from_file_path(str(file)))
    font, buffer = hb.Font(face), hb.Buffer()
    buffer.add_str(word)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    scale = size_px / face.upem * FINE
    width = sum(place.x_advance for place in buffer.glyph_positions)
    picture = Image.new("1", (round(width * scale) + 40 * FINE, 2 * size_px * FINE))
    x = 10 * FINE / scale
    for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        for contour in outlines(font, glyph.codepoint):
            corners = [
                ((x + place.x_offset + across) * scale, 1.3 * size_px * FINE - (place.y_offset + up) * scale)
                for across, up in contour
            ]
            piece = Image.new("1", picture.size)
            ImageDraw.Draw(piece).polygon(corners, fill=1)
            # A contour inside another one is a hole.
            picture = ImageChops.logical_xor(picture, piece)
        x += place.x_advance
    return picture.convert("L").resize((picture.width // FINE, picture.height // FINE), Image.Resampling.BOX)


def likeness(first: Image.Image, second: Image.Image) -> float:
    """Return the ink that both have, as a share of the ink that either has, at the best place."""
    first, second = (picture.crop(picture.getbbox()) for picture in (first, second))
    size = (max(first.width, second.width) + 4, max(first.height, second.height) + 4)
    under = Image.new("L", size)
    under.paste(first, (2, 2))
    return max(_likeness_at(under, second, x, y) for x in range(1, 4) for y in range(1, 4))


def _likeness_at(under: Image.Image, second: Image.Image, x: int, y: int) -> float:
    over = Image.new("L", under.size)
    over.paste(second, (x, y))
    both, either = ImageChops.darker(under, over), ImageChops.lighter(under, over)
    return ImageStat.Stat(both).sum[0] / ImageStat.Stat(either).sum[0]


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
