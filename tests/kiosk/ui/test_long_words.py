"""A long word is broken only at its soft hyphen, and only if necessary."""

from hypothesis import given
from hypothesis import strategies as st

from kiosk.ui.blocks import Label, Paragraph
from kiosk.ui.geometry import Rect
from kiosk.ui.text import SOFT_HYPHEN, Typesetter
from kiosk.view import theme

LONG = f"Kopfgeld{SOFT_HYPHEN}jäger"
TYPES = Typesetter()


def test_a_label_never_shows_a_soft_hyphen() -> None:
    assert TYPES.fit(Label(Rect(0, 0, 400, 40), LONG, 30, theme.INK)).text == "Kopfgeldjäger"


def test_a_paragraph_breaks_a_long_word_with_a_hyphen_where_it_has_no_room() -> None:
    wide = TYPES.wrap(Paragraph(Rect(0, 0, 400, 40), f"Der {LONG}", 30, theme.INK))
    assert wide.lines == ("Der Kopfgeldjäger",)
    narrow = TYPES.wrap(Paragraph(Rect(0, 0, 90, 120), f"Der {LONG}", 30, theme.INK))
    assert narrow.lines == ("Der", "Kopfgeld-", "jäger")


@given(st.lists(st.sampled_from(["Der", LONG, "gewinnt", "x"]), max_size=8), st.integers(20, 300))
def test_no_letter_is_lost(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = TYPES._lines(Paragraph(Rect(0, 0, width, 100), text, 20, theme.INK), 20)
    joined = "".join(line.removesuffix("-") for line in lines).replace(" ", "")
    assert joined == text.replace(SOFT_HYPHEN, "").replace(" ", "")
