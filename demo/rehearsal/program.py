"""The command ``saloon-demo rehearsal``, which runs a rehearsal from its setup to the final report."""

import contextlib
import os
import socketserver
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import structlog
from rich.console import Console

from base.console import plain_console
from base.errors import BadData
from demo.pages import PageTrouble
from demo.plan import MOST_TABLES, RehearsalPlan, random_login
from demo.processes import Processes, ProgramDied
from demo.rehearsal.rehearsal import EndedEarlyError, Rehearsal
from demo.rehearsal.report import Report
from station.rehearsals.contract import (
    TYPED,
    End,
    FaultKind,
    FaultNow,
    GetState,
    JudgeAction,
    PerformAction,
    RehearsalState,
    Request,
    request_decoder,
)

_LONGEST: Final = 65_536
_PATIENCE_S: Final = 5.0


@contextlib.contextmanager
def control_server(path: Path, answer: Callable[[Request], RehearsalState]) -> Iterator[None]:
    """Answer requests on a UNIX socket of this user while the block runs."""

    class _Handler(socketserver.StreamRequestHandler):
        timeout = _PATIENCE_S

        def handle(self) -> None:
            with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
                line = self.rfile.readline(_LONGEST)
                if line.endswith(b"\n"):
                    state = answer(request_decoder.decode(line))
                    self.wfile.write(msgspec.json.encode(state) + b"\n")

    path.unlink(missing_ok=True)
    former = os.umask(0o177)
    try:
        server = socketserver.UnixStreamServer(str(path), _Handler)
    finally:
        os.umask(former)
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="control", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            path.unlink(missing_ok=True)


_log = structlog.get_logger()
_TRIES: Final = 3
_ENOUGH: Final = 120
_BY_HAND: Final = {
    FaultKind.CUT_CABLE: JudgeAction.CABLE,
    FaultKind.NOISY_LINE: JudgeAction.CABLE,
    FaultKind.FLAT_BATTERY: JudgeAction.POWER,
    FaultKind.SLEEPY_TABLE: JudgeAction.TALK,
    FaultKind.DISPUTED_ENDING: JudgeAction.TALK,
}


class RobotJudge:
    """A simulated judge, who reacts to a fault some time after it became visible."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._tried: dict[int, int] = {}

    def has_work(self, rehearsal: Rehearsal) -> bool:
        """Return whether the judge will try to solve a visible fault."""
        return any(
            fault.shows_s is not None and fault.solved_s is None and self._tried.get(fault.number, 0) < _TRIES
            for fault in rehearsal.ledger.faults
        )

    def look_after(self, rehearsal: Rehearsal) -> None:
        """Try to solve each fault that has been visible for long enough."""
        now_s = rehearsal.hall.seconds
        for fault in rehearsal.ledger.faults:
            due = fault.shows_s is not None and now_s - fault.shows_s >= self._after_s
            if due and fault.solved_s is None and self._tried.get(fault.number, 0) < _TRIES:
                self._tried[fault.number] = self._tried.get(fault.number, 0) + 1
                try:
                    self._solve(rehearsal, fault)
                except PageTrouble as error:
                    problem = str(error)[:_ENOUGH]
                    _log.warning("could not solve a fault", fault=fault.kind.value, problem=problem)

    def _solve(self, rehearsal: Rehearsal, fault: FaultNow) -> None:
        hall, table = rehearsal.hall, fault.table
        judge, round_no = hall.judge, rehearsal.round
        match fault.kind:
            case FaultKind.DEAD_UNIT:
                judge.swap(round_no, table)
            case FaultKind.WALKED_AWAY:
                seat = hall.people[table].missing_seat
                if seat is not None:
                    judge.withdraw(hall.watcher.players(table)[seat - 1], "walked away")
            case FaultKind.WRONG_SHEET:
                mixed = hall.people[table].mixed_up
                if mixed is not None:
                    judge.correct(round_no, table, mixed, "two roles taken for each other")
            case FaultKind.STATION_STALLS:
                pass
            case _:
                if fault.kind is FaultKind.DISPUTED_ENDING:
                    judge.answer_calls()
                rehearsal.ask(PerformAction(table, _BY_HAND[fault.kind]))


def is_over(rehearsal: Rehearsal, rounds: int, robot: RobotJudge | None) -> bool:
    """Return whether the last round has ended and the robot judge, if any, has solved all faults.

    The robot judge also draws the next round. ``rounds`` is the number of rounds to play, or 0 for no limit.
    """
    if robot is not None:
        robot.look_after(rehearsal)
    tables = len(rehearsal.hall.people)
    if rehearsal.sheets_in < tables or not tables:
        return False
    if robot is not None and robot.has_work(rehearsal):
        return False
    if rounds and rehearsal.round >= rounds:
        return True
    if robot is not None:
        with contextlib.suppress(PageTrouble):  # entries are still missing: try again on the next call
            if rehearsal.hall.judge.is_finished():
                return True
            rehearsal.hall.begin_round()
    return False


_SOCKET = "control"
_DEBRIEF = "debrief.json"


class _TypedCommand(click.Command):
    """A command that shows the program name that was typed, as the station's program also runs it."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        typed = os.environ.get(TYPED)
        return super().make_context(typed or info_name, args, None if typed else parent, **extra)


