"""Prepare the pages of docs/ for the documentation site built by MkDocs: ``make docs``.

Links to files of the checkout lead to the repository if its address is known, and become plain text
otherwise. Headings of a translated guide get the anchors of the original.
"""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

_LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:]+)(#[^)]*)?\)")
_TRANSLATED: Final = re.compile(r"guides/[a-z]{2}/(\w+\.md)")
_HEADING: Final = re.compile(r"(?m)^(#+ )(.+)$")
_IN_AN_ITEM: Final = re.compile(r"(?m)^(?: {2,3}|( {6,7}))(?=\S)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001 (MkDocs names them)
    """Return a page's Markdown as the site needs it."""
    path = str(page.file.src_uri)
    folder = posixpath.dirname(path)

    def _follow(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", folder, link[2]))
        if target.startswith("docs/"):
            return link[0]
        return (
            f"[{link[1]}]({config.repo_url.rstrip('/')}/blob/main/{target})" if config.repo_url else link[1]
        )

    markdown = _LINK.sub(_follow, markdown)
    if translated := _TRANSLATED.fullmatch(path):
        original = (Path(config.docs_dir) / "guides" / translated[1]).read_text(encoding="utf-8")
        anchors = iter(_slug(heading[2]) for heading in _HEADING.finditer(original))
        markdown = _HEADING.sub(lambda heading: f"{heading[0]} {{#{next(anchors)}}}", markdown)
    # Python-Markdown requires four spaces, others only the width of the list marker.
    return _IN_AN_ITEM.sub(lambda indent: " " * (8 if indent[1] else 4), markdown)


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
