"""The terminals of a rehearsal hall, with their connections and power supplies."""

import contextlib
import random
import re
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from base.errors import BadData, Unavailable
from demo.hall import line_end, start_line
from demo.processes import Processes
from demo.rehearsal.cables import Cables
from kiosk.rehearsal.unit_orders import KillUnit, StartUnit, UnitEnded, UnitOrder
from sync.tls.certificates import fingerprint_of_pem

PROGRAM: Final = "units"
_PORTS: Final = range(20_000, 32_000)
_BATTERY: Final = """
# Runs empty in a rehearsal.
[battery]
kind = "pins"
power_lost = 26
low = 16
"""
_ASKED_FOR: Final = frozenset({0, -int(signal.SIGKILL)})
"""Exit statuses of a terminal that was shut down or lost its power."""
_NOISE: Final = "0.0004"
"""The probability of a wrong bit on a disturbed serial line."""


@dataclass(frozen=True)
class Unit:
    """A terminal and its connection.

    number: its table's; spares have the numbers after the last table.
    door: URL of its virtual terminal.
    serial: it uses a serial line instead of TLS.
    """

    number: int
    name: str
    door: str
    serial: bool


class UnitsAtWork:
    """The running terminals of a hall.

    directory: contains a folder for each terminal.
    seed: the seed of the noise on serial lines.
    """

    def __init__(self, directory: Path, processes: Processes, cables: Cables, seed: int) -> None:
        self._directory = directory
        self._processes = processes
        self._cables = cables
        self._seed = seed
        self._on: set[str] = set()
        self._dead: set[str] = set()
        self._units: dict[str, Unit] = {}

    def __iter__(self) -> Iterator[Unit]:
        return iter(self._units.values())

    def start_program(self) -> None:
        """Start the parent process of all terminals."""
        self._processes.start_to_be_told(PROGRAM, sys.executable, "-P", "-m", "kiosk.rehearsal.units")

    def lay_line(self, number: int) -> None:
        """Start a serial line at the speed of a real one for a table."""
        start_line(self._processes, self._directory, number)

    def add(self, number: int, name: str, port: int, provisioning: str, *, serial: bool) -> Unit:
        """Add a terminal and switch it on. ``provisioning`` is a file downloaded from the station."""
        address = "" if serial else f'"127.0.0.1:{self._cables.lay(number)}"'
        text = re.sub(r"(?m)^addresses = .*$", f"addresses = [{address}]", provisioning)
        self.folder(name).mkdir(parents=True)
        self._provisioning(name).write_text(text, encoding="utf-8")
        unit = Unit(number, name, f"http://127.0.0.1:{port}", serial)
        self._units[name] = unit
        self.switch_on(unit)
        return unit

    def is_on(self, unit: Unit) -> bool:
        """Return whether the terminal has power and is not broken."""
        return unit.name in self._on

    def is_dead(self, unit: Unit) -> bool:
        """Return whether the terminal is broken for good."""
        return unit.name in self._dead

    def switch_on(self, unit: Unit) -> None:
        """Start a terminal with its existing journal, unless it is broken."""
        if unit.name in self._on or unit.name in self._dead:
            return
        wire = ("--serial", str(line_end(self._directory, unit.number, "terminal"))) if unit.serial else ()
        arguments = (
            "--data", str(self.folder(unit.name)), "--provisioning", str(self._provisioning(unit.name)),
            "--panel", str(self._panel()), "--pins", "mock", "--rehearsal",
            "--virtual", unit.door.rpartition(":")[2], *wire,
        )  # fmt: skip
        log = self._directory / "logs" / f"{unit.name}.log"
        self._tell(StartUnit(unit.name, arguments, str(log)))
        self._on.add(unit.name)

    def cut_power(self, unit: Unit) -> None:
        """Kill a terminal immediately, as a power cut would."""
        self._tell(KillUnit(unit.name))
        self._on.discard(unit.name)

    def destroy(self, unit: Unit) -> None:
        """Kill a terminal and mark it as broken for good."""
        self.cut_power(unit)
        self._dead.add(unit.name)

    def cut_cable(self, unit: Unit) -> None:
        """Unplug a terminal's cable."""
        if unit.serial:
            self._processes.signal(_line(unit.number), signal.SIGUSR1)
        else:
            self._cables.cut(unit.number)

    def mend_cable(self, unit: Unit) -> None:
        """Plug a working cable into a terminal."""
        if unit.serial:
            self._processes.end(_line(unit.number))
            start_line(self._processes, self._directory, unit.number)
        else:
            self._cables.mend(unit.number)

    def disturb_cable(self, unit: Unit) -> None:
        """Disturb a terminal's cable."""
        if unit.serial:
            self._processes.end(_line(unit.number))
            start_line(
                self._processes, self._directory, unit.number, "--flips", _NOISE, "--seed", str(self._seed)
            )
        else:
            self._cables.disturb(unit.number)

    def terminal(self, unit: Unit) -> str:
        """Return the terminal's id at the station, or an empty string before it has a key."""
        file = self.folder(unit.name) / "certificate.pem"
        try:
            return str(fingerprint_of_pem(file.read_text(encoding="ascii"), str(file)))
        except (OSError, BadData, Unavailable):
            return ""

    def failed_units(self) -> tuple[str, ...]:
        """Return a message for each terminal that ended unexpectedly, with its exit status."""
        log = self._directory / "logs" / f"{PROGRAM}.log"
        failures = []
        for line in log.read_bytes().splitlines() if log.exists() else ():
            with contextlib.suppress(msgspec.DecodeError):
                ended = msgspec.json.decode(line, type=UnitEnded)
                if ended.status not in _ASKED_FOR:
                    failures.append(f"{ended.name} ended by itself, status {ended.status}")
        return tuple(failures)

    def last_words(self, unit: Unit) -> str:
        """Return the last lines of a terminal's log."""
        return self._processes.last_words(unit.name, 3)

    def folder(self, name: str) -> Path:
        """Return the folder with a terminal's data."""
        return self._directory / name

    def _panel(self) -> Path:
        """Return the configuration file of a virtual panel with a battery, creating it if needed."""
        file = self._directory / "panel.toml"
        if not file.exists():
            virtual = resources.files("hardware") / "panels" / "virtual.toml"
            file.write_text(virtual.read_text(encoding="utf-8") + _BATTERY, encoding="utf-8")
        return file

    def _provisioning(self, name: str) -> Path:
        return self._directory / f"{name}.toml"

    def _tell(self, order: UnitOrder) -> None:
        self._processes.tell(PROGRAM, msgspec.json.encode(order) + b"\n")


def free_ports(count: int, chance: random.Random) -> tuple[int, ...]:
    """Return several unused TCP ports of the loopback interface.

    They are outside the range of ephemeral ports, as hundreds of connections use those here. Raises
    Unavailable if there aren't enough.
    """
    ports: list[int] = []
    for port in chance.sample(_PORTS, len(_PORTS)):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            ports.append(port)
        if len(ports) == count:
            return tuple(ports)
    raise Unavailable(f"there are no {count} free ports on this computer")


def _line(number: int) -> str:
    return f"line-{number}"
