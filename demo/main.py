"""The program ``saloon-demo``."""

import signal
from pathlib import Path

import click
import msgspec

from base import __version__
from base.late_commands import LateCommand, LateGroup
from core.rule_set import OptionKey

_COMMANDS = {
    "rehearsal": LateCommand(
        "demo.rehearsal.program:rehearsal",
        "Run a rehearsal: real terminals, simulated players and faults on demand",
    ),
}


@click.group(cls=LateGroup, late=_COMMANDS, program="saloon-demo", invoke_without_command=True)
@click.version_option(__version__, prog_name="saloon-demo")
@click.option("--auto", is_flag=True, help="Play the whole tournament automatically, then print the ranking.")
@click.option("--edition", default="championship-2022", show_default=True, help="See saloon-rules editions.")
@click.option(
    "--option",
    "options",
    type=click.Choice([option.value for option in OptionKey]),
    multiple=True,
    help="An option of the edition.",
)
@click.option(
    "--speed", default=1.0, show_default=True, type=click.FloatRange(0.1, 1e4), help="Compared with people."
)
@click.option(
    "--players", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="CSV file of players."
)
@click.option("--count", type=click.IntRange(min=1), help="Only the first players of the list.")
@click.option("--seed", default=2022, show_default=True, help="Seed of the players' random choices.")
@click.option("--bus", is_flag=True, help="Connect all tables by one pair of wires, as on RS-485.")
@click.option(
    "--virtual",
    type=click.IntRange(1, 32),
    help="Number of tables to play by hand in the browser, with a page that shows them all.",
)
@click.option("--keep", type=click.Path(path_type=Path), help="Keep journals, logs and export here.")
def main(**options: object) -> None:
    """Run a station, its tables and simulated players."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    if click.get_current_context().invoked_subcommand is not None:
        return
    from demo.demonstration import DemoOptions, demonstrate

    demonstrate(msgspec.convert(options, DemoOptions))


def _as_ctrl_c(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
