"""Copies on a stick: when they are written and which are kept, with real kills during writing."""

import asyncio
import datetime as dt
import hashlib
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Unavailable
from station.appliance.status import StickState, StickStatus
from station.appliance.stick import (
    FOLDER,
    Copy,
    Stick,
    StickBackups,
    StickFailure,
    copies_of,
    deletable_copies,
    mark_of,
    next_copy,
    stale_copies,
)
from station.backups.backup import check
from tests.station.conftest import FakeClock, Station

MARK = "1a2b3c4d"
NOON = dt.datetime(2026, 11, 21, 12, 0, 0)  # noqa: DTZ001 (the hall's)
BIG = 40 * 1024 * 1024
TEN_MIN_MS = 600_000


def stick_at(folder: Path) -> Stick:
    return Stick(folder, Path.is_dir)


def test_a_copy_is_whole_and_named_by_number_and_time(tmp_path: Path) -> None:
    stick = stick_at(tmp_path)
    copy = stick.write(b"first", MARK, NOON)
    assert stick.file(copy).read_bytes() == b"first"
    assert stick.write(b"second", MARK, NOON).number == 2
    assert [copy.number for copy in stick.copies()] == [2, 1]
    assert {path.name for path in (tmp_path / FOLDER).iterdir()} == {copy.name for copy in stick.copies()}


def test_an_empty_folder_on_the_card_is_no_stick(tmp_path: Path) -> None:
    stick = Stick(tmp_path)
    assert not stick.is_in()
    with pytest.raises(StickFailure, match="there is no stick"):
        stick.write(b"copy", MARK, NOON)
    assert list(tmp_path.iterdir()) == []


def test_a_stick_that_is_full_of_other_things_keeps_its_copies(tmp_path: Path) -> None:
    stick_at(tmp_path).write(b"first", MARK, NOON)
    with pytest.raises(StickFailure, match="1,000 are free") as caught:
        Stick(tmp_path, Path.is_dir, lambda _: 1_000).write(b"second", MARK, NOON)
    assert caught.value.state is StickState.FULL
    assert [copy.number for copy in stick_at(tmp_path).copies()] == [1]


def test_old_copies_make_room_and_the_newest_three_stay(tmp_path: Path) -> None:
    stick = stick_at(tmp_path)
    for _ in range(6):
        stick.write(b"x" * 100, MARK, NOON)

    def _room(_: Path) -> int:
        gone = 6 - len(list((tmp_path / FOLDER).glob("*.backup")))
        return 4 * 1024 * 1024 + 50 * gone

    Stick(tmp_path, Path.is_dir, _room).write(b"y" * 100, MARK, NOON)
    assert [copy.number for copy in stick.copies()] == [7, 6, 5, 4, 3]


def test_what_was_left_unfinished_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "unfinished.tmp").write_bytes(b"half")
    stick_at(tmp_path).write(b"whole", MARK, NOON)
    assert [path.suffix for path in (tmp_path / FOLDER).iterdir()] == [".backup"]


def test_a_stick_that_cannot_be_written_is_told_apart() -> None:
    kernel_s_own = Path("/sys/kernel")
    with pytest.raises(StickFailure, match="cannot be written"):
        stick_at(kernel_s_own).write(b"copy", MARK, NOON)


