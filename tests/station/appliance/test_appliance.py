"""An appliance at work: its screen's file, its last copy, and the program as the image starts it."""

import asyncio
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData
from demo.processes import free_port
from station.accounts.invitations import FirstJudge
from station.accounts.judges import Judges
from station.appliance.appliance import (
    Appliance,
    ApplianceResources,
    BrowserAddresses,
    clock_runs,
    round_status,
    terminals_here,
)
from station.appliance.status import (
    HALL_FILE,
    SILENT_AFTER_S,
    STATUS_FILE,
    HallSettings,
    StationStatus,
    StationStatusWriter,
    StatusReader,
    read_hall,
)
from station.appliance.stick import Stick
from station.store.data_folder import DataFolder
from tests.station.conftest import OPEN, Station, present

PAGES = BrowserAddresses(("https://10.73.1.1",), "https://saloon.local", "AB:CD")


class Around:
    """The appliance of a scripted station, recording its requests."""

    def __init__(self, station: Station, place: Path) -> None:
        self.station = station
        self.run, self.stick = place / "run", place / "stick"
        self.run.mkdir()
        data = DataFolder(place)
        self.lived = 0
        self.addresses: Callable[[], BrowserAddresses] = lambda: PAGES
        means = ApplianceResources(
            folder=self.run,
            data=data,
            stick=Stick(self.stick, Path.is_dir),
            clock=station.clock,
            mark="1a2b3c4d",
            hall=HallSettings(),
            find_addresses=self._addresses,
            alive=self._alive,
        )
        self.first = FirstJudge(Judges(station.database, station.clock.wall_ms))
        self.appliance = Appliance(station.service, self.first, means)

    def status(self) -> StationStatus:
        file = self.run / "status.json"
        return present(StatusReader(self.run, lambda: file.stat().st_mtime).read())

    async def works(self) -> None:
        (self.run / "status.json").unlink(missing_ok=True)
        async with self.appliance.running():
            for _ in range(500):
                if (self.run / "status.json").exists() and (
                    not self.stick.exists() or any(self.stick.rglob("*.backup"))
                ):
                    break
                await asyncio.sleep(0.01)
            assert not self.status().is_ending

    def _addresses(self) -> BrowserAddresses:
        return self.addresses()

    def _alive(self) -> None:
        self.lived += 1


@pytest.fixture
def hall(station: Station, tmp_path: Path) -> Around:
    return Around(station, tmp_path)


def test_the_own_screen_hears_where_the_pages_are_and_the_code_of_the_first_account(hall: Around) -> None:
    hall.station.run(hall.works())
    said = hall.status()
    assert (said.pages, said.local, said.fingerprint) == (PAGES.pages, PAGES.local, PAGES.fingerprint)
    assert said.first_code == hall.first.code()
    assert said.room_of > 0
    assert hall.lived


def test_at_its_end_a_last_copy_is_on_the_stick_and_the_screen_says_that_it_ends(hall: Around) -> None:
    hall.stick.mkdir()
    hall.station.run(hall.works())
    assert hall.status().is_ending
    assert hall.status().stick.file.endswith(".backup")
    hall.station.opens(10)
    hall.station.run(hall.works())
    assert len(list(hall.stick.rglob("*.backup"))) == 2, "what happened since the last one"


@pytest.mark.slow
def test_an_error_in_what_the_screen_shows_ends_neither_the_station_nor_its_last_copy(hall: Around) -> None:
    hall.stick.mkdir()

    def broken() -> BrowserAddresses:
        raise RuntimeError("of ours")

    async def _works() -> None:
        async with hall.appliance.running():
            for _ in range(500):
                if hall.lived > 1:
                    break
                await asyncio.sleep(0.01)

    hall.addresses = broken
    hall.station.run(_works())
    assert hall.lived > 1, "the watchdog still hears"
    assert any(hall.stick.rglob("*.backup"))


def test_one_group_plays_games(hall: Around) -> None:
    hall.station.opens(5, rules="official-2003")
    look = present(round_status(hall.station.service))
    assert look.is_game


def test_terminals_and_the_round_are_counted(hall: Around) -> None:
    station = hall.station
    assert round_status(station.service) is None
    station.opens(10)
    look = present(round_status(station.service))
    assert (look.number, look.tables) == (0, 0)
    first = station.terminal(1)
    station.terminal(2)
    station.publishes()
    station.disconnects(first.id)
    assert terminals_here(station.service) == (1, 1)
    look = present(round_status(station.service))
    assert (look.number, look.tables, look.done, look.ends_ms) == (1, 2, 0, None)
    assert not look.is_game
    assert not clock_runs(station.service)
    assert station.service.tournament(OPEN).name == look.tournament


