"""A hall: one station, its terminals, the lines between them, and simulated players."""

import contextlib
import datetime as dt
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import Processes, free_port, poll_until_timeout, program
from station.rehearsals.contract import RehearsalStep, SetupStep

JUDGE = "judge"
JUDGE_PASSWORD = "high-noon-demo"  # noqa: S105 (of the demonstration, printed for everybody)
_MOST_ON_A_PAIR = 32
STATION = "station"
_START_S = 60.0
_MOST_RESTARTS = 5
_HOLD_MS = "2"
"""The bus hold time in milliseconds, which is short as a simulated line has little latency."""


@dataclass(frozen=True)
class Table:
    """A terminal of the hall.

    number: number of its table. Spares have the numbers after the last table's.
    door: base URL of the virtual terminal.
    wire: ``serial``, ``bus`` or ``tcp``.
    name: name of its folder and its log.
    """

    number: int
    door: str
    wire: str
    name: str


@dataclass(frozen=True)
class NewTournament:
    """A tournament to open in a hall.

    options: keys of the edition's options.
    file, players: the list of players as a CSV file.
    hall_word: the word from the hall that enters the draw's seed.
    """

    name: str
    edition: str
    options: tuple[str, ...]
    file: str
    players: bytes
    hall_word: str


def add_judge(processes: Processes, data: Path, name: str, password: str) -> None:
    arguments = ("judge", "add", name, "--data", str(data))
    processes.run("saloon-station judge add", program("saloon-station"), *arguments, text=f"{password}\n")


def start_station(processes: Processes, data: Path, http: str, tls_port: int, *more: str) -> None:
    """Start a station, with further command-line options. ``http`` is the host and port of its pages."""
    processes.start(
        STATION, program("saloon-station"), "serve", "--data", str(data), "--http", http,
        "--tls-host", "127.0.0.1", "--tls-port", str(tls_port), "--address", f"127.0.0.1:{tls_port}", *more,
    )  # fmt: skip


