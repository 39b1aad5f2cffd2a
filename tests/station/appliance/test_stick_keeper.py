import asyncio
import hashlib
from collections.abc import Awaitable
from pathlib import Path

import pytest

from base.errors import Unavailable
from station.appliance.status import StickState, StickStatus
from station.appliance.stick import FOLDER, Stick, StickBackups
from station.backups.backup import check
from tests.station.conftest import FakeClock, Station

MARK = "1a2b3c4d"
TEN_MIN_MS = 600_000


class Hall:
    """A stick that is put in and pulled out, a station whose content grows."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.clock = FakeClock()
        self.content = b"content"
        self.reports = 0
        stick = Stick(place, Path.is_dir)
        self.keeper = StickBackups(
            stick, self._copy, MARK, self.clock, every_ms=TEN_MIN_MS, on_change=self._report
        )

    def puts_a_stick_in(self) -> None:
        self.place.mkdir()

    def pulls_it_out(self, to: Path) -> None:
        self.place.rename(to)

    def turns(self) -> StickState:
        asyncio.run(self.keeper.turn())
        return self.keeper.look.state

    def numbers(self) -> list[int]:
        return [copy.number for copy in self.keeper.stick.copies()]

    def passes(self, ms: int) -> None:
        self.clock.passed_ms += ms

    async def _copy(self) -> bytes:
        return self.content

    def _report(self) -> None:
        self.reports += 1


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path / "stick")


def test_a_stick_that_is_put_in_gets_a_copy_at_once(hall: Hall) -> None:
    assert hall.turns() is StickState.NONE
    hall.puts_a_stick_in()
    assert hall.turns() is StickState.GOOD
    assert hall.numbers() == [1]
    assert hall.keeper.look.good_ms == hall.clock.wall_ms()


def test_then_every_ten_minutes_and_not_before(hall: Hall) -> None:
    hall.puts_a_stick_in()
    hall.turns()
    hall.content = b"more"
    hall.passes(TEN_MIN_MS - 1)
    hall.turns()
    assert hall.numbers() == [1]
    hall.passes(1)
    hall.turns()
    assert hall.numbers() == [2, 1]


def test_a_copy_that_would_be_the_same_is_good_as_it_is(hall: Hall) -> None:
    hall.puts_a_stick_in()
    hall.turns()
    hall.passes(TEN_MIN_MS)
    hall.turns()
    assert hall.numbers() == [1]
    assert hall.keeper.look.good_ms == hall.clock.wall_ms()


def test_another_stick_gets_the_same_content_too(hall: Hall, tmp_path: Path) -> None:
    hall.puts_a_stick_in()
    hall.turns()
    hall.pulls_it_out(tmp_path / "pulled")
    assert hall.turns() is StickState.NONE
    assert hall.keeper.look.file
    hall.puts_a_stick_in()
    hall.turns()
    assert hall.numbers() == [1]


def test_a_stick_that_was_let_go_is_left_alone_until_it_comes_again(hall: Hall, tmp_path: Path) -> None:
    hall.puts_a_stick_in()
    hall.turns()
    hall.content = b"more"
    assert asyncio.run(hall.keeper.eject()).state is StickState.LET_GO
    assert hall.numbers() == [2, 1]
    hall.content = b"and more"
    hall.passes(TEN_MIN_MS)
    assert hall.turns() is StickState.LET_GO
    asyncio.run(hall.keeper.end())
    assert hall.numbers() == [2, 1]
    hall.pulls_it_out(tmp_path / "pulled")
    hall.turns()
    (tmp_path / "pulled").rename(hall.place)
    assert hall.turns() is StickState.GOOD
    assert hall.numbers() == [3, 2, 1]


def test_the_end_of_the_station_writes_a_last_copy(hall: Hall) -> None:
    asyncio.run(hall.keeper.end())
    hall.puts_a_stick_in()
    hall.turns()
    hall.content = b"last"
    asyncio.run(hall.keeper.end())
    assert hall.numbers() == [2, 1]


def test_a_station_that_cannot_be_copied_is_tried_again_soon(tmp_path: Path) -> None:
    clock, refuses = FakeClock(), [True]

    def _copy() -> Awaitable[bytes]:
        async def _made() -> bytes:
            if refuses[0]:
                raise Unavailable("no room")
            return b"content"

        return _made()

    keeper = StickBackups(Stick(tmp_path, Path.is_dir), _copy, MARK, clock, every_ms=TEN_MIN_MS)
    asyncio.run(keeper.turn())
    assert keeper.look == StickStatus(StickState.FAILED)
    refuses[0] = False
    clock.passed_ms += 30_000
    asyncio.run(keeper.turn())
    assert keeper.look.state is StickState.GOOD


def test_a_running_station_is_on_the_stick_and_its_copy_is_one(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    place = tmp_path / "stick"
    place.mkdir()
    keeper = StickBackups(
        Stick(place, Path.is_dir), station.service.backup, MARK, station.clock, every_ms=TEN_MIN_MS
    )
    station.run(keeper.turn())
    (copy,) = keeper.stick.copies()
    check(keeper.stick.file(copy))
    before = hashlib.sha256(keeper.stick.file(copy).read_bytes()).digest()
    station.clock.passed_ms += TEN_MIN_MS
    station.run(keeper.turn())
    assert len(keeper.stick.copies()) == 1, "nothing happened: no second copy"
    station.publishes()
    station.clock.passed_ms += TEN_MIN_MS
    station.run(keeper.turn())
    assert len(list((place / FOLDER).iterdir())) == 2
    assert hashlib.sha256(keeper.stick.file(copy).read_bytes()).digest() == before
