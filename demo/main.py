"""The program ``saloon-demo``: a hall on this machine, to play in or to watch."""

import datetime as dt
import json
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from saloon.demo.hall import JUDGE, JUDGE_PASSWORD, JUDGE_PIN, Hall, Table, running_hall
from saloon.demo.judge import JudgeAtWork
from saloon.demo.pages import Pages, PageTrouble
from saloon.demo.processes import Processes, ProgramDied, program, waiting

_PLAYERS = Path(__file__).resolve().parents[1] / "examples" / "players-27.csv"
_TABLES = 5
_SERIAL = frozenset({2, 4})
_START_S = 30.0
_ROUND_S = 3600.0
_EDITION = "championship-2022"


@click.command()
@click.option(
    "--auto", is_flag=True, help="Play the whole tournament without anybody, then print the ranking."
)
@click.option(
    "--speed", default=1.0, show_default=True, help="How many times as fast as people the players tap."
)
@click.option("--players", default=_PLAYERS, type=click.Path(exists=True, path_type=Path), help="CSV file.")
@click.option("--seed", default=2022, show_default=True, help="Of the rehearsal players' whims.")
@click.option(
    "--keep", type=click.Path(path_type=Path), help="Keep journals, logs and export in this folder."
)
def main(*, auto: bool, speed: float, players: Path, seed: int, keep: Path | None) -> None:
    """Run a station, five tables and players who tap for themselves."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    console = Console()
    directory = keep or Path(tempfile.mkdtemp(prefix="saloon-demo-"))
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with running_hall(directory, _SERIAL) as (hall, processes):
            Demonstration(console, hall, processes, directory).run(
                auto=auto, speed=speed, players=players, seed=seed
            )
    except KeyboardInterrupt:
        console.print("Ended.")
    except (ProgramDied, PageTrouble, TimeoutError) as error:
        console.print(f"The demonstration failed: {error}", style="red", markup=False)
        sys.exit(1)
    finally:
        if keep is None:
            shutil.rmtree(directory, ignore_errors=True)


class Demonstration:
    """One run of the hall."""

    def __init__(self, console: Console, hall: Hall, processes: Processes, directory: Path) -> None:
        self._console = console
        self._hall = hall
        self._processes = processes
        self._directory = directory
        self._judge = JudgeAtWork(Pages(hall.http))

    def run(self, *, auto: bool, speed: float, players: Path, seed: int) -> None:
        """Start everything, then play by itself or let people play."""
        tables = self._start(players)
        playing = tables if auto else tables[:-1]
        for table in playing:
            pin = JUDGE_PIN
            self._hall.start_players(table, speed=speed, seed=seed + table.number, pin=pin)
        self._show_doors(tables, auto=auto)
        self._judge.begin_round("saloon")
        if auto:
            self._play_all()
        else:
            self._watch()

    def _start(self, players: Path) -> tuple[Table, ...]:
        with self._console.status("starting the station") as status:
            self._hall.start_lines()
            self._hall.start_station()
            pages = Pages(self._hall.http)
            for _ in waiting(_START_S):
                self._processes.check()
                if pages.is_up():
                    break
            pages.close()
            self._judge.log_in(JUDGE, JUDGE_PASSWORD)
            self._judge.set_pin(JUDGE_PIN)
            tables = []
            for number in range(1, _TABLES + 1):
                status.update(f"starting the terminal of table {number}")
                tables.append(self._hall.start_terminal(number, self._judge.provisioning(number)))
            status.update("opening the tournament")
            today = dt.datetime.now(dt.UTC).date().isoformat()
            self._judge.open_tournament("Demonstration", _EDITION, today)
            count = self._judge.register(players)
        self._console.print(f"{count} players registered from {players.name}.")
        return tuple(tables)

    def _show_doors(self, tables: tuple[Table, ...], *, auto: bool) -> None:
        wires = ", ".join(f"table {t.number} {'serial' if t.wire == 'serial' else 'TLS'}" for t in tables)
        self._console.print(f"Wires: {wires} (serial lines are as slow as 115200 baud).")
        self._console.print(f"Judge's pages:    {self._hall.http}/judge   login {JUDGE} / {JUDGE_PASSWORD}")
        mine = tables[-1]
        what = "plays by itself" if auto else "is yours: play it in the browser"
        self._console.print(f"Virtual terminal: {mine.door}   table {mine.number} {what}; PIN {JUDGE_PIN}")
        if not auto:
            self._console.print("Ctrl-C ends everything.")

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total} sheets"),
            TimeElapsedColumn(), console=self._console,
        )  # fmt: skip

    def _play_round(self, number: int) -> None:
        with self._progress() as progress:
            task = progress.add_task(f"round {number}", total=len(self._judge.sheets()) or None)
            for _ in waiting(_ROUND_S, 0.5):
                self._processes.check()
                sheets = self._judge.sheets()
                done = sum(sheet in {"accepted", "disputed"} for sheet in sheets.values())
                progress.update(task, completed=done if sheets else progress.tasks[0].total)
                if not sheets or done == len(sheets):
                    return

    def _play_all(self) -> None:
        number = 1
        while True:
            self._play_round(number)
            if self._judge.is_finished():
                break
            number += 1
            self._judge.begin_round("saloon")
        ranking = self._judge.end()
        self._print(ranking)
        self._recount(ranking)

    def _watch(self) -> None:
        number = 1
        while True:
            self._play_round(number)
            self._console.print(
                "The round is over. Go on at the judge's pages: draw and publish the next one."
            )
            for _ in waiting(_ROUND_S * 24, 2.0):
                self._processes.check()
                if self._judge.sheets() and "playing" in self._judge.sheets().values():
                    break
            number += 1

    def _print(self, ranking: list[tuple[str, str, int]]) -> None:
        table = RichTable("rank", "player", "total", title="Ranking")
        for rank, name, total in ranking:
            table.add_row(rank, name, f"${total:,}")
        self._console.print(table)

    def _recount(self, ranking: list[tuple[str, str, int]]) -> None:
        """Compute the ranking again from the exported events and compare."""
        export = self._directory / "export.jsonl"
        export.write_bytes(self._judge.export())
        counted = json.loads(
            self._processes.run("saloon-rules rank", program("saloon-rules"), "rank", "--json", str(export))
        )
        self._processes.run("saloon-rules score", program("saloon-rules"), "score", str(export))
        totals = {row["name"]: row["final_score"] for row in counted[0]["standings"]}
        shown = {name: total for _, name, total in ranking}
        if totals != shown:
            wrong = sorted(name for name in shown if totals.get(name) != shown[name])
            raise ProgramDied(f"the recount differs from the station for: {', '.join(wrong)}")
        self._console.print(f"Recounted from the export by saloon-rules: all {len(shown)} totals agree.")


def _as_ctrl_c(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