def test_a_file_in_place_of_the_folder_is_an_error_of_the_stick(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_bytes(b"")
    with pytest.raises(Unavailable):
        stick_at(tmp_path).write(b"copy", MARK, NOON)


def test_a_mark_is_the_beginning_of_the_fingerprint() -> None:
    assert mark_of("ABCDEF0123456789") == "abcdef01"


WRITER = """
import datetime as dt, sys
from pathlib import Path
from station.appliance.stick import Stick
stick = Stick(Path(sys.argv[1]), Path.is_dir)
print("go", flush=True)
for number in range(1, 1000):
    content = bytes([number % 251]) * int(sys.argv[2])
    stick.write(content, "1a2b3c4d", dt.datetime(2026, 11, 21))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_whenever_it_is_cut_every_copy_that_is_there_is_whole(tmp_path: Path) -> None:
    """The kills hit all steps of writing; each copy reported as written is there."""
    for cut in range(6):
        folder = tmp_path / str(cut)
        folder.mkdir()
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), str(BIG // 8)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline().strip() for _ in range(1 + cut // 2)]
            if cut % 2:
                while not (folder / FOLDER / "unfinished.tmp").exists():
                    assert writer.poll() is None
            writer.kill()
        stick = stick_at(folder)
        copies = stick.copies() if (folder / FOLDER).exists() else ()
        for copy in copies:
            content = stick.file(copy).read_bytes()
            assert content == bytes([copy.number % 251]) * (BIG // 8)
        assert len(copies) >= len(said) - 1
        stick.write(b"the next one", MARK, NOON)
        assert not (folder / FOLDER / "unfinished.tmp").exists()


def copies(*numbers: int, mark: str = MARK) -> tuple[Copy, ...]:
    return tuple(Copy(mark, number, NOON) for number in numbers)


def test_a_name_says_of_which_station_which_number_and_when() -> None:
    (copy,) = copies(42)
    assert copy.name == "saloon-1a2b3c4d-000042-20261121-120000.backup"
    assert copies_of([copy.name, "holiday.jpg", "saloon-x.backup", f"{copy.name}.tmp"]) == (copy,)


def test_a_name_with_an_impossible_time_is_no_copy() -> None:
    assert copies_of(["saloon-1a2b3c4d-000042-20261321-120000.backup"]) == ()


def test_the_next_one_counts_on_whatever_the_clock_says() -> None:
    earlier = NOON - dt.timedelta(days=900)
    assert next_copy((*copies(7), *copies(9, mark="ffffffff")), MARK, earlier) == Copy(MARK, 8, earlier)
    assert next_copy((), MARK, NOON).number == 1


def test_of_a_day_stay_the_newest_and_one_of_six() -> None:
    gone = {copy.number for copy in stale_copies(copies(*range(1, 145)), MARK)}
    stay = [number for number in range(1, 145) if number not in gone]
    assert stay == [*range(6, 133, 6), *range(133, 145)]


def test_copies_of_another_station_stay() -> None:
    others = copies(*range(1, 500), mark="ffffffff")
    assert stale_copies(others, MARK) == ()
    assert deletable_copies(others, MARK, 0) == ()


@given(st.integers(0, 4000))
def test_written_one_by_one_there_are_never_many_and_always_the_newest(count: int) -> None:
    kept: tuple[Copy, ...] = ()
    for _ in range(count % 400):
        copy = next_copy(kept, MARK, NOON)
        kept = (*kept, copy)
        gone = stale_copies(kept, MARK)
        kept = tuple(copy for copy in kept if copy not in gone)
    assert len(kept) <= 12 + 22 + 30 + 1
    newest = [copy.number for copy in kept][-12:]
    assert newest == list(range(max(1, count % 400 - 11), count % 400 + 1))


def test_the_oldest_makes_room_first_and_the_newest_never() -> None:
    assert [copy.number for copy in deletable_copies(copies(3, 1, 2, 5, 4), MARK, 3)] == [1, 2]


class Hall:
    """A station whose content grows, and a stick that is inserted and removed."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.clock = FakeClock()
        self.content = b"content"
        self.reports = 0
        stick = Stick(place, Path.is_dir)
        self.keeper = StickBackups(
            stick, self._copy, MARK, self.clock, every_ms=TEN_MIN_MS, on_change=self._report
        )

    def puts_a_stick_in(self) -> StickState:
        self.place.mkdir()
        return self.turns()

    def pulls_it_out(self, to: Path) -> None:
        self.place.rename(to)

    def turns(self) -> StickState:
        asyncio.run(self.keeper.turn())
        return self.keeper.status.state

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
    assert hall.puts_a_stick_in() is StickState.GOOD
    assert hall.numbers() == [1]
    assert hall.keeper.status.good_ms == hall.clock.wall_ms()


def test_then_every_ten_minutes_and_not_before(hall: Hall) -> None:
    hall.puts_a_stick_in()
    hall.content = b"more"
    hall.passes(TEN_MIN_MS - 1)
    hall.turns()
    assert hall.numbers() == [1]
    hall.passes(1)
    hall.turns()
    assert hall.numbers() == [2, 1]


def test_a_copy_that_would_be_the_same_is_good_as_it_is(hall: Hall) -> None:
    hall.puts_a_stick_in()
    hall.passes(TEN_MIN_MS)
    hall.turns()
    assert hall.numbers() == [1]
    assert hall.keeper.status.good_ms == hall.clock.wall_ms()


def test_another_stick_gets_the_same_content_too(hall: Hall, tmp_path: Path) -> None:
    hall.puts_a_stick_in()
    hall.pulls_it_out(tmp_path / "pulled")
    assert hall.turns() is StickState.NONE
    assert hall.keeper.status.file
    hall.puts_a_stick_in()
    assert hall.numbers() == [1]


def test_a_stick_that_was_let_go_is_left_alone_until_it_comes_again(hall: Hall, tmp_path: Path) -> None:
    hall.puts_a_stick_in()
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
    assert keeper.status == StickStatus(StickState.FAILED)
    refuses[0] = False
    clock.passed_ms += 30_000
    asyncio.run(keeper.turn())
    assert keeper.status.state is StickState.GOOD


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
