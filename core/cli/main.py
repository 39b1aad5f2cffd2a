"""The program ``saloon-rules``: the rules of an edition as a tool."""

import sys

import click
from rich.console import Console

from saloon import __version__
from saloon.base.errors import BadData, Refused
from saloon.core.cli.check import check
from saloon.core.cli.rank import rank
from saloon.core.cli.replay import replay
from saloon.core.cli.score import score
from saloon.core.cli.show import chart, editions, export_edition, show
from saloon.core.cli.verify import verify
from saloon.core.cli.why import why


@click.group()
@click.version_option(__version__, prog_name="saloon-rules")
def commands() -> None:
    """Check and explain the rules of BANG! tournaments, without a tournament."""


for command in (editions, show, export_edition, chart, score, replay, rank, why, verify, check):
    commands.add_command(command)


def main() -> None:
    """Run a command; what cannot be read, or breaks a rule, ends it with a sentence and status 2."""
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused) as error:
        Console(stderr=True, highlight=False).print(str(error), style="red", markup=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
