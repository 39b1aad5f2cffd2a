"""``saloon-rules export-edition``: an edition's file, to be changed into house rules."""

from importlib import resources

import click

from saloon.core.editions.loader import edition as edition_of


@click.command(name="export-edition")
@click.argument("edition")
@click.option("--key", help="The key of the new rules; without it, my-EDITION.")
def export_edition(edition: str, key: str | None) -> None:
    """Write the file of an EDITION, with a key of its own: the beginning of house rules.

    Change what you like, then ``saloon-rules check FILE.toml`` and ``saloon-rules show FILE.toml``.
    """
    known = edition_of(edition)
    text = resources.files("saloon.core.editions").joinpath(f"{known.key}.toml").read_text(encoding="utf-8")
    click.echo(text.replace(f'key = "{known.key}"', f'key = "{key or "my-" + known.key}"', 1), nl=False)
