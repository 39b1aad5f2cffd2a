"""Write a page about the rules of each edition into docs/rules, and an index: ``make rules-pages``.

Text that editions share is printed once: a chapter on the first page that has it, and the open questions on a
separate page.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.cli.main import page
from core.editions.edition import Edition
from core.editions.loader import editions

DOCS = Path(__file__).parents[1] / "docs" / "rules"
LIST = """# The rules, edition by edition

`make rules-pages` generates these pages from the files that Saloon plays by. The documents are listed in
[sources](../development/sources.md). Each sentence ends with its section of the edition's document, or with
another document. A number such as D16 marks a point that no document settles, so Saloon had to decide it;
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
LEAST_WORDS = 40
"""The length below which a chapter is printed on every page."""


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
    """Yield each page, with links in place of chapters that an earlier page has word for word."""
    printed: dict[str, Edition] = {}
    for edition, text in zip(known, texts, strict=True):
        first, *chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
        parts = [first]
        for chapter in chapters:
            title = chapter.partition("\n")[0].removeprefix("## ")
            other = printed.setdefault(chapter.strip(), edition)
            if other is edition or len(chapter.split()) < LEAST_WORDS:
                parts.append(chapter)
            else:
                anchor = title.lower().replace(" ", "-")
                link = f"[{other.title}]({other.key}.md#{anchor})"
                parts.append(f"## {title}\n\nThe same as in {link}.\n\n")
        yield DOCS / f"{edition.key}.md", "".join(parts).rstrip() + "\n"


def main() -> None:
    """Write all pages."""
    DOCS.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
