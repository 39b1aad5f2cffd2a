"""The guides as pages of the station: complete, linked, translated, and reachable from each judge's page."""

import functools
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po

from core.editions.loader import editions
from station.app.app import TEMPLATES
from station.app.guide import DOCS, GUIDES, PAGES, Guide, guide
from tests.station.browser import Browser
from tests.station.conftest import Station

ROOT: Final = Path(__file__).parents[3]
WITHOUT_HELP: Final = {"layout.html", "guide.html", "guides.html", "error.html", "refused.html"}
"""Guides themselves, and pages that say what went wrong and what to do."""
PAGES_WITH_HELP: Final = sorted(
    path
    for folder in TEMPLATES
    for path in folder.rglob("*.html")
    if path.name not in WITHOUT_HELP and "{% extends" in path.read_text(encoding="utf-8")
)
QUOTE: Final = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
BLOCK: Final = re.compile(r"<(h\d|li|p|tr|pre)\b")
TRANSLATED: Final = sorted(str(path.relative_to(DOCS / "guides")) for path in DOCS.glob("guides/*/*.md"))


def ids(page: Guide) -> list[str]:
    return re.findall(r' id="([^"]+)"', page.html)


def links(page: Guide) -> list[str]:
    return re.findall(r'(?:href|src)="([^"]+)"', page.html)


@pytest.mark.parametrize("page", PAGES_WITH_HELP, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_page_opens_a_paragraph_of_a_guide(page: Path) -> None:
    anchor = re.search(r'{% set guide = "(?:(player)#)?([^"#]+)" %}', page.read_text(encoding="utf-8"))
    assert anchor is not None
    is_public = "public" in page.parts
    assert is_public or anchor[1] is None, "judges read the judge's guide"
    for language in ("en", "it"):
        assert anchor[2] in ids(guide(anchor[1] or "judge", language))


def test_judges_and_visitors_open_their_guide_from_a_page(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10)
    assert '<a class="help" href="/guide/judge#audit"' in judge.get("/judge/audit")
    assert '<a class="help" href="/guide/player#with-your-phone"' in visitor.get("/")
    assert 'class="help"' not in visitor.get("/guide/player")


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("name", PAGES)
def test_every_link_and_picture_of_a_page_leads_somewhere(name: str, language: str) -> None:
    for link in links(guide(name, language)):
        path, _, anchor = link.partition("#")
        if path.startswith("/static/pictures/"):
            assert (DOCS / path.removeprefix("/static/")).is_file(), link
        elif path.startswith("/rules/"):
            assert path.removeprefix("/rules/") in {edition.key for edition in editions()}
        elif path and path != "/guide" and "://" not in path:
            target = path.removeprefix("/guide/")
            assert not anchor or anchor in ids(guide(target, language)), link
        elif anchor:
            assert anchor in ids(guide(name, language)), link


@pytest.mark.parametrize("name", PAGES)
def test_an_anchor_of_a_page_is_there_once(name: str) -> None:
    anchors = ids(guide(name, "en"))
    assert sorted(anchors) == sorted(set(anchors))


def test_markdown_becomes_tables_pictures_and_anchors_and_no_style_of_its_own() -> None:
    page = guide("judge", "en")
    assert page.title == "The judge's guide"
    assert ("when-something-breaks", "When something breaks") in page.sections
    assert '<h2 id="when-something-breaks">' in page.html
    assert '<div class="scroll" tabindex="0"><table>' in page.html
    assert 'src="/static/pictures/kiosk/enrol.png"' in page.html
    assert "image/README.md</a>" not in page.html, "a file that only the checkout has is no link"
    for name in PAGES:
        assert "style=" not in guide(name, "en").html
        assert "<!--" not in guide(name, "en").html


def test_pages_are_compressed_and_a_wrong_name_is_not_found(station: Station, visitor: Browser) -> None:
    assert "I'm here" in visitor.get("/guide/player")
    answer = visitor.status("/guide/judge", **{"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    visitor.get("/guide/nothing", expected=404)
    assert 'href="/guide/judge"' in visitor.get("/guide")


def test_the_wheel_packs_the_pages_that_the_station_shows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    for file in (*PAGES.values(), "pictures"):
        assert any(f"docs/{file}".startswith(path) for path in packed), file


@pytest.mark.parametrize("file", TRANSLATED)
def test_a_translated_guide_has_the_blocks_headings_and_links_of_its_original(file: str) -> None:
    language, _, page = file.partition("/")
    name = page.removesuffix(".md")
    original, translated = guide(name, "en"), guide(name, language)
    assert translated.language == language
    assert ids(translated) == ids(original)
    follows, *blocks = BLOCK.findall(translated.html)
    assert follows == "p", "the line that names the version"
    third_line = (DOCS / "guides" / file).read_text(encoding="utf-8").splitlines()[2]
    assert re.search(r"\d+\.\d+\.\d+ \(\d+ \w+ \d{4}\)", third_line)
    assert blocks == BLOCK.findall(original.html)
    own = re.compile(rf"-{language}\.png$")
    assert sorted(own.sub("-en.png", link) for link in links(translated)) == sorted(links(original))


@pytest.mark.parametrize("file", TRANSLATED)
def test_a_translated_guide_quotes_the_pages_and_screens_as_they_are_translated(file: str) -> None:
    language, _, page = file.partition("/")
    text = _plain((DOCS / "guides" / file).read_text(encoding="utf-8"))
    quotes = set(QUOTE.findall((DOCS / "guides" / page).read_text(encoding="utf-8")))
    ways_by_quote = {quote: translations(language).get(quote, []) for quote in quotes}
    assert sum(map(bool, ways_by_quote.values())) >= 10
    assert {
        quote: ways for quote, ways in ways_by_quote.items() if ways and not any(way in text for way in ways)
    } == {}


@functools.cache
def translations(language: str) -> dict[str, list[str]]:
    """Return the translations of texts on pages and screens, which may differ between the two."""
    texts: dict[str, list[str]] = {}
    for room in ("station", "kiosk"):
        with (ROOT / room / "locale" / language / "LC_MESSAGES" / f"{room}.po").open("rb") as file:
            for message in read_po(file):
                if isinstance(message.id, str) and isinstance(message.string, str):
                    texts.setdefault(message.id, []).append(_plain(message.string).rstrip("."))
    return texts


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("’", "'").casefold()


def test_guides_are_in_english_for_readers_without_a_translation() -> None:
    assert guide("judge", "de").language == "en"
    assert guide("judge", "it").language == "it"
    assert guide("security", "it").language == "en"
    assert {f"it/{name}.md" for name in GUIDES if name != "rehearsal"} == set(TRANSLATED)
