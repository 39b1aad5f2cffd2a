"""docs/guides/night.md quotes screens, pages and commands: what it quotes is said by the code."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NIGHT = (ROOT / "docs" / "guides" / "night.md").read_text(encoding="utf-8")
_SAID_BY = (
    *ROOT.glob("kiosk/**/*.py"),
    *ROOT.glob("sync/**/*.py"),
    *ROOT.glob("station/**/*.py"),
    *ROOT.glob("station/**/*.html"),
    *(file for file in ROOT.glob("image/*/root/usr/lib/saloon/*") if file.is_file()),
)
QUOTED = sorted(
    {part.strip() for quote in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", NIGHT) for part in quote.split("…")}
    - {"", "all", "new"}
)


def words_of_the_programs() -> str:
    """All that the programs say, in one line; a sentence that is wrapped in the source is joined."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in _SAID_BY)
    return re.sub(r'"\s*\n\s*f?"', "", text)


@pytest.mark.parametrize("quote", QUOTED)
def test_what_the_page_quotes_is_said_somewhere(quote: str, spoken: str) -> None:
    assert quote in spoken


@pytest.fixture(scope="module")
def spoken() -> str:
    return words_of_the_programs()


def test_the_page_quotes_enough_to_be_of_use() -> None:
    assert len(QUOTED) > 20
