"""Letters that papers can't show, named before anybody prints."""

from pathlib import Path

import pytest

from base.fonts import FOLDER, SCRIPTS
from station.paper.typesetting import letters_of, missing_letters


def test_our_fonts_have_the_letters_of_europe() -> None:
    assert missing_letters("Ada Żółć ő Å ß Łukasz Ευρώπη Киев שלום 10 – “x”\u200b\u00ad") == ""


@pytest.mark.parametrize(
    ("font", "has", "has_not"),
    [
        (FOLDER / "BarlowCondensed-Bold.ttf", "Aőß", "Жא山"),
        (SCRIPTS / "DejaVuSans.ttf", "AőЖא𝔸", "山"),
        (FOLDER / "SaloonSign-OFL.txt", "", "A"),
        (FOLDER / "missing.ttf", "", "A"),
    ],
)
def test_the_letters_of_a_font_are_read(font: Path, has: str, has_not: str) -> None:
    codes = letters_of(Path(str(font)), 0)
    assert {ord(letter) for letter in has} <= codes
    assert not {ord(letter) for letter in has_not} & codes
