"""The documentation: links lead somewhere, pictures have a source, quotes are said, the site is built."""

import itertools
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from uv import find_uv_bin

from station.app.guide import slug
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tools.moving_picture import OUT
from tools.shown_pictures import PICTURES, shown_pictures, station_messages
from tools.wiring_plans import plans
from tools.workshop.__main__ import drawings

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = sorted((ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")))
LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
HEADING: Final = re.compile(r"(?m)^#+ (.+)$")
CODE: Final = re.compile(r"(?ms)^```.*?^```|`[^`\n]*`")
DRAWN_BY_HAND: Final = {"card-to-table.svg"}
BY_THE_BENCH: Final = {"performance.png"}
FILMED: Final = {OUT.name}
FEWEST_MESSAGES: Final = 3
ADDRESS: Final = re.compile(
    r"""<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)"""
)


@cache
def anchors(page: Path) -> frozenset[str]:
    """A translation has the anchors of its original."""
    page = DOCS / "guides" / page.name if page.parent.parent == DOCS / "guides" else page
    titles = HEADING.findall(page.read_text(encoding="utf-8"))
    return frozenset(slug(re.sub(r"[*`]|\]\([^)]*\)", "", title)) for title in titles)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if "://" not in target:
            file = (page.parent / target).resolve() if target else page
            assert file.exists(), link
            assert not anchor or anchor in anchors(file), link


def test_every_picture_in_the_tree_is_shown() -> None:
    kept = {str(path.relative_to(PICTURES)) for path in PICTURES.rglob("*") if path.is_file()}
    assert kept == shown_pictures()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [OUT.name, *sorted(name for name in shown_pictures() if name.startswith("station/"))]
)
def test_a_picture_shows_only_messages_that_the_station_still_has(name: str) -> None:
    with Image.open(PICTURES / name) as picture:
        messages = set((picture.info.get("Messages") or picture.info["xmp"].decode()).splitlines())
    assert len(messages) > FEWEST_MESSAGES
    language, command = ("en", "moving-picture") if name == OUT.name else (name[-6:-4], "screenshots")
    assert messages <= station_messages(language), f"take it again: make {command}"


def test_every_picture_that_a_page_shows_has_a_source() -> None:
    moments = {moment.picture for moment in (*moments_at(6), *moments_anywhere())}
    programs = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tools").glob("pictures_*.py"))
    made = {f"kiosk/{moment}.png" for moment in moments} | DRAWN_BY_HAND | BY_THE_BENCH | FILMED
    made |= {*plans(), *(f"housing/{name}" for name in drawings())}
    for name in itertools.filterfalse(made.__contains__, shown_pictures()):
        station = re.fullmatch(r"station/([a-z-]+)-1280x720-(en|it)\.png", name)
        assert station is not None, name
        assert f'"{station[1]}"' in programs, name


@pytest.mark.nightly
def test_the_site_is_built_without_a_warning_and_without_a_foreign_address(tmp_path: Path) -> None:
    """`make docs` in an environment of its own."""
    python = tmp_path / "environment" / "bin" / "python"
    site = tmp_path / "site"
    for command in (
        (find_uv_bin(), "venv", "--quiet", python.parents[1]),
        (find_uv_bin(), "pip", "install", "--quiet", "--python", python, "--require-hashes", "-r",
         ROOT / "requirements" / "docs.lock"),
        (python, "-m", "mkdocs", "build", "--strict", "--site-dir", site),
    ):  # fmt: skip
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    pages = sorted(site.rglob("*.html"))
    assert {"index.html", "judge.html"} <= {page.name for page in pages}
    assert {
        page.name: addresses
        for page in pages
        if (addresses := ADDRESS.findall(page.read_text(encoding="utf-8")))
    } == {}
    assert "Una giornata normale" in (site / "search" / "search_index.json").read_text(encoding="utf-8")


# The page quotes screens, pages and commands: what it quotes is said by the code.
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


@pytest.mark.parametrize("quote", QUOTED)
def test_what_the_page_quotes_is_said_somewhere(quote: str, spoken: str) -> None:
    assert quote in spoken


@pytest.fixture(scope="module")
def spoken() -> str:
    """All that the programs say, in one line; a sentence that is wrapped in the source is joined."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in _SAID_BY)
    return re.sub(r'"\s*\n\s*f?"', "", text)


def test_the_page_quotes_enough_to_be_of_use() -> None:
    assert len(QUOTED) > 20
