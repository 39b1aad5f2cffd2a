"""The hall of a rehearsal: terminals whose power and cables can fail, spares, and people at the tables."""

import contextlib
import signal
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from demo.hall import STATION, Hall, NewTournament, Table
from demo.plan import RehearsalPlan, player_list, players_for
from demo.processes import Processes, ProgramDied, poll_until_timeout
from demo.rehearsal.cables import Cables
from demo.rehearsal.watching import Watcher
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.people import People
from kiosk.rehearsal.terminal_client import TerminalClient
from kiosk.rehearsal.unit_orders import KillUnit, StartUnit, UnitEnded, UnitOrder
from station.rehearsals.contract import RehearsalStep, SetupStep
from sync.tls.certificates import fingerprint_of_pem

NAME: Final = "REHEARSAL"
_UNITS: Final = "units"
_START_S: Final = 60.0
_A_TABLE_S: Final = 3.0
_HALL_WORD: Final = "rehearsal"
_BATTERY: Final = """
# Runs empty in a rehearsal.
[battery]
kind = "pins"
power_lost = 26
low = 16
"""
_ASKED_FOR: Final = frozenset({0, -int(signal.SIGKILL)})
"""The exit statuses of a terminal that was shut down or lost its power."""
_NOISE: Final = "0.0004"
"""The probability of a wrong bit on a disturbed serial line."""