@click.command(cls=_TypedCommand)
@click.option("--tables", default=5, show_default=True, type=click.IntRange(2, MOST_TABLES))
@click.option("--edition", default="championship-2022", show_default=True, help="See saloon-rules editions.")
@click.option(
    "--serial", default=2, show_default=True, type=click.IntRange(0, 8), help="Tables on serial lines."
)
@click.option("--spares", default=2, show_default=True, type=click.IntRange(0, 10))
@click.option(
    "--speed", default=1.0, show_default=True, type=click.FloatRange(0.1, 1000),
    help="Speed compared with people.",
)  # fmt: skip
@click.option(
    "--trouble", "per_hour", default=0.0, show_default=True, type=click.FloatRange(0, 3600),
    help="Random faults per hour, at all tables in total.",
)  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Seed of the players' choices and of the faults.")
@click.option(
    "--judges-confirm/--players-confirm", default=True, show_default=True,
    help="Record sheets wait for a judge, or the players confirm them by PIN.",
)  # fmt: skip
@click.option("--auto", is_flag=True, help="Let a simulated judge do everything.")
@click.option(
    "--reacts-after", "reacts_after_s", default=20.0, show_default=True,
    help="Seconds until that judge reacts.",
)  # fmt: skip
@click.option("--rounds", default=0, show_default=True, help="Rounds to play; 0 for no limit.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address on which to serve the pages.")
@click.option("--directory", type=click.Path(path_type=Path), help="Keep journals, logs and debrief here.")
@click.option("--until-input-ends", is_flag=True, help="Stop at the end of standard input.")
def rehearsal(*, directory: Path | None, until_input_ends: bool, **options: Any) -> None:
    """Run a rehearsal: real terminals, simulated players and faults on demand."""
    console = plain_console()
    with folder_for_run(directory, "saloon-rehearsal-") as folder:
        sys.exit(_rehearse(console, folder, RehearsalPlan(**options), until_input_ends=until_input_ends))


@contextlib.contextmanager
def folder_for_run(kept: Path | None, prefix: str) -> Iterator[Path]:
    """Yield a folder for a run, which is temporary if it isn't to be kept.

    Raises UsageError if the folder contains an earlier run or can't be created.
    """
    if kept is None:
        with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as made:
            yield Path(made)
        return
    if any((kept / name).exists() for name in ("logs", "export.jsonl")):
        raise click.UsageError(f"{kept}: an earlier run is kept in this folder; name another one")
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{kept}: {error.strerror}; name another folder") from error
    yield kept


def _rehearse(console: Console, folder: Path, plan: RehearsalPlan, *, until_input_ends: bool) -> int:
    status = 0
    with Processes(folder / "logs") as processes:
        rehearsal = Rehearsal(folder, processes, plan, random_login())
        with control_server(folder / _SOCKET, rehearsal.ask):
            if until_input_ends:
                threading.Thread(target=_end_with_input, args=(rehearsal,), daemon=True).start()
            try:
                rehearsal.open()
                state = rehearsal.ask(GetState())
                console.print(
                    f"Judge's pages: http://{state.pages}/judge  login {state.judge} / {state.password}"
                )
                console.print(f"Control: {folder / _SOCKET}")
                robot = RobotJudge(plan.reacts_after_s) if plan.auto else None
                rehearsal.run(lambda: is_over(rehearsal, plan.rounds, robot))
            except (KeyboardInterrupt, EndedEarlyError):
                console.print("Ended.")
            except (ProgramDied, PageTrouble, TimeoutError, BadData) as error:
                rehearsal.record_failure(str(error))
                console.print(f"The rehearsal failed: {error}", style="red")
                status = 1
            report = Report(rehearsal)
            said = list(report.lines())
            if plan.auto and not status:
                said += report.verify()
            rehearsal.close()
            for line in said:
                console.print(line, soft_wrap=True)
            (folder / _DEBRIEF).write_bytes(msgspec.json.encode(rehearsal.ask(GetState())))
            status = status or int(bool(report.wrong))
    return status


def _end_with_input(rehearsal: Rehearsal) -> None:
    sys.stdin.buffer.read()
    rehearsal.ask(End())
