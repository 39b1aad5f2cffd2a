"""Headings are readable even at the largest tables: a title comes first and is never left out."""

from functools import cache
from itertools import combinations, product
from typing import cast

import msgspec
import pygame
import pytest

from base.languages import LANGUAGES
from kiosk.i18n import Words
from kiosk.preferences import Layout
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.heading import head_parts
from kiosk.ui.blocks import Label, Paragraph, Typeface
from kiosk.ui.geometry import Rect, rotated_size, screen_geometry_for
from kiosk.ui.pen import Pen, PenResources, SurfaceCache
from kiosk.ui.text import ELLIPSIS
from kiosk.view import theme
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, WidthsKept, laid_out, types_for
from tests.pairwise import pairs_first
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.moments import Moment, moments

TYPES = WidthsKept()
CROWDED = (8, 9, 10)
LEAST_MM = 2.5
CLOSEST = 0.88
"""The height of the last line with the tightest spacing, as a share of the type size."""


@cache
def _moments_of_high_noon(seats: int) -> tuple[Moment, ...]:
    pictures = {"high-noon", "light-high-noon", "last-life-high-noon"}
    return tuple(moment for moment in moments(seats, rebel_rules()) if moment.picture in pictures)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["800x480", "1280x720", "720x1280", "1024x600"])
def test_who_has_no_life_points_left_stands_in_the_question_at_every_table(size: str) -> None:
    glass = GLASSES[size]
    for seats, layout in product(CROWDED, Layout):
        moment = next(m for m in moments(seats, rebel_rules()) if m.picture == "last-life")
        blocks = laid_out(glass, moment, "en", layout)._blocks
        middle = next(block for block in blocks if block.id in {"middle", "dialog"})
        words = [
            part.text for part in middle.parts if isinstance(part, Label | Paragraph) and part.rect.h > 0
        ]
        words += [button.label for button in middle.buttons]
        assert any("Čeněk Dvořák" in text for text in words), (seats, layout, words)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "others"), pairs_first(GLASSES, ("en", "it"), CROWDED, Layout))
def test_titles_over_the_middle_of_a_crowded_table_are_large_enough(
    size: str, others: list[tuple[str, int, Layout]]
) -> None:
    glass = GLASSES[size]
    for language, seats, layout in others:
        for moment in moments(seats, rebel_rules()):
            blocks = laid_out(glass, moment, language, layout)._blocks
            for middle in (block for block in blocks if block.id == "middle"):
                said = [part for part in middle.parts if isinstance(part, Label | Paragraph)]
                for title in said[:1]:
                    fitted = TYPES.fit(title) if isinstance(title, Label) else TYPES.wrap(title)
                    assert fitted.size_px >= LEAST_MM * glass.px_per_mm, (seats, layout, moment.picture)


def test_a_text_stands_right_under_its_title() -> None:
    stage = SceneContext(next(iter(moments(5))).view, GLASSES["800x480"], Words("en"))
    room = stage.glass.rect
    for text in ("Short.", "A text of many words that goes on and on. " * 4):
        parts = head_parts(stage, room, Heading("A title", text))
        title, below = (part for part in parts if isinstance(part, Label | Paragraph))
        assert isinstance(below, Paragraph)
        assert below.from_top
        assert 0 < below.rect.y - title.rect.bottom <= stage.mm(1)


def test_a_text_that_would_be_small_is_said_briefly() -> None:
    stage = SceneContext(next(iter(moments(5))).view, GLASSES["800x480"], Words("en"))
    head = Heading(
        "The Outlaws win!", "The Sheriff is out. Does everybody agree? So far 0 of 9.", brief="Missing: 9"
    )
    for height_mm, said in ((12, head.brief), (30, head.text)):
        room = Rect(0, 0, stage.mm(36), stage.mm(height_mm))
        *_title, text = (
            part for part in head_parts(stage, room, head) if isinstance(part, Label | Paragraph)
        )
        assert text.text == said


def test_a_text_of_closest_lines_is_written_inside_its_room() -> None:
    size = 40
    room = Rect(0, 20, 400, int(size * CLOSEST))
    surface = pygame.Surface((400, 100))
    pen = Pen(surface, Rect(0, 0, 400, 100), 0, PenResources(SurfaceCache(1 << 20), TYPES, theme.DAY))
    pen.paragraph(Paragraph(room, "Mostra la carta", size, theme.CREAM, from_top=True))
    surface.set_colorkey((0, 0, 0))
    ink = cast("list[pygame.Rect]", pygame.mask.from_surface(surface).get_bounding_rects())
    top, bottom = min(rect.top for rect in ink), max(rect.bottom for rect in ink)
    assert room.y <= top
    assert bottom <= room.bottom


