"""The program ``saloon-terminal``: run a terminal, or one of the maintenance commands."""

from pathlib import Path

import click
from click.core import ParameterSource

from base import __version__
from base.command_line import default_folder, explain_missing_library
from base.errors import BadData
from base.late_commands import LateCommand, LateGroup
from base.terminal_text import printable
from kiosk.cli.start import start
from kiosk.terminal.startup_settings import settings_from

_SMALLEST = 320


def _size(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    width, _, height = value.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= _SMALLEST):
        raise click.BadParameter("write it as 800x480, at least 320 each way")
    return int(width), int(height)


def _quarter_turns(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | None:
    return None if value is None else int(value) // 90


_COMMANDS = {
    "apply-update": LateCommand(
        "kiosk.cli.apply_update:apply_update",
        "Install the version named in the file REQUEST",
    ),
    "boot-file": LateCommand(
        "kiosk.cli.boot_file:boot_file",
        "Move the parts of the provisioning file SOURCE to their places, even if the power fails",
    ),
    "doctor": LateCommand(
        "kiosk.cli.doctor:doctor",
        "Check the terminal and its connection to the station, and report what is wrong",
    ),
    "panel": LateCommand(
        "kiosk.cli.panel_commands:panel",
        "List the included panels, or check a panel and show its wiring",
    ),
    "selftest": LateCommand(
        "kiosk.cli.panel_commands:selftest",
        "Test each part by pressing, looking and listening",
    ),
}


@click.group(cls=LateGroup, late=_COMMANDS, program="saloon-terminal", invoke_without_command=True)
@click.version_option(__version__, prog_name="saloon-terminal")
@click.pass_context
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Folder of the journal and the keys; by default in the user's data, ~/.local/share/saloon/terminal.",
)
@click.option(
    "--provisioning", type=click.Path(path_type=Path), help="Provisioning file from the station's page."
)
@click.option(
    "--boot-file",
    "boot_files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Provisioning file on the card: moved to the data, or reported if wrong. The last one counts.",
)
@click.option(
    "--virtual",
    type=click.IntRange(0, 65535),
    help="Serve a virtual terminal on this loopback port; needs no screen.",
)
@click.option(
    "--virtual-socket",
    type=click.Path(path_type=Path),
    help="Serve it on this Unix socket instead, until standard input is closed.",
)
@click.option(
    "--size",
    callback=_size,
    help="Size of the picture as people see it; by default the screen's, or 800x480.",
)
@click.option(
    "--inches",
    type=click.FloatRange(3, 32),
    help="Diagonal of the panel; by default the provisioning file's, or 7. Targets keep their size.",
)
@click.option(
    "--rotate",
    "quarter_turns",
    type=click.Choice(["0", "90", "180", "270"]),
    callback=_quarter_turns,
    help="Turn the picture clockwise on the panel; by default as in the provisioning file.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "it", "de", "fr", "es"]),
    help="Language until somebody chooses another; by default the provisioning file's, or English.",
)
@click.option(
    "--panel",
    default="",
    metavar="NAME|FILE",
    help="The parts and their pins: a panel that comes with Saloon, or a file of your own.",
)
@click.option(
    "--pins",
    envvar="GPIOZERO_PIN_FACTORY",
    default="mock",
    show_default=True,
    type=click.Choice(["mock", "rpigpio", "lgpio"]),
    help="The driver of the pins.",
)
@click.option("--serial", default="", help="Serial device to the station; tried first.")
@click.option(
    "--bus", default="", help="Device of a pair of wires (RS-485) shared with other tables; tried first."
)
@click.option("--bus-rts", is_flag=True, help="The kernel switches the RS-485 transceiver by RTS.")
@click.option(
    "--station", "stations", multiple=True, help="HOST:PORT of the station; tried before the file's."
)
@click.option(
    "--stick",
    default=Path("/media/saloon"),
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where the system mounts a USB drive: this folder or one in it.",
)
@click.option(
    "--screen-within",
    "screen_within_s",
    type=click.FloatRange(0, 600),
    default=0,
    help="Seconds to wait for a graphics card on a board that has just started.",
)
@click.option(
    "--set-clock",
    "sets_clock",
    is_flag=True,
    help="Set this machine's wall clock by the station's; needs the permission to.",
)
@click.option(
    "--rehearsal", "is_rehearsal", is_flag=True, help="Mark every screen as a rehearsal: nothing counts."
)
@click.option("--system-root", default=Path("/"), hidden=True, type=click.Path(path_type=Path))
def main(context: click.Context, /, **options: object) -> None:
    """Run the terminal of a table: screen, panel, journal and connection to the station."""
    if context.invoked_subcommand is not None:
        # Options before the command apply to it as well.
        typed = (
            name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        )
        context.default_map = {context.invoked_subcommand: {name: options[name] for name in typed}}
        return
    known = {name: value for name, value in options.items() if value is not None}
    try:
        settings = settings_from({"data": known.get("data") or default_folder("terminal")} | known)
    except BadData as error:
        raise click.ClickException(printable(str(error))) from error
    with explain_missing_library("saloon-terminal"):
        start(settings)