def test_what_changed_is_written_and_what_did_not_only_touched(tmp_path: Path) -> None:
    now = [0.0]
    writer, reader = StationStatusWriter(tmp_path), StatusReader(tmp_path, lambda: now[0])
    assert writer.write(StationStatus(here=1))
    inode = (tmp_path / STATUS_FILE).stat().st_ino
    os.utime(tmp_path / STATUS_FILE, (0, 0))
    assert reader.read() == StationStatus(here=1)
    assert not writer.write(StationStatus(here=1))
    assert (tmp_path / STATUS_FILE).stat().st_ino == inode
    assert (tmp_path / STATUS_FILE).stat().st_mtime > 0
    assert writer.write(StationStatus(here=2))
    os.utime(tmp_path / STATUS_FILE, (0, 0))
    assert reader.read() == StationStatus(here=2)


def test_a_file_that_nobody_touches_is_of_a_station_that_is_silent(tmp_path: Path) -> None:
    StationStatusWriter(tmp_path).write(StationStatus())
    touched = (tmp_path / STATUS_FILE).stat().st_mtime
    assert StatusReader(tmp_path, lambda: touched + SILENT_AFTER_S + 1).read() is None
    assert StatusReader(tmp_path, lambda: touched).read() == StationStatus()
    assert StatusReader(tmp_path / "nowhere", lambda: 0.0).read() is None


def test_the_file_is_not_for_everybody(tmp_path: Path) -> None:
    StationStatusWriter(tmp_path).write(StationStatus(first_code="7HXJN-MX2XZ"))
    assert (tmp_path / STATUS_FILE).stat().st_mode & 0o007 == 0


def test_a_file_of_something_else_is_bad_data(tmp_path: Path) -> None:
    (tmp_path / STATUS_FILE).write_text("junk")
    now = (tmp_path / STATUS_FILE).stat().st_mtime
    with pytest.raises(BadData):
        StatusReader(tmp_path, lambda: now).read()
    (tmp_path / HALL_FILE).write_text("junk")
    with pytest.raises(BadData):
        read_hall(tmp_path)


def test_where_the_system_left_nothing_the_hall_is_a_plain_one(tmp_path: Path) -> None:
    assert read_hall(tmp_path) == HallSettings()
    (tmp_path / HALL_FILE).write_bytes(msgspec.json.encode(HallSettings(name="Sala Rossa")))
    assert read_hall(tmp_path).name == "Sala Rossa"


PATIENCE_S = 60


def status_in(folder: Path) -> StationStatus:
    end = time.monotonic() + PATIENCE_S
    while not (folder / STATUS_FILE).exists():
        assert time.monotonic() < end, "the screen's status cannot be written"
        time.sleep(0.05)
    return msgspec.json.decode((folder / STATUS_FILE).read_bytes(), type=StationStatus)


@pytest.mark.faults
def test_it_says_when_it_is_ready_serves_its_code_and_ends_in_order(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    http, plain = free_port(), free_port()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(PATIENCE_S)
        words = [
            "serve",
            "--data",
            str(tmp_path / "data"),
            "--https",
            "--no-announce",
            "--appliance",
            str(run),
        ]
        words += ["--http", f"127.0.0.1:{http}", "--redirect", f"127.0.0.1:{plain}"]
        words += ["--tls-host", "127.0.0.1", "--tls-port", "0", "--stick", str(tmp_path / "stick")]
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000", "PATH": "/bin"}
        program = Path(sys.executable).parent / "saloon-station"
        with subprocess.Popen(
            [program, *words], env=environment, stdout=subprocess.PIPE, text=True
        ) as station:
            assert supervisor.recv(1_000).startswith(b"READY=1")
            status = status_in(run)
            assert len(status.first_code) == 11
            trusting = ssl.create_default_context()
            trusting.check_hostname = False
            trusting.verify_mode = ssl.CERT_NONE
            page = f"http://127.0.0.1:{plain}/first?code={status.first_code}"
            with urllib.request.urlopen(page, timeout=PATIENCE_S, context=trusting) as answer:
                assert answer.url == f"https://127.0.0.1:{http}/first?code={status.first_code}"
                assert status.first_code in answer.read().decode()
            station.send_signal(signal.SIGTERM)
            output, _ = station.communicate(timeout=PATIENCE_S)
            assert station.returncode == 0
    assert status.first_code in output
    assert status_in(run).is_ending
