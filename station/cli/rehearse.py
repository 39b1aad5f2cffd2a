"""``rehearse``: start a rehearsal from the command line, and control it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
from rich.table import Table

from base.console import plain_console
from base.errors import Unavailable
from base.terminal_text import echo
from station.rehearsals.contract import (
    TYPED,
    End,
    FaultKind,
    GetState,
    JudgeAction,
    MakeFault,
    PerformAction,
    Request,
    SetPace,
)
from station.rehearsals.runner import PROGRAM, send_request
from station.rehearsals.text import REHEARSAL_LABELS

_FOLDERS: Final = "saloon-rehearsal-*"
_control = click.option(
    "--control",
    type=click.Path(path_type=Path),
    help="The rehearsal's control socket, printed at its start; by default the latest one's.",
)


@click.group()
def rehearse() -> None:
    """Rehearse with simulated tables, players and faults."""


@rehearse.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def start(options: tuple[str, ...]) -> None:
    """Start a rehearsal and wait until it ends; --help shows its options."""
    try:
        environment = {**os.environ, TYPED: click.get_current_context().command_path}
        status = subprocess.run((*PROGRAM, *options), env=environment, check=False).returncode  # noqa: S603 (our own program)
    except FileNotFoundError as error:
        raise Unavailable(f"rehearsals need {error.filename}, which is not installed here") from error
    sys.exit(status)


@rehearse.command()
@_control
@click.option("--solutions", is_flag=True, help="Show what is wrong as well.")
def look(control: Path | None, *, solutions: bool) -> None:
    """Show the state of the rehearsal."""
    state = send_request(control or _latest(), GetState())
    console, step = plain_console(soft_wrap=True), state.step
    doing = "" if step is None else step.doing.value.format(n=step.number, all=step.of)
    console.print(
        f"{doing or state.stage.value} {state.why}".strip(),
        f"· round {state.round} · {state.sheets_done} of {state.sheets} record sheets",
        f"· {state.spares} spares",
        f"· speed {state.speed:g} · {state.seconds:.0f} s · {state.megabytes} MB",
    )
    hands = [str(table.table) for table in state.tables if table.raises_hand]
    dark = [str(table.table) for table in state.tables if not table.scene]
    console.print(f"Tables calling a judge: {', '.join(hands) or 'none'}.")
    console.print(f"Tables whose screen is dark: {', '.join(dark) or 'none'}.")
    if solutions:
        rows = Table("table", "what is wrong", "shows", "a judge came")
        for fault in state.faults:
            if fault.solved is None:
                shows = "not yet" if fault.shows_s is None else f"{fault.shows_s:.0f} s"
                came = "no" if fault.reacted_s is None else "yes"
                rows.add_row(str(fault.table), fault.kind.value, shows, came)
        console.print(rows)


@rehearse.command()
@_control
@click.argument("kind", type=click.Choice([kind.value for kind in FaultKind]))
@click.argument("table", type=int, default=0)
def fault(control: Path | None, kind: str, table: int) -> None:
    """Cause a fault at a table."""
    _ask(control, MakeFault(table, FaultKind(kind)), table)


@rehearse.command()
@_control
@click.argument("what", type=click.Choice([hand.value for hand in JudgeAction]))
@click.argument("table", type=int)
def hand(control: Path | None, what: str, table: int) -> None:
    """Act at a table: check its cable or power, or talk to its players."""
    _ask(control, PerformAction(table, JudgeAction(what)), table)


@rehearse.command()
@_control
@click.option("--speed", type=click.FloatRange(0.1, 1000), help="How many times faster than people.")
@click.option("--trouble", type=click.FloatRange(0, 3600), help="Random faults per hour.")
def pace(control: Path | None, speed: float | None, trouble: float | None) -> None:
    """Change the speed, or the rate of random faults."""
    _ask(control, SetPace(speed, trouble))


@rehearse.command()
@_control
def end(control: Path | None) -> None:
    """End the rehearsal; the console that started it shows the result."""
    _ask(control, End())


def _latest() -> Path:
    folders = Path(tempfile.gettempdir()).glob(_FOLDERS)
    controls = [folder / "control" for folder in folders if (folder / "control").is_socket()]
    if not controls:
        raise Unavailable("no rehearsal runs on this computer; start one with: saloon-station rehearse start")
    return max(controls, key=lambda path: path.stat().st_mtime)


def _ask(control: Path | None, request: Request, table: int = 0) -> None:
    state = send_request(control or _latest(), request)
    if state.said is not None:
        echo(REHEARSAL_LABELS[state.said].format(n=table))
