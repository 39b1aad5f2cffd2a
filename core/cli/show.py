"""``saloon-rules show``: a whole edition in words and tables."""

import click
from rich.console import Console, JustifyMethod
from rich.table import Table

from saloon.core.cli.console import printer
from saloon.core.cli.page import page
from saloon.core.cli.rules import rules_named
from saloon.core.text.rules_in_words import PlainTable, chapters


@click.command()
@click.argument("edition")
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a page to publish.")
def show(edition: str, *, as_markdown: bool) -> None:
    """Show an EDITION, or a file of house rules, whole; EDITION+rebel with that option switched on.

    Rounds and tables, roles, characters, High Noon, winnings, ranking, finals, options, and how open
    questions are read, with what else was possible.
    """
    rules = rules_named(edition)
    if as_markdown:
        click.echo(page(rules), nl=False)
        return
    console = printer()
    console.print(rules.title, style="bold", markup=False)
    console.print(rules.source, markup=False)
    for chapter in chapters(rules):
        console.print(f"\n{chapter.title}", style="bold italic", markup=False)
        for line in chapter.lines:
            console.print(line, markup=False, soft_wrap=True)
        for table in chapter.tables:
            _print(console, table)


def _print(console: Console, plain: PlainTable) -> None:
    table = Table(title=plain.title, title_justify="left")
    for column, heading in enumerate(plain.headings):
        justify: JustifyMethod = "left" if column < plain.words else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "key")
    for row in plain.rows:
        table.add_row(*row)
    console.print(table)
