"""The program ``saloon-station``: the judge's station and its tools."""

import sys

import click
from rich.console import Console

from saloon import __version__
from saloon.core.errors import BadData, Refused, Unavailable
from saloon.station.program.cards import cards
from saloon.station.program.computer import computer
from saloon.station.program.copies import backup_command, export_command, restore_command
from saloon.station.program.doctor import doctor
from saloon.station.program.judges import judge, pin
from saloon.station.program.rehearse import rehearse
from saloon.station.program.serve import serve
from saloon.station.program.take import take
from saloon.station.program.terminals import enrol
from saloon.station.program.update import update


@click.group()
@click.version_option(__version__, prog_name="saloon-station")
def commands() -> None:
    """The judge's station of a BANG! tournament."""


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
