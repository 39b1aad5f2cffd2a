"""Write a page for each edition into docs/rules, and the list of them; ``make rules-pages``."""

from pathlib import Path

from saloon.core.cli.show import page
from saloon.core.editions import editions

DOCS = Path(__file__).parents[1] / "docs" / "rules"
LIST = """# The rules, edition by edition

Made by `make rules-pages` from the files that Saloon plays by; a test compares them. The documents are
listed in [sources](../development/sources.md). Each sentence ends with its section of the edition's
document, or another document; D16 marks what no document prints and Saloon had to decide, and the last table
of each page shows what else is possible. The words are ours, not the publisher's: at an official
tournament the full document must be at hand as well. How to write your own: [house rules](house-rules.md).

| edition | from |
|---|---|
"""


def pages() -> dict[Path, str]:
    """Return the texts of all pages by their path."""
    rows = [f"| [{known.title}]({known.key}.md) | {known.source} |" for known in editions()]
    written = {DOCS / f"{known.key}.md": page(known) for known in editions()}
    return {DOCS / "README.md": LIST + "\n".join(rows) + "\n", **written}


def main() -> None:
    """Write every page."""
    DOCS.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
