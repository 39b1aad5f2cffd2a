"""``saloon-rules editions``: which rules there are."""

import click
from rich.table import Table

from saloon.core.cli.console import printer
from saloon.core.editions.loader import editions as known_editions


@click.command()
def editions() -> None:
    """List the editions of the rules."""
    table = Table(box=None)
    for heading in ("edition", "title", "source"):
        table.add_column(heading)
    for edition in known_editions():
        table.add_row(edition.key, edition.title, edition.source)
    printer().print(table)
