"""An edition as a page of Markdown, the same for everybody who makes it."""

from collections.abc import Iterator

from saloon.core.editions.edition import Edition
from saloon.core.text.rules_in_words import PlainTable, chapters


def page(rules: Edition) -> str:
    """The page of an edition, ending with a line break."""
    return "\n".join(_lines(rules)) + "\n"


def _lines(rules: Edition) -> Iterator[str]:
    yield f"# {rules.title}"
    yield ""
    yield f"`{rules.key}`. {rules.source}."
    for chapter in chapters(rules):
        yield ""
        yield f"## {chapter.title}"
        if chapter.lines:
            yield ""
            yield from (f"- {line}" for line in chapter.lines)
        for table in chapter.tables:
            yield ""
            yield from _table(table)


def _table(table: PlainTable) -> Iterator[str]:
    yield f"**{table.title}**"
    yield ""
    yield _row(table.headings)
    yield _row(["---" if column < table.words else "---:" for column in range(len(table.headings))])
    yield from (_row(row) for row in table.rows)


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
