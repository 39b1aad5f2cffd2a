"""A rehearsal hall: its own station, tables and spare terminals, and the people at the tables."""

import contextlib
import datetime as dt
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from demo.hall import add_judge, enter_station, line_end, start_station
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import Processes, ProgramDied, poll_until_timeout
from demo.rehearsal.cables import Cables
from demo.rehearsal.people import People
from demo.rehearsal.plan import Access, RehearsalPlan, player_list, players_for
from demo.rehearsal.units import Unit, UnitsAtWork, free_ports
from demo.rehearsal.watching import Watcher
from kiosk.rehearsal.brain import Brain
from station.rehearsals.contract import RehearsalStep, SetupStep

NAME: Final = "REHEARSAL"
STATION: Final = "station"
_START_S: Final = 60.0
_A_TABLE_S: Final = 3.0
_HALL_WORD: Final = "rehearsal"
_BESIDES: Final = 2
"""The ports used by the station: one for its pages, one for terminals."""


class RehearsalHall:
    """Everything that belongs to one rehearsal, stored in one folder.

    ``speed`` returns the current playing speed; called before each wait.
    """

    def __init__(
        self,
        directory: Path,
        processes: Processes,
        plan: RehearsalPlan,
        access: Access,
        speed: Callable[[], float],
    ) -> None:
        self._directory = directory
        self._processes = processes
        self._plan = plan
        self._access = access
        self._speed = speed
        self._ports = list(free_ports(plan.tables + plan.spares + _BESIDES, random.Random()))  # noqa: S311
        self._pages_port, self._tls_port = self._ports.pop(), self._ports.pop()
        self.cables = Cables(self._tls_port, plan.seed)
        self.units = UnitsAtWork(directory, processes, self.cables, plan.seed)
        self.people: dict[int, People] = {}
        self.places: dict[int, Unit] = {}
        self.spares: list[Unit] = []
        self._is_closed = False
        self.watcher = Watcher(directory / STATION / "station.sqlite")
        self.judge = JudgeAtWork(Pages(self.own_pages))

    @property
    def own_pages(self) -> str:
        """Return the URL of the station's pages on this machine."""
        return f"http://127.0.0.1:{self._pages_port}"

    @property
    def pages_port(self) -> int:
        """Return the port of the station's pages."""
        return self._pages_port

    def open(self, on_step: Callable[[RehearsalStep], None]) -> None:
        """Start the station, a tournament with a draw, the terminals and the people.

        ``on_step`` is called with each step of the setup. Raises ProgramDied, PageTrouble or TimeoutError.
        """
        on_step(RehearsalStep(SetupStep.STATION))
        self._start_station()
        self.units.start_program()
        on_step(RehearsalStep(SetupStep.PLAYERS))
        count = players_for(self._plan.tables, self._plan.edition)
        today = dt.datetime.now(dt.UTC).date().isoformat()
        self.judge.open_tournament(NAME, self._plan.edition, today)
        self.judge.register("rehearsal.csv", player_list(count))
        tables = self.judge.draw(_HALL_WORD)
        for number in range(1, tables + 1):
            on_step(RehearsalStep(SetupStep.TABLE, number, tables))
            self.places[number] = self._add(number, f"table-{number}", number)
        for number in range(1, self._plan.spares + 1):
            on_step(RehearsalStep(SetupStep.SPARE, number, self._plan.spares))
            self.spares.append(self._add(tables + number, f"spare-{number}", None))
        on_step(RehearsalStep(SetupStep.CONNECTIONS))
        self._wait_for_terminals(tables)
        self.judge.publish_draw()
        for number in range(1, tables + 1):
            self._seat_people(number)

    def begin_round(self) -> int:
        """Draw and publish the next round, and return the number of tables."""
        return self.judge.begin_round(_HALL_WORD)

    def follow_swaps(self) -> tuple[int, ...]:
        """Move people to their table's replacement terminal, and return the tables that changed."""
        stands = self.watcher.tables()
        by_terminal = {self.units.terminal(unit): unit for unit in self.spares}
        moved = []
        for terminal, table in stands.items():
            spare = by_terminal.get(terminal)
            if spare is not None and table in self.places and self.places[table] is not spare:
                self.places[table] = spare
                self.spares.remove(spare)
                self.people[table].sit_at(spare.door, self._pin(table))
                moved.append(table)
        return tuple(moved)

    def close(self) -> None:
        """Stop the people, the terminals and the cables. Further calls do nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for people in self.people.values():
            people.leave()
        for people in self.people.values():
            people.wait_gone()
        self.judge.close()
        self._processes.end_all()
        self.cables.close()

    def _start_station(self) -> None:
        data, who = self._directory / STATION, self._access
        add_judge(self._processes, data, who.judge, who.password)
        lines = range(1, min(self._plan.serial, self._plan.tables) + 1)
        for number in lines:
            self.units.lay_line(number)
        ends = [part for n in lines for part in ("--serial", str(line_end(self._directory, n, "station")))]
        http = f"{self._plan.host}:{self._pages_port}"
        more = ("--rehearsal", "--no-announce", *ends)
        start_station(self._processes, data, http, self._tls_port, *more)
        enter_station(self._processes, self.judge, (who.judge, who.password))

    def _add(self, number: int, name: str, table: int | None) -> Unit:
        serial = table is not None and table <= self._plan.serial
        made = self.judge.provisioning(table)
        return self.units.add(number, name, self._ports.pop(), made, serial=serial)

    def _wait_for_terminals(self, tables: int) -> None:
        """Wait until every table's terminal is connected.

        Raises ProgramDied if one doesn't connect in time.
        """
        missing: set[int] = set()
        with contextlib.suppress(TimeoutError):
            for _ in poll_until_timeout(_START_S + _A_TABLE_S * tables, 0.5):
                self._processes.check()
                missing = set(self.places) - set(self.watcher.tables().values())
                if not missing:
                    return
        first = min(missing)
        words = self.units.last_words(self.places[first])
        raise ProgramDied(f"{len(missing)} tables did not connect; last output of table {first}:\n{words}")

    def _pin(self, table: int) -> str:
        """Return a table's PIN, or an empty string if judges confirm the record sheets."""
        return "" if self._plan.judges_confirm else self.judge.pin(table)

    def _seat_people(self, number: int) -> None:
        brain = Brain(self._plan.seed * 1000 + number, self._pin(number))
        self.people[number] = People(self.places[number].door, brain, self._speed)
        self.people[number].start()
