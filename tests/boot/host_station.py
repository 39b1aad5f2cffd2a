"""A real station on the host, with a cable to the guest, a judge at its pages, and players."""

import contextlib
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from core.game.events import GameStep
from core.game.play.reshuffles import DeckReshuffled
from core.terms import TableNo
from demo.hall import running_hall
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import ProgramDied, poll_until_timeout, program
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.protocol.entry import StreamId, content_of
from sync.tls.certificates import own_identity
from tests.boot.board import Arch

TABLE: Final = 1
NAMES: Final = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana")
"""For two tables, the fewest that are drawn; the second has no terminal."""
CABLE: Final = {Arch.ARM64: "/dev/ttyS0", Arch.AMD64: "/dev/ttyS1"}
"""The guest's name of the port that the cable is in; a PC has another before it."""
_START_S: Final = 60.0
_steps = msgspec.msgpack.Decoder(GameStep)


class StationRecord:
    """A station's records of the one terminal that it has enrolled. folder: its data."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "station.sqlite"

    def raws(self, prefix: str) -> tuple[bytes, ...]:
        """The entries of the stream that starts so, ordered by number; of nothing else."""
        return tuple(bytes(raw) for (raw,) in self._rows("raw", prefix))

    def numbers(self, prefix: str) -> tuple[tuple[StreamId, int], ...]:
        return tuple((StreamId(stream), int(seq)) for stream, seq in self._rows("stream, seq", prefix))

    def _rows(self, columns: str, prefix: str) -> list[tuple[Any, ...]]:
        query = f"SELECT {columns} FROM entries WHERE stream LIKE ? ORDER BY stream, seq"
        with contextlib.closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as connection:
            return connection.execute(query, (prefix + "%",)).fetchall()


class HostStation:
    """The station and its judge. cable: the guest's end, a device as fast as a real cable of 115200 baud."""

    def __init__(self, judge: JudgeAtWork, pages: Pages, folder: Path) -> None:
        self.judge = judge
        self._pages = pages
        self._folder = folder
        self.cable = folder / f"line-{TABLE}-terminal"
        self.record = StationRecord(folder / "station")

    def provisioning(self) -> str:
        """A file for the table, as the station's page gives it."""
        return self.judge.provisioning(TABLE)

    def bring_out(self, bundle: Path) -> None:
        done = subprocess.run(
            [program("saloon-station"), "update", "--data", str(self._folder / "station"), str(bundle)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ProgramDied(f"saloon-station update: {done.stdout}{done.stderr}")
        for _ in poll_until_timeout(_START_S, 1.0):
            page = self._pages.get("/judge/updates")
            if page.has_form("/go") and page.form("/go").fields.get("step") == "one-first":
                self._pages.send(page.form("/go"))
                return

    def begin(self) -> None:
        self.judge.begin_round("boot")

    def knows_the_terminal(self) -> bool:
        return bool(self.record.raws("orders/"))

    def reshuffles(self) -> int:
        steps = (_steps.decode(content_of(raw).body) for raw in self.record.raws("table/"))
        return sum(isinstance(event, DeckReshuffled) for step in steps for event in step.events)

    def accepted(self) -> bool:
        return self.judge.sheets().get(TABLE) == "accepted"


@contextlib.contextmanager
def host_station(folder: Path) -> Iterator[HostStation]:
    """A station that serves as long as the block runs."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_hall(folder, frozenset({TABLE})) as (hall, _):
        hall.start_lines()
        hall.start_station()
        judge = hall.enter_station()
        judge.open_tournament("Boot", "championship-2022", "2026-11-21")
        judge.register("players.csv", ("name\n" + "\n".join(NAMES)).encode())
        yield HostStation(judge, judge.pages, folder)


def by_network(provisioning: str) -> str:
    """A station's file for a guest, which sees the host's loopback at another address."""
    return provisioning.replace("127.0.0.1:", "10.0.2.2:")


def by_cable_only(provisioning: str, device: str) -> str:
    """A station's file for a terminal on a cable: no address, so that it finds no other way.

    device: the name of the serial port in the guest.
    """
    without = re.sub(r"(?m)^addresses = .*$", "addresses = []", provisioning)
    return re.sub(r"(?m)^\[terminal\]$", f'[terminal]\nserial = "{device}"', without)


def with_key(provisioning: str, public_key: str) -> str:
    return f'{provisioning}\n[service]\nssh_key = "{public_key}"\n'


def of_nobody(folder: Path) -> str:
    """A right file of a station that is nowhere. folder: for the keys that are made for it."""
    certificate = own_identity(folder, "nobody's station")[1].read_text(encoding="ascii")
    return provisioning_text(StationPart(certificate, ("192.0.2.1:7373",)), TableNo(TABLE), "once")
