"""A hall: one station, its terminals, the lines between them, and simulated players."""

import contextlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from demo.judge import JudgeAtWork
from demo.processes import Processes, free_port, poll_until_timeout, program

JUDGE = "judge"
JUDGE_PASSWORD = "high-noon-demo"  # noqa: S105 (of the demonstration, printed for everybody)
MOST_ON_A_PAIR = 32
_START_S = 60.0
_MOST_RESTARTS = 5
_HOLD_MS = "2"
"""The bus hold time in milliseconds: low, as a pty adds no latency and the simulated line adds little."""


@dataclass(frozen=True)
class Table:
    """A table of the hall.

    door: base URL of its virtual terminal.
    wire: ``serial``, ``bus`` or ``tcp``.
    """

    number: int
    door: str
    wire: str


def add_judge(processes: Processes, data: Path, name: str, password: str) -> None:
    """Add a judge's account to the data of a station that isn't running."""
    arguments = ("judge", "add", name, "--data", str(data))
    processes.run("saloon-station judge add", program("saloon-station"), *arguments, text=f"{password}\n")


def start_station(processes: Processes, data: Path, http: str, tls_port: int, *more: str) -> None:
    """Start a station.

    http: host and port of its web pages.
    more: further command-line options.
    """
    processes.start(
        "station", program("saloon-station"), "serve", "--data", str(data), "--http", http,
        "--tls-host", "127.0.0.1", "--tls-port", str(tls_port), "--address", f"127.0.0.1:{tls_port}", *more,
    )  # fmt: skip


def enter_station(processes: Processes, judge: JudgeAtWork, login: tuple[str, str]) -> None:
    """Wait until the station's pages answer, then log in.

    Raises ProgramDied if a program ended, and TimeoutError if the station doesn't answer within a minute.
    """
    for _ in poll_until_timeout(_START_S):
        processes.check()
        if judge.is_station_up():
            break
    judge.log_in(*login)


def line_end(directory: Path, number: int, side: str) -> Path:
    """Return the path of the device at one end of a serial line, ``terminal`` or ``station``."""
    return directory / f"line-{number}-{side}"


def start_line(processes: Processes, directory: Path, number: int, *more: str) -> None:
    """Start a table's simulated serial line at the speed of a real one, with any further options."""
    one, other = (str(line_end(directory, number, side)) for side in ("terminal", "station"))
    processes.start(
        f"line-{number}", sys.executable, "-P", "-m", "demo.shaped_lines.line",
        "--a", one, "--b", other, "--baud", "115200", *more,
    )  # fmt: skip


class Hall:
    """The programs of a hall, started one after the other in one directory.

    Serial tables are connected by ptys as slow as a real cable at 115,200 baud; the other tables use TLS on
    the loopback interface. With ``shares_pair``, a single such line connects all tables, as on RS-485.
    """

    def __init__(
        self,
        directory: Path,
        processes: Processes,
        *,
        serial_tables: frozenset[int],
        shares_pair: bool = False,
    ) -> None:
        self._directory = directory
        self._processes = processes
        self._serial = frozenset[int]() if shares_pair else serial_tables
        self._shares_pair = shares_pair
        self.http = f"http://127.0.0.1:{free_port()}"
        self._tls_port = free_port()
        self._tables: dict[str, Table] = {}
        self._restarts = Counter[str]()

    def start_lines(self) -> None:
        """Start a pty line for each serial table, or a single shared line for all tables."""
        if self._shares_pair:
            paths = [self._pair_end(number) for number in range(MOST_ON_A_PAIR + 1)]
            ends = [part for path in paths for part in ("--end", str(path))]
            self._processes.start("pair", sys.executable, "-P", "-m", "demo.shaped_lines.bus", *ends)
        for number in sorted(self._serial):
            start_line(self._processes, self._directory, number)

    def start_station(self) -> None:
        """Create the judge's account, then start the station."""
        add_judge(self._processes, self._directory / "station", JUDGE, JUDGE_PASSWORD)
        self.restart_station()

    def restart_station(self) -> None:
        """Start the station again with its existing data."""
        ends = [part for n in sorted(self._serial) for part in ("--serial", str(self._end(n, "station")))]
        if self._shares_pair:
            ends += ["--bus", str(self._pair_end(0)), "--bus-hold-ms", _HOLD_MS]
        http = self.http.removeprefix("http://")
        start_station(self._processes, self._directory / "station", http, self._tls_port, *ends)

    def start_terminal(self, number: int, provisioning: str) -> Table:
        """Start a virtual terminal with a provisioning file downloaded from the station."""
        file = self._directory / f"table-{number}.toml"
        wire = self._wire(number)
        if wire != "tcp":
            # A table on a serial line must not be able to reach the station over TCP.
            provisioning = re.sub(r"(?m)^addresses = .*$", "addresses = []", provisioning)
        file.write_text(provisioning, encoding="utf-8")
        table = self._tables[f"terminal-{number}"] = Table(number, f"http://127.0.0.1:{free_port()}", wire)
        self.restart_terminal(table)
        return table

    def restart_terminal(self, table: Table) -> None:
        """Start a terminal again with its existing journal."""
        ends = {"serial": self._end(table.number, "terminal"), "bus": self._pair_end(table.number)}
        wire = (f"--{table.wire}", str(ends[table.wire])) if table.wire in ends else ()
        self._processes.start(
            f"terminal-{table.number}", program("saloon-terminal"),
            "--data", str(self._directory / f"terminal-{table.number}"),
            "--provisioning", str(self._directory / f"table-{table.number}.toml"),
            "--virtual", table.door.rpartition(":")[2], "--pins", "mock", *wire,
        )  # fmt: skip

    def check(self, say: Callable[[str], object]) -> None:
        """Restart the station and any terminals that have ended, and report each restart.

        ``say`` is called with a sentence for each restart. Raises ProgramDied if another program has ended.
        """

        def _restart(name: str, status: int) -> bool:
            table, what = self._tables.get(name), "station"
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

        self._processes.check(_restart)

    def start_players(self, table: Table, *, speed: float, seed: int, pin: str) -> None:
        """Start the simulated players of a table. ``pin`` is the PIN of its terminal."""
        self._processes.start(
            f"players-{table.number}", sys.executable, "-P", "-m", "kiosk.rehearsal",
            "--door", table.door, "--speed", str(speed), "--seed", str(seed), "--pin", pin,
        )  # fmt: skip

    def _wire(self, number: int) -> str:
        if self._shares_pair and number <= MOST_ON_A_PAIR:
            return "bus"
        return "serial" if number in self._serial else "tcp"

    def _pair_end(self, number: int) -> Path:
        """Return the device path of a table's end of the shared pair.

        ``number`` is 0 for the station's end.
        """
        return self._directory / f"pair-{number}"

    def _end(self, number: int, side: str) -> Path:
        return line_end(self._directory, number, side)


@contextlib.contextmanager
def running_hall(
    directory: Path, serial_tables: frozenset[int], *, shares_pair: bool = False
) -> Iterator[tuple[Hall, Processes]]:
    """Yield a hall; end all of its programs when the block is left."""
    with Processes(directory / "logs") as processes:
        hall = Hall(directory, processes, serial_tables=serial_tables, shares_pair=shares_pair)
        yield hall, processes
