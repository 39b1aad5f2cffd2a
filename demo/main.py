"""The program ``saloon-demo``: a hall on this machine, to play at or to watch."""

import signal
import sys
from pathlib import Path
from typing import TypedDict, Unpack

import click

from base import __version__
from base.command_line import completion_command
from base.console import plain_console
from base.errors import BadData
from core.rule_set import OptionKey
from demo.demonstration import Demonstration
from demo.hall import running_hall
from demo.pages import PageTrouble
from demo.processes import ProgramDied
from demo.rehearsal.program import folder_for_run, rehearsal
from demo.tournament_plan import plan, plan_for_tables

_SERIAL = frozenset({2, 4})


class _Tables(TypedDict):
    bus: bool
    virtual: int | None


@click.group(invoke_without_command=True)
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
def main(
    *,
    auto: bool,
    edition: str,
    options: tuple[str, ...],
    speed: float,
    players: Path | None,
    count: int | None,
    seed: int,
    keep: Path | None,
    **tables: Unpack[_Tables],
) -> None:
    """Run a station, its tables and simulated players."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    if click.get_current_context().invoked_subcommand is not None:
        return
    console = plain_console()
    by_hand = tables["virtual"]
    try:
        wanted = (
            plan(edition, options, players, count)
            if by_hand is None
            else plan_for_tables(edition, options, by_hand, players, count)
        )
    except (BadData, ValueError) as error:
        raise click.BadParameter(str(error)) from error
    try:
        with (
            folder_for_run(keep, "saloon-demo-") as directory,
            running_hall(directory, _SERIAL, shares_pair=tables["bus"]) as (hall, processes),
        ):
            Demonstration(console, hall, processes, directory).run(
                wanted, auto=auto, speed=speed, seed=seed, by_hand=by_hand is not None
            )
    except KeyboardInterrupt:
        console.print("Ended.")
    except (ProgramDied, PageTrouble, TimeoutError) as error:
        for line in f"The demonstration failed: {error}".splitlines():
            console.print(line, style="red")
        sys.exit(1)


main.add_command(rehearsal)
main.add_command(completion_command("saloon-demo"))


def _as_ctrl_c(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
