"""Documentation and screen texts are spelt as British dictionaries have them."""

import re
import subprocess
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = sorted(
    page
    for page in (*ROOT.glob("[CR]*.md"), *(ROOT / "docs").rglob("*.md"))
    if page.parent.name != "it" and page.name != "CODE_OF_CONDUCT.md"
)
CATALOGUES: Final = sorted(ROOT.glob("*/locale/it/LC_MESSAGES/*.po"))
NOT_PROSE: Final = re.compile(
    r"(?ms)^```.*?^```|`[^`\n]*`|^ {4}.*?$|\]\([^)]*\)|<!--.*?-->|<[^>]*>|\S+://\S+|\{[^}]*\}|%\([^)]*\)s"
)
NAME: Final = re.compile(r"\w*(?:\d|[A-Z].*[A-Z])\w*(?:'s)?|\w")
"""A word with a digit or two capitals: of a part, a decision, a product."""
KNOWN: Final = frozenset((Path(__file__).parent / "spelling.txt").read_text(encoding="utf-8").split())
"""Names of people and programs, and words of the trade."""


def misspelt(text: str) -> set[str]:
    command = ("hunspell", "-d", "en_GB", "-i", "utf-8", "-l")
    unknown = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.split()
    words = {word for word in unknown if not NAME.fullmatch(word)}
    return {word for word in words if word.removesuffix("'s") not in KNOWN}


def test_a_wrong_word_is_found() -> None:
    assert misspelt("A colour of the wrong teh, and the color of Marogi's GPIO4") == {"teh", "color"}


@pytest.mark.slow
def test_documentation_is_spelt_right() -> None:
    texts = (NOT_PROSE.sub(" ", page.read_text(encoding="utf-8")) for page in PAGES)
    assert misspelt("\n".join(texts)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_screen_texts_are_spelt_right(catalogue: Path) -> None:
    with catalogue.open("rb") as file:
        ids = [message.id for message in read_po(file)]
    texts = chain.from_iterable((text,) if isinstance(text, str) else text for text in ids)
    assert misspelt(NOT_PROSE.sub(" ", "\n".join(texts))) == set()