class Hall:
    """The programs of a hall, whose files are in one directory.

    serial_tables: tables connected by simulated serial lines at 115,200 baud; the others use TLS.
    shares_pair: a single simulated RS-485 bus connects all tables instead.
    login: the judge's name and password.
    host: the address at which the station serves its pages.
    """

    _station_options: tuple[str, ...] = ()

    def __init__(
        self,
        directory: Path,
        processes: Processes,
        *,
        serial_tables: frozenset[int],
        shares_pair: bool = False,
        login: tuple[str, str] = (JUDGE, JUDGE_PASSWORD),
        host: str = "127.0.0.1",
    ) -> None:
        self.directory = directory
        self.processes = processes
        self._serial = frozenset[int]() if shares_pair else serial_tables
        self._shares_pair = shares_pair
        self._login = login
        self._host = host
        self._ports: set[int] = set()
        self.pages_port, self.tls_port = self._new_port(), self._new_port()
        self.http = f"http://127.0.0.1:{self.pages_port}"
        self.judge = JudgeAtWork(Pages(self.http))
        self._tables: dict[str, Table] = {}
        self._restarts = Counter[str]()

    def open(
        self, tournament: NewTournament, on_step: Callable[[RehearsalStep], None]
    ) -> tuple[int, tuple[Table, ...]]:
        """Start the station, a tournament with its first draw, and a terminal for each table.

        Return the number of players and the tables. Raises ProgramDied, PageTrouble or TimeoutError.
        """
        on_step(RehearsalStep(SetupStep.STATION))
        self.start_lines()
        self.start_station()
        self.enter_station()
        on_step(RehearsalStep(SetupStep.PLAYERS))
        today = dt.datetime.now(dt.UTC).date().isoformat()
        self.judge.open_tournament(tournament.name, tournament.edition, today, tournament.options)
        registered = self.judge.register(tournament.file, tournament.players)
        count = self.judge.draw(tournament.hall_word)
        tables = []
        for number in range(1, count + 1):
            on_step(RehearsalStep(SetupStep.TABLE, number, count))
            tables.append(self.start_terminal(number, self.judge.provisioning(number)))
        return registered, tuple(tables)

    def start_lines(self) -> None:
        """Start a simulated line for each serial table, or a bus for all tables."""
        if self._shares_pair:
            paths = [self._pair_end(number) for number in range(_MOST_ON_A_PAIR + 1)]
            ends = [part for path in paths for part in ("--end", str(path))]
            self.processes.start("pair", sys.executable, "-P", "-m", "demo.shaped_bus", *ends)
        for number in sorted(self._serial):
            self.start_line(number)

    def start_line(self, number: int, *more: str) -> None:
        """Start a table's simulated serial line, with further command-line options."""
        self.processes.start(
            f"line-{number}", sys.executable, "-P", "-m", "demo.shaped_line",
            "--a", self._line_end(number, "terminal"), "--b", self._line_end(number, "station"),
            "--baud", "115200", *more,
        )  # fmt: skip

    def start_station(self) -> None:
        add_judge(self.processes, self.directory / STATION, *self._login)
        self.restart_station()

    def wait_for_station(self) -> None:
        """Wait until the station's pages answer. Raises ProgramDied or TimeoutError."""
        for _ in poll_until_timeout(_START_S, 0.05):
            self.processes.check()
            if self.judge.is_station_up():
                break

    def enter_station(self) -> JudgeAtWork:
        """Wait until the station is up, and log its judge in."""
        self.wait_for_station()
        self.judge.log_in(*self._login)
        return self.judge

    def restart_station(self) -> None:
        """Start the station with its existing data."""
        ends = [part for n in sorted(self._serial) for part in ("--serial", self._line_end(n, "station"))]
        if self._shares_pair:
            ends += ["--bus", str(self._pair_end(0)), "--bus-hold-ms", _HOLD_MS]
        data, http = self.directory / STATION, f"{self._host}:{self.pages_port}"
        start_station(self.processes, data, http, self.tls_port, *self._station_options, *ends)

    def start_terminal(self, number: int, provisioning: str) -> Table:
        """Start a virtual terminal with the text of a provisioning file."""
        table = Table(
            number, f"http://127.0.0.1:{self._new_port()}", self._wire(number), self._name_terminal(number)
        )
        # A table on a serial line must not be able to reach the station over TCP.
        addresses = self._address_station(table) if table.wire == "tcp" else ""
        if addresses is not None:
            provisioning = re.sub(r"(?m)^addresses = .*$", f"addresses = [{addresses}]", provisioning)
        self._provisioning(table).write_text(provisioning, encoding="utf-8")
        self._tables[table.name] = table
        self.restart_terminal(table)
        return table

    def restart_terminal(self, table: Table) -> None:
        self.processes.start(table.name, program("saloon-terminal"), *self._terminal_options(table))

    def folder(self, table: Table) -> Path:
        return self.directory / table.name

    def check(self, say: Callable[[str], object]) -> None:
        """Restart the station and any terminals that have ended, and ``say`` so.

        Raises ProgramDied if another program has ended.
        """

        def _restart(name: str, status: int) -> bool:
            table, what = self._tables.get(name), STATION
            if (table is None and name != what) or self._restarts[name] == _MOST_RESTARTS:
                return False
            self._restarts[name] += 1
            if table is None:
                self.restart_station()
            else:
                self.restart_terminal(table)
                what = f"terminal of table {table.number}"
            say(f"The {what} ended with status {status} and was started again.")
            return True

        self.processes.check(_restart)

    def start_players(self, table: Table, *, speed: float, seed: int, pin: str) -> None:
        """Start the simulated players of a table, who confirm its sheet with the PIN."""
        self.processes.start(
            f"players-{table.number}", sys.executable, "-P", "-m", "kiosk.rehearsal",
            "--door", table.door, "--speed", str(speed), "--seed", str(seed), "--pin", pin,
        )  # fmt: skip

    def save_proof_pack(self) -> Path:
        """Save the tournament's proof pack and check it. Raises ProgramDied if that finds a fault."""
        pack = self.directory / "export.jsonl"
        pack.write_bytes(self.judge.export())
        for command in ("verify", "score"):
            self.processes.run(f"saloon-rules {command}", program("saloon-rules"), command, str(pack))
        return pack

    def _terminal_options(self, table: Table) -> tuple[str, ...]:
        line, pair = self._line_end(table.number, "terminal"), str(self._pair_end(table.number))
        wires = {"serial": ("--serial", line), "bus": ("--bus", pair), "tcp": ()}
        return (
            "--data", str(self.folder(table)), "--provisioning", str(self._provisioning(table)),
            "--virtual", table.door.rpartition(":")[2], "--pins", "mock", *wires[table.wire],
        )  # fmt: skip

    def _name_terminal(self, number: int) -> str:
        return f"terminal-{number}"

    def _address_station(self, _table: Table) -> str | None:
        """Return the TOML address at which a terminal reaches the station, or None to keep the given one."""
        return None

    def _provisioning(self, table: Table) -> Path:
        return self.directory / f"table-{table.number}.toml"

    def _wire(self, number: int) -> str:
        if self._shares_pair and number <= _MOST_ON_A_PAIR:
            return "bus"
        return "serial" if number in self._serial else "tcp"

    def _pair_end(self, number: int) -> Path:
        """Return the path of the device at one end of the bus: a table's, or the station's (0)."""
        return self.directory / f"pair-{number}"

    def _line_end(self, number: int, side: str) -> str:
        return str(self.directory / f"line-{number}-{side}")

    def _new_port(self) -> int:
        """Return a port that is free and that no other program of this hall is about to open."""
        port = free_port()
        while port in self._ports:
            port = free_port()
        self._ports.add(port)
        return port


@contextlib.contextmanager
def running_hall(
    directory: Path, serial_tables: frozenset[int], *, shares_pair: bool = False
) -> Iterator[tuple[Hall, Processes]]:
    """Yield a hall, and end all of its programs afterwards."""
    with Processes(directory / "logs") as processes:
        hall = Hall(directory, processes, serial_tables=serial_tables, shares_pair=shares_pair)
        yield hall, processes
        hall.judge.close()
