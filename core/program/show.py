"""``saloon-rules show``: a whole edition in words and tables."""

import click
from rich.console import Console
from rich.table import Table

from saloon.core.editions.loader import with_options
from saloon.core.program.console import printer
from saloon.core.program.page import page
from saloon.core.program.rules import rules_named
from saloon.core.program.rules_in_words import PlainTable, chapters
from saloon.core.rule_set import OptionKey


@click.command()
@click.argument("edition")
@click.option(
    "--option",
    "options",
    multiple=True,
    type=click.Choice([option.value for option in OptionKey]),
    help="Switch this option on.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Write a page to publish.")
def show(edition: str, options: tuple[str, ...], *, as_markdown: bool) -> None:
    """Show an EDITION, or a file of house rules, whole.

    Rounds and tables, roles, characters, High Noon, winnings, ranking, finals, options, and how open
    questions are read, with what else was possible.
    """
    rules = with_options(rules_named(edition), [OptionKey(option) for option in options], edition)
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
        table.add_column(heading, justify="left" if column < plain.words else "right")
    for row in plain.rows:
        table.add_row(*row)
    console.print(table)
