"""Long names are shortened to a first name and an initial rather than cut off."""

import msgspec
import pytest

from kiosk.preferences import Layout
from kiosk.ui.blocks import Label, Paragraph, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.text import ELLIPSIS
from kiosk.view import theme
from tests.kiosk.scenes.conftest import GLASSES, WidthsKept, laid_out
from tests.scenarios.moments import Moment, moments

LONG = (
    "Maximiliana Wolkenstein-Trostburg",
    "Bartholomäus von Habsburg-Lothringen",
    "Pierfrancesco Quattrocchi della Valle",
    "Jean-Christophe Delacroix",
    "Friederike Schwarzenberger",
    "Annunziata Costantinopoli",
    "Alessandra Buonarroti-Mastrangelo",
)
TYPES = WidthsKept()


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


def test_two_players_are_never_shown_by_the_same_brief_name() -> None:
    names = (*LONG[:-1], "Maximiliana Wertheimer-Hohenlohe")
    assert "Maximiliana W." not in texts_on(named(names), "800x480", Layout.RING)


def test_a_word_without_room_is_cut_at_the_size_at_which_it_is_drawn() -> None:
    paragraph = Paragraph(Rect(0, 0, 90, 60), f"by {LONG[0]}", 24, theme.INK, Typeface.BOLD)
    fitted = TYPES.wrap(paragraph)
    assert fitted.cut
    assert all(TYPES.width(line, Typeface.BOLD, fitted.size_px) <= 90 for line in fitted.lines)
