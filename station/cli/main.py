"""The program ``saloon-station``: the judge's station and its tools."""

import sys

import click

from base import __version__
from base.errors import BadData, Refused, Unavailable
from base.late_commands import LateCommand, LateGroup
from base.terminal_text import print_errors_safely

_COMMANDS = {
    "backup": LateCommand(
        "station.cli.copies:backup_command",
        "Write a verified backup of everything to FILE",
    ),
    "cards": LateCommand(
        "station.cli.terminals:cards",
        "Write cards for terminals: the image, with one table's provisioning file on each",
    ),
    "computer": LateCommand(
        "station.cli.computer:computer",
        "Set up the station's image: its card file and its network",
    ),
    "doctor": LateCommand(
        "station.cli.doctor:doctor",
        "Check all stored data, the disk, the port for terminals, cables and the network",
    ),
    "enrol": LateCommand(
        "station.cli.terminals:enrol",
        "Write a provisioning file that enrols one terminal, once",
    ),
    "export": LateCommand(
        "station.cli.copies:export_command",
        "Write TOURNAMENT to FILE as JSON Lines for `saloon-rules`",
    ),
    "judge": LateCommand("station.cli.judges:judge", "Manage the judges' accounts"),
    "pins": LateCommand("station.cli.judges:pins", "Show the PIN of each terminal"),
    "rehearse": LateCommand(
        "station.cli.rehearse:rehearse",
        "Rehearse with simulated tables, players and faults",
    ),
    "report": LateCommand("station.cli.copies:report", "Write PAPER of TOURNAMENT to FILE as a PDF"),
    "restore": LateCommand("station.cli.copies:restore_command", "Restore the backup FILE"),
    "serve": LateCommand("station.cli.serve:serve", "Run the station until Ctrl-C or SIGTERM"),
    "take": LateCommand(
        "station.cli.take:take",
        "Import parcels from FILES: files of a USB drive, or photos of QR codes",
    ),
    "update": LateCommand("station.cli.terminals:update", "Check and store the update bundle FILE"),
}


@click.group(cls=LateGroup, late=_COMMANDS, program="saloon-station")
@click.version_option(__version__, prog_name="saloon-station")
def commands() -> None:
    """Run and inspect the judge's station of a BANG! tournament."""


def main() -> None:
    """Run a command; on bad data, refusals and unavailable resources print a sentence and exit with 2."""
    print_errors_safely()
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused, Unavailable) as error:
        from base.console import plain_console

        plain_console(stderr=True).print(str(error), style="red", soft_wrap=True)
        sys.exit(2)
