"""A hall of two tables and ten players, used by tests with real processes."""

from pathlib import Path

from demo.hall import Hall, Table
from demo.pages import PageTrouble
from demo.processes import Processes

START_S = 30.0
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana")


class SmallHall:
    """Ten players at two tables, of which table 2 is connected by a serial line."""

    def __init__(self, hall: Hall, processes: Processes, directory: Path) -> None:
        self.hall = hall
        self.processes = processes
        self.directory = directory
        self.judge = hall.judge
        self.tables: tuple[Table, ...] = ()

    def open(self) -> None:
        """Create lines, station, terminals, and a tournament with its players."""
        self.hall.start_lines()
        self.hall.start_station()
        self.hall.enter_station()
        self.tables = tuple(self.hall.start_terminal(n, self.judge.provisioning(n)) for n in (1, 2))
        self.judge.open_tournament("Small", "championship-2022", "2026-11-20")
        if self.judge.register("players.csv", ("name\n" + "\n".join(NAMES)).encode()) != len(NAMES):
            raise PageTrouble("not all players were registered")

    def terminal_data(self, number: int) -> Path:
        return self.directory / f"terminal-{number}"
