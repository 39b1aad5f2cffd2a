"""The program ``saloon-rules``: the rules of an edition as a tool."""

import sys

import click
from rich.console import Console

from saloon.core.errors import BadData, Refused
from saloon.core.program.check import check


@click.group()
def commands() -> None:
    """The rules of BANG! tournaments as a tool: no tournament is needed."""


commands.add_command(check)


def main() -> None:
    """Run a command; what cannot be read, or breaks a rule, ends it with a sentence and status 2."""
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused) as error:
        Console(stderr=True, highlight=False).print(str(error), style="red", markup=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
