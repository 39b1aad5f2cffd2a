"""A demonstration: a hall on this machine, to play in or to watch."""

import contextlib
import json
import sys
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from base.console import plain_console
from base.errors import BadData
from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, NewTournament, Table, running_hall
from demo.hall_page import HallPage
from demo.pages import PageTrouble
from demo.plan import Plan, plan, plan_for_tables
from demo.processes import ProgramDied, poll_until_timeout, program
from demo.rehearsal.program import folder_for_run
from station.rehearsals.contract import RehearsalStep, SetupStep

_ROUND_S = 3600.0
_DAY_S = 86_400.0
_HALL_WORD = "saloon"
_DUELS = (("semifinals, short duels", "short-duel"), ("final, long duel", "long-duel"))

_SERIAL = frozenset({2, 4})


class Demonstration:
    """A run of the demonstration."""

    def __init__(self, console: Console, hall: Hall) -> None:
        self._console = console
        self._hall = hall

    def run(self, plan: Plan, *, auto: bool, speed: float, seed: int, by_hand: bool = False) -> None:
        """Start everything, then play the tournament or let people play.

        auto: simulated players play at all tables, otherwise at all but the last.
        by_hand: people play at all tables, unless ``auto``.
        """
        tables = self._start(plan)
        if by_hand and not auto:
            self._by_hand(tables)
            return
        for table in tables if auto else tables[:-1]:
            pin = self._hall.judge.pin(table.number)
            self._hall.start_players(table, speed=speed, seed=seed + table.number, pin=pin)
        self._show_doors(tables, auto=auto)
        self._hall.judge.publish_draw()
        if auto:
            self._play_all()
        else:
            self._watch()

    def _start(self, plan: Plan) -> tuple[Table, ...]:
        name, listed = plan.players.name, plan.player_list()
        tournament = NewTournament("Demonstration", plan.edition, plan.options, name, listed, _HALL_WORD)
        with self._console.status("starting the station") as status:
            doing = {
                SetupStep.PLAYERS: "opening the tournament",
                SetupStep.TABLE: "starting the terminal of table {number}",
            }

            def show(step: RehearsalStep) -> None:
                if step.doing in doing:
                    status.update(doing[step.doing].format(number=step.number))

            count, tables = self._hall.open(tournament, show)
        self._console.print(f"{count} players registered from {name}; {plan.edition}.")
        return tables

    def _show_doors(self, tables: tuple[Table, ...], *, auto: bool) -> None:
        names = {"serial": "serial", "bus": "on the shared pair", "tcp": "TLS"}
        wires = ", ".join(f"table {t.number} {names[t.wire]}" for t in tables)
        self._console.print(f"Wires: {wires} (serial lines are as slow as 115200 baud).")
        self._show_judge()
        mine = tables[-1]
        what = "plays by itself" if auto else "is yours: play it in the browser"
        pin = self._hall.judge.pin(mine.number)
        self._console.print(f"Virtual terminal: {mine.door}   table {mine.number} {what}; PIN {pin}")
        if not auto:
            self._console.print("Ctrl-C ends everything.")

    def _by_hand(self, tables: tuple[Table, ...]) -> None:
        pins = {table.number: self._hall.judge.pin(table.number) for table in tables}
        with HallPage(tables, pins, self._hall.http) as page:
            self._console.print(f"All tables:       {page.url}   {len(tables)} virtual terminals, all yours")
            self._show_judge()
            self._console.print("Ctrl-C ends everything.")
            self._hall.judge.publish_draw()
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
        self._hall.check(self._console.print)
        with contextlib.suppress(PageTrouble):
            return self._hall.judge.sheets()
        self._console.print(f"Waiting for the station at {self._hall.http}; the tables go on meanwhile.")
        for _ in poll_until_timeout(_DAY_S, 0.5):
            self._hall.check(self._console.print)
            if self._hall.judge.is_station_up():
                break
        self._console.print("The station answers again.")
        return self._hall.judge.sheets()

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
            if self._hall.judge.is_finished():
                break
            number += 1
            self._hall.judge.draw(_HALL_WORD)
            self._hall.judge.publish_draw()
        self._hall.judge.break_ties()
        for name, kind in _DUELS:
            if self._hall.judge.has_finals():
                self._hall.judge.begin_duels(kind)
                self._play_round(name, _ROUND_S)
        ranking = self._hall.judge.end()
        self._print(ranking)
        self._console.print(self._recount(ranking))

    def _recount(self, ranking: list[tuple[str, str, int]]) -> str:
        """Compare the published ranking with a recount. Raises ProgramDied if they differ."""
        pack = self._hall.save_proof_pack()
        rank = ("rank", "--json", str(pack))
        counted = json.loads(self._hall.processes.run("saloon-rules rank", program("saloon-rules"), *rank))
        totals = {row["name"]: row["final_score"] for row in counted[0]["standings"]}
        published = {name: total for _, name, total in ranking}
        if totals != published:
            wrong = sorted(name for name in published if totals.get(name) != published[name])
            raise ProgramDied(f"the recount differs from the station for: {', '.join(wrong)}")
        return (
            f"Recounted from the proof pack by saloon-rules: all {len(published)} totals agree; "
            "every line, draw, game and sum in it was verified."
        )

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


class DemoOptions(msgspec.Struct, frozen=True):
    """The options of ``saloon-demo``, as its help explains them."""

    auto: bool
    edition: str
    options: tuple[str, ...]
    speed: float
    players: Path | None
    count: int | None
    seed: int
    bus: bool
    virtual: int | None
    keep: Path | None


def demonstrate(chosen: DemoOptions) -> None:
    """Run a demonstration until it has ended. Exits with status 1 if it fails."""
    console = plain_console()
    rules = chosen.edition, chosen.options
    people = chosen.players, chosen.count
    try:
        if chosen.virtual is None:
            wanted = plan(*rules, *people)
        else:
            wanted = plan_for_tables(*rules, chosen.virtual, *people)
    except (BadData, ValueError) as error:
        raise click.BadParameter(str(error)) from error
    try:
        with (
            folder_for_run(chosen.keep, "saloon-demo-") as directory,
            running_hall(directory, _SERIAL, shares_pair=chosen.bus) as (hall, _),
        ):
            Demonstration(console, hall).run(
                wanted,
                auto=chosen.auto,
                speed=chosen.speed,
                seed=chosen.seed,
                by_hand=chosen.virtual is not None,
            )
    except KeyboardInterrupt:
        console.print("Ended.")
    except (ProgramDied, PageTrouble, TimeoutError) as error:
        for line in f"The demonstration failed: {error}".splitlines():
            console.print(line, style="red")
        sys.exit(1)
