"""The guides, setup and reference pages of docs/, rendered once from Markdown as pages of the station.

A guide is shown in the reader's language if docs/guides has a folder for it, and in English otherwise. A
translation has the same blocks in the same order as its original, so both share their anchors.
"""

import asyncio
import functools
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

from core.editions.loader import editions
from station.accounts.permissions import Permission
from station.web.http_rules import COMPRESSED
from station.web.site import PageRequest, page, words_of

_PACKED: Final = Path(__file__).parents[1] / "docs"
DOCS: Final = _PACKED if _PACKED.exists() else Path(__file__).parents[2] / "docs"
"""The folder docs/ of the checkout, or the part of it in the wheel."""
GUIDES: Final = ("judge", "player", "night", "rehearsal")
_FOLDERS: Final[Mapping[str, Sequence[str]]] = {
    "guides": GUIDES,
    "setup": ("station", "provisioning", "hardware", "wiring", "very-large-events"),
    "rules": ("house-rules", "open-questions"),
    "reference": ("draw", "export", "api", "security"),
}
PAGES: Final = {name: f"{folder}/{name}.md" for folder, names in _FOLDERS.items() for name in names}
"""The file of each page, below docs/."""
_COMMENT: Final = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_TRANSLATED: Final = re.compile(r"guides/[a-z]{2}/")


class Guide(NamedTuple):
    """A rendered page. ``sections`` are the anchor and title of each chapter."""

    title: str
    html: str
    sections: tuple[tuple[str, str], ...]
    language: str


@functools.cache
def guide(name: str, language: str) -> Guide:
    """Return a page of ``PAGES`` in a language, or in English if it isn't translated."""
    source = PAGES[name]
    translated = source.replace("guides/", f"guides/{language}/")
    is_translated = translated != source and (DOCS / translated).is_file()
    file = translated if is_translated else source
    tokens = _parse(file)
    blocks = tuple(_anchored_blocks(tokens))
    named = tuple(_anchored_blocks(_parse(source))) if is_translated else blocks
    for (block, _text), anchor in zip(blocks, _anchors(named), strict=True):
        block.attrSet("id", anchor)
    for token in tokens:
        _finish(token, posixpath.dirname(file))
    title, *chapters = (
        (str(block.attrGet("id")), text) for block, text in blocks if block.tag in {"h1", "h2"}
    )
    # The first three tokens are the title, which the template shows.
    html = _MARKDOWN.renderer.render(tokens[3:], _MARKDOWN.options, {})
    return Guide(title[1], html, tuple(chapters), language if is_translated else "en")


def _parse(file: str) -> list[Token]:
    return _MARKDOWN.parse(_COMMENT.sub("", (DOCS / file).read_text(encoding="utf-8")))


def _anchored_blocks(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Yield headings, and paragraphs and list items that begin with emphasis, each with its text."""
    for number, token in enumerate(tokens):
        if token.type != "inline":
            continue
        block = tokens[number - 1]
        if block.type == "heading_open":
            yield block, "".join(child.content for child in token.children or ())
        elif block.type == "paragraph_open" and (text := _opening(token.children or ())):
            yield (tokens[number - 2] if block.hidden else block), text


def _opening(children: Sequence[Token]) -> str:
    """Return the emphasised text at the beginning of a paragraph, or ""."""
    visible = [child for child in children if child.type != "text" or child.content]
    is_emphasised = bool(visible) and visible[0].type in {"em_open", "strong_open"}
    return next(child.content for child in visible if child.content) if is_emphasised else ""


def _anchors(blocks: Sequence[tuple[Token, str]]) -> Iterator[str]:
    """Yield an anchor for each block as GitHub generates it, reserving those of headings first."""
    used = Counter(slug(text) for block, text in blocks if block.type == "heading_open")
    for block, text in blocks:
        anchor = slug(text)
        if block.type == "heading_open":
            yield anchor
        else:
            yield f"{anchor}-{used[anchor]}" if used[anchor] else anchor
            used[anchor] += 1


def slug(text: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def _finish(token: Token, folder: str) -> None:
    """Point links and pictures to pages of the station, and replace inline alignment by a class."""
    if "right" in str(token.attrs.pop("style", "")):
        token.attrSet("class", "n")
    children = token.children or []
    kept: list[Token] = []
    is_dropped = False
    for child in children:
        if child.type == "image":
            target = posixpath.normpath(posixpath.join(folder, str(child.attrs["src"])))
            child.attrs |= {"src": f"/static/{target}", "loading": "lazy"}
        elif child.type == "link_open":
            address = _address(str(child.attrs["href"]), folder)
            is_dropped = address is None
            child.attrSet("href", address or "")
        if not (is_dropped and child.type in {"link_open", "link_close"}):
            kept.append(child)
    if token.children:
        token.children = kept


def _address(link: str, folder: str) -> str | None:
    """Return the station's address for a link within docs/, or None for a page that it does not serve."""
    target, hash_, anchor = link.partition("#")
    if not target or "://" in target:
        return link
    path = _TRANSLATED.sub("guides/", posixpath.normpath(posixpath.join(folder, target)))
    name = posixpath.basename(path).removesuffix(".md")
    if path.startswith("pictures/"):
        return f"/static/{path}"
    if PAGES.get(name) == path:
        return f"/guide/{name}{hash_}{anchor}"
    if path == "rules/README.md":
        return "/guide"
    return f"/rules/{name}" if path.startswith("rules/") and name in _edition_keys() else None


@functools.cache
def _edition_keys() -> frozenset[str]:
    return frozenset(edition.key for edition in editions())


def _code(_renderer: object, tokens: Sequence[Token], number: int, *_context: object) -> str:
    return f'<pre class="scroll" tabindex="0"><code>{escape(tokens[number].content)}</code></pre>\n'


_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
_MARKDOWN.add_render_rule("table_close", lambda *_: "</table></div>\n")
_MARKDOWN.add_render_rule("code_block", _code)
_MARKDOWN.add_render_rule("fence", _code)


@get("/guide", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def guides(request: PageRequest) -> Template:
    """List the guides and the rules of each edition."""
    language = words_of(request).language
    titles = await asyncio.to_thread(lambda: [(name, guide(name, language)) for name in PAGES])
    return page(request, "public/guides.html", guides=titles, first=len(GUIDES), editions=editions())


@get("/guide/{name:str}", needs=Permission.PUBLIC_PAGES, middleware=[COMPRESSED])
async def one_guide(request: PageRequest, name: FromPath[str]) -> Template:
    """Show a guide."""
    if name not in PAGES:
        raise NotFoundException
    content = await asyncio.to_thread(guide, name, words_of(request).language)
    return page(request, "public/guide.html", g=content)


routes = Router("/", route_handlers=[guides, one_guide])
