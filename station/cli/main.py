"""The program ``saloon-station``: the judge's station and its tools."""

import sys

import click
from rich.console import Console

from saloon import __version__
from saloon.base.errors import BadData, Refused, Unavailable
from saloon.station.cli.cards import cards
from saloon.station.cli.computer import computer
from saloon.station.cli.copies import backup_command, export_command, restore_command
from saloon.station.cli.doctor import doctor
from saloon.station.cli.judges import judge, pin
from saloon.station.cli.rehearse import rehearse
from saloon.station.cli.serve import serve
from saloon.station.cli.take import take
from saloon.station.cli.terminals import enrol, update


@click.group()
@click.version_option(__version__, prog_name="saloon-station")
def commands() -> None:
    """Run and inspect the judge's station of a BANG! tournament."""


_COPIES = (backup_command, restore_command, export_command)
for command in (serve, judge, pin, enrol, cards, update, take, *_COPIES, doctor, rehearse, computer):
    commands.add_command(command)


def main() -> None:
    """Run a command; print bad data, refusals and unavailable resources as a sentence, with exit status 2."""
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused, Unavailable) as error:
        Console(stderr=True, highlight=False).print(str(error), style="red", markup=False, soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