@pytest.mark.by_day(5)
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("panel", [(800, 480), (480, 800), (1280, 720)])
def test_the_sign_of_high_noon_touches_no_other_line(panel: tuple[int, int], language: str) -> None:
    glass = screen_geometry_for(panel)
    for seats, layout in product(range(4, 11), Layout):
        for moment in _moments_of_high_noon(seats):
            blocks = laid_out(glass, moment, language, layout)._blocks
            for part in (part for block in blocks for part in block.parts):
                if isinstance(part, Label) and part.face is Typeface.SIGN:
                    fitted = types_for(glass).fit(part)
                    font = types_for(glass).font(part.face, fitted.size_px)
                    letters = font.render(fitted.text, True, (255, 255, 255))
                    assert letters.get_bounding_rect().h <= part.rect.h, (seats, layout, moment.picture)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "others"), pairs_first(LANGUAGES, (7, 8, 10), Layout))
def test_no_line_of_a_head_touches_another_on_a_narrow_panel(
    language: str, others: list[tuple[int, Layout]]
) -> None:
    glass = screen_geometry_for((480, 800))
    for seats, layout in others:
        for moment in (*moments(seats, rebel_rules()), *auction_moments(7)):
            blocks = laid_out(glass, moment, language, layout)._blocks
            for block in (block for block in blocks if block.id == "middle"):
                size = rotated_size(block.rect, block.quarter_turns)
                said = [part for part in block.parts if isinstance(part, Label | Paragraph)]
                for one, other in combinations(said, 2):
                    assert not ink(one, size).overlap_area(ink(other, size), (0, 0)), (
                        seats, layout, moment.picture, one.text, other.text,
                    )  # fmt: skip


def ink(words: Label | Paragraph, size: tuple[int, int]) -> pygame.Mask:
    """Return the place of a text that its block shows."""
    surface = pygame.Surface(size, pygame.SRCALPHA, 32)
    pen = Pen(surface, Rect(0, 0, *size), 0, PenResources(SurfaceCache(1 << 20), TYPES, theme.DAY))
    if isinstance(words, Label):
        pen.label(words)
    else:
        pen.paragraph(words)
    return pygame.mask.from_surface(surface, 100)


LONG = (
    "Maximiliana Wolkenstein-Trostburg",
    "Bartholomäus von Habsburg-Lothringen",
    "Pierfrancesco Quattrocchi della Valle",
    "Jean-Christophe Delacroix",
    "Friederike Schwarzenberger",
    "Annunziata Costantinopoli",
    "Alessandra Buonarroti-Mastrangelo",
)


def named(names: tuple[str, ...], picture: str = "play") -> Moment:
    """Return a moment of a table with these players' names."""
    moment = next(moment for moment in moments(len(names)) if moment.picture == picture)
    game = moment.view.game
    assert game is not None
    seats = tuple(msgspec.structs.replace(s, name=name) for s, name in zip(game.seats, names, strict=True))
    view = msgspec.structs.replace(moment.view, game=msgspec.structs.replace(game, seats=seats))
    return msgspec.structs.replace(moment, view=view)


def texts_on(moment: Moment, size: str, layout: Layout) -> list[str]:
    """Return the names as drawn on the cards."""
    blocks = laid_out(GLASSES[size], moment, "en", layout)._blocks
    cards = [block for block in blocks if block.id.startswith("seat-")]
    return [TYPES.fit(part).text for card in cards for part in card.parts if isinstance(part, Label)]


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("size", ["800x480", "1280x720", "720x1280", "1024x600"])
def test_a_long_name_is_brief_before_it_is_cut(size: str, layout: Layout) -> None:
    texts = texts_on(named(LONG), size, layout)
    assert not any(ELLIPSIS in text for text in texts), texts
    assert {"Maximiliana", "Maximiliana W.", LONG[0]} & set(texts)


def test_little_words_of_a_name_are_no_initials() -> None:
    assert "Bartholomäus H." in texts_on(named(LONG), "800x480", Layout.RING)


def test_names_in_letters_without_capitals_have_no_initials() -> None:
    names = ("شيماء عبد الرحمن العربي", "นางสาวสมหญิง ใจดีเสมอ", "தமிழ்செல்வன் Bo", *LONG[:4])
    texts = texts_on(named(names), "800x480", Layout.RING)
    assert {"شيماء", "Bo (Seat 3)"} <= set(texts)
    assert not any(text.endswith(".") and text[0] > "ſ" for text in texts), texts


def test_two_players_are_never_shown_by_the_same_brief_name() -> None:
    names = (*LONG[:-1], "Maximiliana Wertheimer-Hohenlohe")
    assert "Maximiliana W." not in texts_on(named(names), "800x480", Layout.RING)


def test_a_word_without_room_is_cut_at_the_size_at_which_it_is_drawn() -> None:
    paragraph = Paragraph(Rect(0, 0, 90, 60), f"by {LONG[0]}", 24, theme.INK, Typeface.BOLD)
    fitted = TYPES.wrap(paragraph)
    assert fitted.cut
    assert all(TYPES.width(line, Typeface.BOLD, fitted.size_px) <= 90 for line in fitted.lines)
