"""Write a page about the rules of each edition into docs/rules, and an index: ``make rules-pages``.

Text that editions share is printed once: a list on the first page that has it, and the open questions on a
separate page.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.cli.editions import page
from core.editions.edition import Edition
from core.editions.loader import editions

DOCS = Path(__file__).parents[1] / "docs" / "rules"
LIST = """# The rules, edition by edition

`make rules-pages` generates these pages from the edition files. The documents are listed in
[sources](../development/sources.md). Each sentence ends with its source: a section of the edition's document,
or another document. A number such as D16 marks a point that no document settles, so Saloon had to decide it;
[open questions](open-questions.md) lists the alternatives. The wording is ours, not the publisher's, so keep
the full document at hand at an official tournament. You can also write your own
[house rules](house-rules.md).

"""
QUESTIONS = """# Open questions

The documents leave these questions open; the answers are Saloon's. S marks those without a numbered
decision. If a key begins with `readings`, the judge can choose another answer when opening a tournament.
The others need [house rules](house-rules.md).

| decision | question | key | answer | other answers |
| --- | --- | --- | --- | --- |
"""
TABLE = re.compile(r"\n\*\*Open questions\*\*\n\n(?:\|.*\n)+")
ROW = re.compile(r"^\| [DS]\d+ \|.*$", re.MULTILINE)
LEAST_WORDS = 30
"""The length below which a list is printed on every page."""


def pages() -> dict[Path, str]:
    """Return the texts of all pages by path."""
    known = editions()
    texts = [page(edition) for edition in known]
    rows = sorted({row for text in texts for row in ROW.findall(text)})
    brief = (TABLE.sub("- The questions: [open questions](open-questions.md).\n", text) for text in texts)
    return {
        DOCS / "README.md": LIST + "".join(f"- [{e.title}]({e.key}.md): {e.source}.\n" for e in known),
        DOCS / "open-questions.md": QUESTIONS + "\n".join(rows) + "\n",
        **dict(_without_repeats(known, tuple(brief))),
    }


def _without_repeats(known: Sequence[Edition], texts: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Yield each page, with links in place of lists that an earlier page has, apart from a few points."""
    printed: list[tuple[Edition, str, str, str]] = []
    for edition, text in zip(known, texts, strict=True):
        first, *chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
        parts = [first]
        for chapter in chapters:
            title, body = chapter.removeprefix("## ").split("\n\n", 1)
            points, tables = _points_and_tables(body)
            for other, other_title, other_points, other_tables in printed:
                if other_title == title and _is_similar(points, other_points):
                    anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
                    link = f"[{other.title}]({other.key}.md#{anchor})"
                    same = "The same as in" if tables == other_tables else "The rules are the same as in"
                    parts.append(f"## {title}\n\n{same} {link}{_differences(points, other_points)}\n\n")
                    parts.append("" if tables == other_tables else tables)
                    break
            else:
                printed.append((edition, title, points, tables))
                parts.append(chapter)
        yield DOCS / f"{edition.key}.md", "".join(parts).rstrip() + "\n"


def _points_and_tables(body: str) -> tuple[str, str]:
    """Split a chapter into the list at its beginning and the rest."""
    points, mark, tables = body.partition("\n\n**")
    return points.strip() + "\n", (mark.lstrip("\n") + tables)


def _missing(points: str, other: str) -> list[str]:
    """Return the points of a list that another list lacks."""
    known = set(other.splitlines())
    return [point for point in points.splitlines() if point not in known]


def _is_similar(points: str, other: str) -> bool:
    """Return whether a list is long enough for a link and differs by one point, or by less than a third."""
    words, apart = len(points.split()), (_missing(points, other), _missing(other, points))
    is_near = max(map(len, apart)) <= 1 or 3 * len(" ".join(chain(*apart)).split()) < words
    return words >= LEAST_WORDS and is_near


def _differences(points: str, other: str) -> str:
    """Return the end of the sentence that refers to another list, followed by the points that differ."""
    without, extra = _missing(other, points), _missing(points, other)
    these = "these points" if len(without) > 1 else "this point"
    parts = [f", without {these}:\n\n" + "\n".join(without)] if without else ["."]
    if extra:
        added = "These points are added" if len(extra) > 1 else "This point is added"
        parts.append(("\n\n" if without else " ") + f"{added}:\n\n" + "\n".join(extra))
    return "".join(parts)


def main() -> None:
    """Write all pages."""
    DOCS.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
