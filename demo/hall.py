"""A hall: one station, its terminals with their wires, and rehearsal players."""

import contextlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from saloon.demo.processes import Processes, free_port, program

JUDGE = "judge"
JUDGE_PASSWORD = "high-noon-demo"  # noqa: S105 (of the demonstration, printed for everybody)
JUDGE_PIN = "2468"


@dataclass(frozen=True)
class Table:
    """A table of the hall. door: address of its virtual terminal. wire: ``serial`` or ``tcp``."""

    number: int
    door: str
    wire: str


class Hall:
    """Starts the parts of a hall in a directory of its own, one after the other.

    Serial tables are joined to the station by pty lines that are as slow as a real 115200 baud
    cable; the others connect over TLS on the loopback.
    """

    def __init__(self, directory: Path, processes: Processes, *, serial_tables: frozenset[int]) -> None:
        self._directory = directory
        self._processes = processes
        self._serial = serial_tables
        self.http = f"http://127.0.0.1:{free_port()}"
        self._tls_port = free_port()

    def start_lines(self) -> None:
        """A shaped pty line for each serial table, with stable names for both ends."""
        for number in sorted(self._serial):
            self._processes.start(
                f"line-{number}", sys.executable, "-m", "saloon.sync.rig.line",
                "--a", str(self._end(number, "terminal")), "--b", str(self._end(number, "station")),
                "--baud", "115200",
            )  # fmt: skip

    def start_station(self) -> None:
        """A judge's account, then the station itself."""
        data = str(self._directory / "station")
        self._processes.run(
            "saloon-station judge add", program("saloon-station"), "judge", "add", JUDGE, "--data", data,
            text=JUDGE_PASSWORD + "\n",
        )  # fmt: skip
        self.restart_station()

    def restart_station(self) -> None:
        """The station on the data that it has."""
        ends = [part for n in sorted(self._serial) for part in ("--serial", str(self._end(n, "station")))]
        self._processes.start(
            "station", program("saloon-station"), "serve", "--data", str(self._directory / "station"),
            "--http", self.http.removeprefix("http://"), "--tls-host", "127.0.0.1",
            "--tls-port", str(self._tls_port), "--address", f"127.0.0.1:{self._tls_port}", *ends,
        )  # fmt: skip

    def start_terminal(self, number: int, provisioning: str) -> Table:
        """A virtual terminal with a provisioning file from the station's page."""
        file = self._directory / f"table-{number}.toml"
        if number in self._serial:
            # A table on a cable must not find another way.
            provisioning = re.sub(r"(?m)^addresses = .*$", "addresses = []", provisioning)
        file.write_text(provisioning, encoding="utf-8")
        table = Table(
            number, f"http://127.0.0.1:{free_port()}", "serial" if number in self._serial else "tcp"
        )
        self.restart_terminal(table)
        return table

    def restart_terminal(self, table: Table) -> None:
        """A terminal on the journal that it has."""
        wire = ("--serial", str(self._end(table.number, "terminal"))) if table.wire == "serial" else ()
        self._processes.start(
            f"terminal-{table.number}", program("saloon-terminal"),
            "--data", str(self._directory / f"terminal-{table.number}"),
            "--provisioning", str(self._directory / f"table-{table.number}.toml"),
            "--virtual", table.door.rpartition(":")[2], "--pins", "mock", *wire,
        )  # fmt: skip

    def start_players(self, table: Table, *, speed: float, seed: int, pin: str) -> None:
        """Rehearsal players at a table's door."""
        self._processes.start(
            f"players-{table.number}", sys.executable, "-m", "saloon.kiosk.rehearsal",
            "--door", table.door, "--speed", str(speed), "--seed", str(seed), "--pin", pin,
        )  # fmt: skip

    def _end(self, number: int, side: str) -> Path:
        return self._directory / f"line-{number}-{side}"


@contextlib.contextmanager
def running_hall(directory: Path, serial_tables: frozenset[int]) -> Iterator[tuple[Hall, Processes]]:
    """A hall whose programs all end with the block."""
    with Processes(directory / "logs") as processes:
        yield Hall(directory, processes, serial_tables=serial_tables), processes
