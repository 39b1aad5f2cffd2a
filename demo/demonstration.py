"""One run of the demonstration: start all programs, then play automatically or wait for people."""

import contextlib
import datetime as dt
import json
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, Table, enter_station
from demo.hall_page import HallPage
from demo.judge import JudgeAtWork
from demo.pages import Pages, PageTrouble
from demo.processes import Processes, ProgramDied, poll_until_timeout, program
from demo.tournament_plan import Plan


def recount(export: Path, ranking: list[tuple[str, str, int]], processes: Processes) -> str:
    """Compare the exported proof pack with the published ranking and return a summary sentence.

    Raises ProgramDied if the recount differs from the ranking.
    """
    rules = program("saloon-rules")
    counted = json.loads(processes.run("saloon-rules rank", rules, "rank", "--json", str(export)))
    processes.run("saloon-rules score", rules, "score", str(export))
    processes.run("saloon-rules verify", rules, "verify", str(export))
    totals = {row["name"]: row["final_score"] for row in counted[0]["standings"]}
    published = {name: total for _, name, total in ranking}
    if totals != published:
        wrong = sorted(name for name in published if totals.get(name) != published[name])
        raise ProgramDied(f"the recount differs from the station for: {', '.join(wrong)}")
    return (
        f"Recounted from the proof pack by saloon-rules: all {len(published)} totals agree; "
        "every line, draw, game and sum in it was verified."
    )


_ROUND_S = 3600.0
_DAY_S = 86_400.0
_HALL_WORD = "saloon"
_DUELS = (("semifinals, short duels", "short-duel"), ("final, long duel", "long-duel"))


class Demonstration:
    """A run of the demonstration in a hall that is already prepared."""

    def __init__(self, console: Console, hall: Hall, processes: Processes, directory: Path) -> None:
        self._console = console
        self._hall = hall
        self._processes = processes
        self._directory = directory
        self._judge = JudgeAtWork(Pages(hall.http))

    def run(self, plan: Plan, *, auto: bool, speed: float, seed: int, by_hand: bool = False) -> None:
        """Start everything, then play automatically or let people play.

        auto: simulated players play at all tables, otherwise at all but the last.
        by_hand: people play at all tables.
        """
        tables = self._start(plan)
        if by_hand and not auto:
            self._by_hand(tables)
            return
        playing = tables if auto else tables[:-1]
        for table in playing:
            pin = self._judge.pin(table.number)
            self._hall.start_players(table, speed=speed, seed=seed + table.number, pin=pin)
        self._show_doors(tables, auto=auto)
        self._judge.publish_draw()
        if auto:
            self._play_all()
        else:
            self._watch()

    def _start(self, plan: Plan) -> tuple[Table, ...]:
        """Start the station and a terminal for each table, and open a tournament with its first draw."""
        with self._console.status("starting the station") as status:
            self._hall.start_lines()
            self._hall.start_station()
            enter_station(self._processes, self._judge, (JUDGE, JUDGE_PASSWORD))
            status.update("opening the tournament")
            today = dt.datetime.now(dt.UTC).date().isoformat()
            self._judge.open_tournament("Demonstration", plan.edition, today, plan.options)
            count = self._judge.register(plan.players.name, plan.player_list())
            tables = []
            for number in range(1, self._judge.draw(_HALL_WORD) + 1):
                status.update(f"starting the terminal of table {number}")
                tables.append(self._hall.start_terminal(number, self._judge.provisioning(number)))
        self._console.print(f"{count} players registered from {plan.players.name}; {plan.edition}.")
        return tuple(tables)

    def _show_doors(self, tables: tuple[Table, ...], *, auto: bool) -> None:
        names = {"serial": "serial", "bus": "on the shared pair", "tcp": "TLS"}
        wires = ", ".join(f"table {t.number} {names[t.wire]}" for t in tables)
        self._console.print(f"Wires: {wires} (serial lines are as slow as 115200 baud).")
        self._show_judge()
        mine = tables[-1]
        what = "plays by itself" if auto else "is yours: play it in the browser"
        pin = self._judge.pin(mine.number)
        self._console.print(f"Virtual terminal: {mine.door}   table {mine.number} {what}; PIN {pin}")
        if not auto:
            self._console.print("Ctrl-C ends everything.")

    def _by_hand(self, tables: tuple[Table, ...]) -> None:
        """Let people play all tables in browsers until Ctrl-C."""
        pins = {table.number: self._judge.pin(table.number) for table in tables}
        with HallPage(tables, pins, self._hall.http) as page:
            self._console.print(f"All tables:       {page.url}   {len(tables)} virtual terminals, all yours")
            self._show_judge()
            self._console.print("Ctrl-C ends everything.")
            self._judge.publish_draw()
            self._watch()

    def _show_judge(self) -> None:
        self._console.print(f"Judge's pages:    {self._hall.http}/judge   login {JUDGE} / {JUDGE_PASSWORD}")

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("{task.description}", markup=False), BarColumn(),
            TextColumn("{task.completed}/{task.total} sheets"),
            TimeElapsedColumn(), console=self._console,
        )  # fmt: skip

    def _sheets(self) -> dict[int, str]:
        """Return the state of each table's record sheet, waiting for the station if it doesn't answer."""
        self._hall.check(self._console.print)
        with contextlib.suppress(PageTrouble):
            return self._judge.sheets()
        self._console.print(f"Waiting for the station at {self._hall.http}; the tables go on meanwhile.")
        for _ in poll_until_timeout(_DAY_S, 0.5):
            self._hall.check(self._console.print)
            if self._judge.is_station_up():
                break
        self._console.print("The station answers again.")
        return self._judge.sheets()

    def _play_round(self, name: str, limit_s: float) -> None:
        with self._progress() as progress:
            task = progress.add_task(name, total=len(self._sheets()) or None)
            for _ in poll_until_timeout(limit_s, 0.5):
                sheets = self._sheets()
                done = sum(sheet in {"accepted", "disputed"} for sheet in sheets.values())
                progress.update(task, completed=done if sheets else progress.tasks[0].total)
                if not sheets or done == len(sheets):
                    return

    def _play_all(self) -> None:
        number = 1
        while True:
            self._play_round(f"round {number}", _ROUND_S)
            if self._judge.is_finished():
                break
            number += 1
            self._judge.draw(_HALL_WORD)
            self._judge.publish_draw()
        self._judge.break_ties()
        for name, kind in _DUELS:
            if self._judge.has_finals():
                self._judge.begin_duels(kind)
                self._play_round(name, _ROUND_S)
        ranking = self._judge.end()
        self._print(ranking)
        export = self._directory / "export.jsonl"
        export.write_bytes(self._judge.export())
        for line in recount(export, ranking, self._processes).splitlines():
            self._console.print(line)

    def _watch(self) -> None:
        number = 1
        while True:
            self._play_round(f"round {number}", _DAY_S)
            self._console.print(
                "The round is over. Continue on the judge's pages: draw and publish the next one."
            )
            for _ in poll_until_timeout(_DAY_S, 2.0):
                if "playing" in self._sheets().values():
                    break
            number += 1

    def _print(self, ranking: list[tuple[str, str, int]]) -> None:
        table = RichTable("rank", "player", "total", title="Ranking")
        for rank, name, total in ranking:
            table.add_row(rank, name, f"${total:,}")
        self._console.print(table)
