"""The program ``saloon-demo``: a hall on this machine, to play in or to watch."""

import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import TypedDict, Unpack

import click
from rich.console import Console

from saloon.demo.demonstration import Demonstration
from saloon.demo.hall import running_hall
from saloon.demo.pages import PageTrouble
from saloon.demo.processes import ProgramDied
from saloon.demo.tournament_plan import plan

_SERIAL = frozenset({2, 4})


class _Wires(TypedDict):
    bus: bool


@click.command()
@click.option(
    "--auto", is_flag=True, help="Play the whole tournament without anybody, then print the ranking."
)
@click.option("--edition", default="championship-2022", show_default=True, help="See saloon-rules editions.")
@click.option("--option", "options", multiple=True, help="An option of the edition, such as rebel.")
@click.option(
    "--speed", default=1.0, show_default=True, help="How many times as fast as people the players tap."
)
@click.option("--players", type=click.Path(exists=True, path_type=Path), help="CSV file of your own.")
@click.option("--count", type=click.IntRange(min=1), help="Only the first players of the list.")
@click.option("--seed", default=2022, show_default=True, help="Of the rehearsal players' whims.")
@click.option("--bus", is_flag=True, help="Hang all tables on one pair of wires, as on RS-485.")
@click.option(
    "--keep", type=click.Path(path_type=Path), help="Keep journals, logs and export in this folder."
)
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
    **wires: Unpack[_Wires],
) -> None:
    """Run a station, its tables and players who tap for themselves."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    console = Console()
    directory = keep or Path(tempfile.mkdtemp(prefix="saloon-demo-"))
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with running_hall(directory, _SERIAL, shares_pair=wires["bus"]) as (hall, processes):
            Demonstration(console, hall, processes, directory).run(
                plan(edition, options, players, count), auto=auto, speed=speed, seed=seed
            )
    except KeyboardInterrupt:
        console.print("Ended.")
    except (ProgramDied, PageTrouble, TimeoutError) as error:
        console.print(f"The demonstration failed: {error}", style="red", markup=False)
        sys.exit(1)
    finally:
        if keep is None:
            shutil.rmtree(directory, ignore_errors=True)


def _as_ctrl_c(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
