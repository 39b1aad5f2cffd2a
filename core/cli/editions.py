"""The commands that show editions of the rules, and start house rules."""

from collections.abc import Iterator
from importlib import resources

import click
from rich.console import Console, JustifyMethod
from rich.table import Table

from base.console import table_console
from base.terminal_text import echo_lines
from core.cli.files import rules_named
from core.editions.edition import Edition
from core.editions.loader import edition as edition_of
from core.editions.loader import editions as known_editions
from core.text.rules_in_words import TextTable, chapters
from core.tournament.draw.rounds import planned_rounds, table_sizes
from core.tournament.state.tournament import Waivers


def page(rules: Edition) -> str:
    """Return an edition's page of rules, ending with a line break."""
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


def _table(table: TextTable) -> Iterator[str]:
    yield f"**{table.title}**"
    yield ""
    yield _row(table.headings)
    yield _row(["---" if column < table.words else "---:" for column in range(len(table.headings))])
    yield from (_row(row) for row in table.rows)


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


@click.command(name="export-edition")
@click.argument("edition")
@click.option("--key", help="The key of the new rules; without it, my-EDITION.")
def export_edition(edition: str, key: str | None) -> None:
    """Write the file of an EDITION under a new key, as a start for house rules.

    Change what you like, then ``saloon-rules check FILE.toml`` and ``saloon-rules show FILE.toml``.
    """
    known = edition_of(edition)
    text = resources.files("core.editions").joinpath(f"{known.key}.toml").read_text(encoding="utf-8")
    echo_lines(text.replace(f'key = "{known.key}"', f'key = "{key or "my-" + known.key}"', 1))


@click.command()
def editions() -> None:
    """List the editions of the rules."""
    table = Table(box=None)
    for heading in ("edition", "title", "source"):
        table.add_column(heading)
    for edition in known_editions():
        table.add_row(edition.key, edition.title, edition.source)
    table_console().print(table)


@click.command()
@click.argument("edition")
@click.argument("players", type=click.IntRange(min=0))
@click.option("--unofficial", is_flag=True, help="Accept fewer players than the edition allows.")
def chart(edition: str, players: int, *, unofficial: bool) -> None:
    """Show the rounds and tables for a number of PLAYERS, by an EDITION or a file of house rules."""
    rules = rules_named(edition)
    rounds = planned_rounds(players, rules, Waivers(), unofficial=unofficial)
    sizes = table_sizes(players, rules, below_minimum=unofficial)
    console = table_console()
    console.print(f"{players} players: {rounds} rounds, {len(sizes)} tables: {' '.join(map(str, sizes))}")
    console.print(f"Sheriffs in all rounds: {rounds * len(sizes)}")


@click.command()
@click.argument("edition")
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a page to publish.")
def show(edition: str, *, as_markdown: bool) -> None:
    """Show a whole EDITION or file of house rules; EDITION+rebel switches that option on.

    Rounds and tables, roles, characters, High Noon, winnings, ranking, finals, options, and how open
    questions are read, with the alternatives.
    """
    rules = rules_named(edition)
    if as_markdown:
        echo_lines(page(rules))
        return
    console = table_console()
    console.print(rules.title, style="bold")
    console.print(rules.source)
    for chapter in chapters(rules):
        console.print()
        console.print(chapter.title, style="bold italic")
        for line in chapter.lines:
            console.print(line, soft_wrap=True)
        for table in chapter.tables:
            _print(console, table)


def _print(console: Console, plain: TextTable) -> None:
    table = Table(title=plain.title, title_justify="left")
    for column, heading in enumerate(plain.headings):
        justify: JustifyMethod = "left" if column < plain.words else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "key")
    for row in plain.rows:
        table.add_row(*row)
    console.print(table)
