"""Text of any script, fitted into its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.fonts.coverage import letters_of_terminals, missing_letters
from kiosk.ui.blocks import Label, Paragraph
from kiosk.ui.geometry import Rect
from kiosk.ui.text import SOFT_HYPHEN, Typesetter
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


@pytest.mark.parametrize(
    "name", ["Наташа Иванова", "محمد العربي", "นางสาวสมหญิง", "नरेन्द्र मोदी", "Łukasz Žižka"]
)
def test_a_name_fits_its_label(types: Typesetter, name: str) -> None:
    fitted = types.fit(Label(Rect(0, 0, 220, 40), name, 30, INK))
    assert fitted.width <= 220
    assert not fitted.cut


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("Łukasz", "Łukasz"),
        ("دَوُد (תל)", "دَوُد (תל)"),
        ("தமிழ்", "Seat 3"),
        ("Bo 😀", "Bo 😀"),
        ("👩\u200d👩 Lin", "Lin (Seat 3)"),
    ],
)
def test_a_name_with_letters_that_no_font_has_is_shown_as_far_as_it_goes(
    types: Typesetter, name: str, readable: str
) -> None:
    assert types.readable(name, "Seat 3") == readable
    assert bool(missing_letters(name, letters_of_terminals())) is (name != readable)
