"""``saloon-rules chart``: rounds and tables for a number of players."""

import click

from saloon.core.cli.console import printer
from saloon.core.cli.rules import rules_named
from saloon.core.tournament.draw.rounds import planned_rounds
from saloon.core.tournament.draw.table_chart import table_sizes
from saloon.core.tournament.events import Waivers


@click.command()
@click.argument("edition")
@click.argument("players", type=click.IntRange(min=0))
@click.option("--unofficial", is_flag=True, help="Accept fewer players than the edition allows.")
def chart(edition: str, players: int, *, unofficial: bool) -> None:
    """Say how many rounds and which tables so many PLAYERS have, by an EDITION or a file of house rules."""
    rules = rules_named(edition)
    rounds = planned_rounds(players, rules, Waivers(), unofficial=unofficial)
    sizes = table_sizes(players, rules, below_minimum=unofficial)
    console = printer()
    console.print(f"{players} players: {rounds} rounds, {len(sizes)} tables: {' '.join(map(str, sizes))}")
    console.print(f"Sheriffs in all rounds: {rounds * len(sizes)}")