class RehearsalHall(Hall):
    """The programs and the simulated people of a rehearsal.

    To save memory, all terminals are forked from one process.

    speed: the people's current speed.
    places: the terminal at each table, which may be a spare.
    """

    _station_options = ("--rehearsal", "--no-announce")

    def __init__(
        self, directory: Path, processes: Processes, plan: RehearsalPlan, login: tuple[str, str]
    ) -> None:
        serial = frozenset(range(1, min(plan.serial, plan.tables) + 1))
        super().__init__(directory, processes, serial_tables=serial, login=login, host=plan.host)
        self._plan = plan
        self.speed = plan.speed
        self._begun = time.monotonic()
        self._cables = Cables(self.tls_port, plan.seed)
        self._on: set[Table] = set()
        self._dead: set[Table] = set()
        self.people: dict[int, People] = {}
        self.places: dict[int, Table] = {}
        self.spares: list[Table] = []
        self._is_closed = False
        self.watcher = Watcher(directory / STATION / "station.sqlite")

    @property
    def seconds(self) -> float:
        return round(time.monotonic() - self._begun, 1)

    @property
    def units(self) -> tuple[Table, ...]:
        """All terminals, including spares and broken ones."""
        return tuple(self._tables.values())

    def set_up(self, on_step: Callable[[RehearsalStep], None]) -> None:
        """Start the station, a tournament with a draw, the terminals and the people.

        Raises ProgramDied, PageTrouble or TimeoutError.
        """
        key = self._plan.edition
        players = player_list(players_for(self._plan.tables, key))
        tournament = NewTournament(NAME, key, (), "rehearsal.csv", players, _HALL_WORD)
        _, tables = self.open(tournament, on_step)
        self.places = {table.number: table for table in tables}
        for number in range(1, self._plan.spares + 1):
            on_step(RehearsalStep(SetupStep.SPARE, number, self._plan.spares))
            self.spares.append(self.start_terminal(len(tables) + number, self.judge.provisioning(None)))
        on_step(RehearsalStep(SetupStep.CONNECTIONS))
        self._wait_for_terminals()
        self.judge.publish_draw()
        for number in self.places:
            self._seat_people(number)

    def begin_round(self) -> int:
        return self.judge.begin_round(_HALL_WORD)

    def follow_swaps(self) -> tuple[int, ...]:
        """Let people use the spare that has replaced their terminal, and return the tables concerned."""
        by_terminal = {self.terminal_id(unit): unit for unit in self.spares}
        moved = []
        for terminal, table in self.watcher.tables().items():
            spare = by_terminal.get(terminal)
            if spare is not None and table in self.places and self.places[table] is not spare:
                self.places[table] = spare
                self.spares.remove(spare)
                self.people[table].sit_at(spare.door, self._pin(table))
                moved.append(table)
        return tuple(moved)

    def close(self) -> None:
        """Stop the people, the programs and the cables. Further calls do nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for people in self.people.values():
            people.leave()
        for people in self.people.values():
            people.wait_gone()
        self.judge.close()
        self.processes.end_all()
        self._cables.close()

    def start_lines(self) -> None:
        super().start_lines()
        self.processes.start(_UNITS, sys.executable, "-P", "-m", "kiosk.rehearsal.units", reads_orders=True)

    def restart_terminal(self, table: Table) -> None:
        """Start a terminal with its existing journal, unless it is running or broken."""
        if table in self._on | self._dead:
            return
        log = self.directory / "logs" / f"{table.name}.log"
        options = (*self._terminal_options(table), "--panel", str(self._panel()), "--rehearsal")
        self._tell(StartUnit(table.name, options, str(log)))
        self._on.add(table)

    def is_on(self, unit: Table) -> bool:
        return unit in self._on

    def is_dead(self, unit: Table) -> bool:
        return unit in self._dead

    def cut_power(self, unit: Table) -> None:
        """Kill a terminal immediately, as a power cut would."""
        self._tell(KillUnit(unit.name))
        self._on.discard(unit)

    def destroy(self, unit: Table) -> None:
        self.cut_power(unit)
        self._dead.add(unit)

    def cut_cable(self, unit: Table) -> None:
        """Unplug a terminal's cable."""
        if unit.wire == "serial":
            self.processes.signal(f"line-{unit.number}", signal.SIGUSR1)
        else:
            self._cables.cut(unit.number)

    def mend_cable(self, unit: Table) -> None:
        """Plug in a terminal's cable, replacing a noisy one."""
        if unit.wire == "serial":
            self._replace_line(unit)
        else:
            self._cables.mend(unit.number)

    def disturb_cable(self, unit: Table) -> None:
        """Make a terminal's cable noisy."""
        if unit.wire == "serial":
            self._replace_line(unit, "--flips", _NOISE, "--seed", str(self._plan.seed))
        else:
            self._cables.disturb(unit.number)

    def terminal_id(self, unit: Table) -> str:
        """Return the terminal's id at the station, or an empty string before it has a key."""
        file = self.folder(unit) / "certificate.pem"
        try:
            return str(fingerprint_of_pem(file.read_text(encoding="ascii"), str(file)))
        except (OSError, BadData, Unavailable):
            return ""

    def failed_units(self) -> tuple[str, ...]:
        """Return a sentence about each terminal that ended unexpectedly."""
        log = self.directory / "logs" / f"{_UNITS}.log"
        failures = []
        for line in log.read_bytes().splitlines() if log.exists() else ():
            with contextlib.suppress(msgspec.DecodeError):
                ended = msgspec.json.decode(line, type=UnitEnded)
                if ended.status not in _ASKED_FOR:
                    failures.append(f"{ended.name} ended by itself, status {ended.status}")
        return tuple(failures)

    def _name_terminal(self, number: int) -> str:
        tables = self._plan.tables
        return f"table-{number}" if number <= tables else f"spare-{number - tables}"

    def _address_station(self, table: Table) -> str:
        return f'"127.0.0.1:{self._cables.lay(table.number)}"'

    def _provisioning(self, table: Table) -> Path:
        return self.directory / f"{table.name}.toml"

    def _panel(self) -> Path:
        file = self.directory / "panel.toml"
        if not file.exists():
            virtual = resources.files("hardware") / "panels" / "virtual.toml"
            file.write_text(virtual.read_text(encoding="utf-8") + _BATTERY, encoding="utf-8")
        return file

    def _replace_line(self, unit: Table, *more: str) -> None:
        self.processes.end(f"line-{unit.number}")
        self.start_line(unit.number, *more)

    def _tell(self, order: UnitOrder) -> None:
        self.processes.tell(_UNITS, msgspec.json.encode(order) + b"\n")

    def _wait_for_terminals(self) -> None:
        missing: set[int] = set()
        with contextlib.suppress(TimeoutError):
            for _ in poll_until_timeout(_START_S + _A_TABLE_S * len(self.places), 0.5):
                self.processes.check()
                missing = set(self.places) - set(self.watcher.tables().values())
                if not missing:
                    return
        first = min(missing)
        words = self.processes.last_words(self.places[first].name, 3)
        raise ProgramDied(f"{len(missing)} tables did not connect; last output of table {first}:\n{words}")

    def _pin(self, table: int) -> str:
        return "" if self._plan.judges_confirm else self.judge.pin(table)

    def _seat_people(self, number: int) -> None:
        brain = Brain(self._plan.seed * 1000 + number, self._pin(number))
        self.people[number] = People(TerminalClient(self.places[number].door), brain, lambda: self.speed)
        self.people[number].start()
