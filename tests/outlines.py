"""Words in many scripts as HarfBuzz draws their letters, to compare with pictures of screens and papers."""

import itertools
from pathlib import Path

import uharfbuzz as hb
from PIL import Image, ImageChops, ImageDraw, ImageStat

Point = tuple[float, float]
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
