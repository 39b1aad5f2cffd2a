"""An appliance at work around a real station: what its own screen is told, and its last copy."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from station.accounts.invitations import FirstJudge
from station.accounts.judges import Judges
from station.appliance.appliance import (
    Appliance,
    ApplianceResources,
    BrowserAddresses,
    clock_runs,
    round_look,
    terminals_here,
)
from station.appliance.status import HallSettings, StationStatus, StatusReader
from station.appliance.stick import Stick
from station.store.data_folder import DataFolder
from tests.station.conftest import OPEN, Station

PAGES = BrowserAddresses(("https://10.73.1.1",), "https://saloon.local", "AB:CD")


class Around:
    """The appliance of a scripted station, with what it asked of others."""

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
        status = StatusReader(self.run, lambda: file.stat().st_mtime).read()
        assert status is not None
        return status

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
def test_an_error_of_ours_in_what_the_screen_shows_ends_neither_the_station_nor_its_last_copy(
    hall: Around,
) -> None:
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
    look = round_look(hall.station.service)
    assert look is not None
    assert look.is_game


def test_terminals_and_the_round_are_counted(hall: Around) -> None:
    station = hall.station
    assert round_look(station.service) is None
    station.opens(10)
    look = round_look(station.service)
    assert look is not None
    assert (look.number, look.tables) == (0, 0)
    first = station.terminal(1)
    station.terminal(2)
    station.publishes()

    async def _goes_away() -> None:
        station.switchboard.link_changed(first.id, wire=None)

    station.run(_goes_away())
    assert terminals_here(station.service) == (1, 1)
    look = round_look(station.service)
    assert look is not None
    assert (look.number, look.tables, look.done, look.ends_ms) == (1, 2, 0, None)
    assert not look.is_game
    assert not clock_runs(station.service)
    assert station.service.tournament(OPEN).name == look.tournament
