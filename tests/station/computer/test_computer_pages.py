"""The first account, judges' accounts, and an appliance's pages for its USB drive, clock and power."""

import datetime as dt
import time
from pathlib import Path

import pytest

from station.accounts.invitations import FirstJudge
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.appliance.appliance import (
    Appliance,
    ApplianceResources,
    BrowserAddresses,
    SystemRequest,
    build_time_ms,
    is_clock_sure,
)
from station.appliance.status import HallSettings
from station.appliance.stick import Stick
from station.backups.backup import restore_if_asked
from station.store.data_folder import DataFolder
from station.store.database import Database
from tests.station.browser import PASSWORD, Browser, logged_in_as
from tests.station.conftest import WALL_MS, Station

MARK = "1a2b3c4d"
NOON = dt.datetime(2026, 11, 21, 12, 0, 0)  # noqa: DTZ001 (the hall's)


class Computer:
    """The folders of an appliance: the system's, the station's, and a stick."""

    def __init__(self, station: Station, place: Path) -> None:
        self.station = station
        self.system, self.stick = place / "run", place / "stick"
        self.data = DataFolder(place / "data")
        for folder in (self.system, self.data.path):
            folder.mkdir()
        self.ended = 0

    def made(self, first: FirstJudge) -> Appliance:
        means = ApplianceResources(
            folder=self.system,
            data=self.data,
            stick=Stick(self.stick, Path.is_dir),
            clock=self.station.clock,
            mark=MARK,
            hall=HallSettings(),
            find_addresses=BrowserAddresses,
            end=self._end,
        )
        return Appliance(self.station.service, first, means)

    def request(self, what: SystemRequest) -> str | None:
        file = self.system / what.value
        return file.read_text().strip() if file.exists() else None

    def _end(self) -> None:
        self.ended += 1


@pytest.fixture
def computer(station: Station, tmp_path: Path) -> Computer:
    return Computer(station, tmp_path)


@pytest.fixture
def judge(station: Station, computer: Computer) -> Browser:
    browser = Browser(station, appliance=computer.made)
    browser.log_in()
    return browser


@pytest.fixture
def newcomer(station: Station, computer: Computer) -> Browser:
    return Browser(station, has_judges=False, appliance=computer.made)


def test_whoever_reads_the_code_makes_the_first_account_and_is_in(newcomer: Browser) -> None:
    assert 'href="/first"' in newcomer.get("/")
    assert "Create the first account" in newcomer.get("/login")
    newcomer.get("/first")
    page = newcomer.post("/first", code=newcomer.first.code(), name="Ada", password=PASSWORD)
    assert "New tournament" in page
    assert 'href="/first"' not in newcomer.get("/")
    assert newcomer.first.code() == ""
    assert newcomer.status("/first").headers["location"] == "/login"


def test_the_first_page_shows_other_devices_the_way_or_why_not(newcomer: Browser, station: Station) -> None:
    assert "Only this computer can open the pages" in newcomer.get("/first")
    station.context.find_pages = lambda: "https://192.0.2.9:8443"
    page = newcomer.get("/first?code=ABCDE")
    assert "https://192.0.2.9:8443" in page
    assert 'alt="QR code for the link"' in page
    assert 'value="/first?code=ABCDE"' in page


def test_a_wrong_code_makes_nothing(newcomer: Browser, station: Station) -> None:
    newcomer.get("/first")
    assert "That code is wrong" in newcomer.post("/first", code="00000-00000", name="Ada", password=PASSWORD)
    assert Judges(station.database, station.clock.wall_ms).all() == ()


def test_a_missing_stick_is_named(judge: Browser) -> None:
    assert "no usb drive" in judge.get("/judge/station").lower()


def test_on_a_computer_of_the_organisers_own_there_is_no_switch(station: Station) -> None:
    browser = Browser(station)
    browser.log_in()
    assert 'href="/judge/station"' not in browser.get("/judge")
    assert browser.status("/judge/station").status_code == 404
    assert "your own computer" in browser.post("/judge/station/power", 404)


def test_a_copy_is_written_by_hand_and_the_stick_let_go(judge: Browser, computer: Computer) -> None:
    judge.get("/judge/station")
    assert "Nothing was written" in judge.post("/judge/station/copy")
    computer.stick.mkdir()
    assert "and matches the original" in judge.post("/judge/station/copy")
    assert "1 copy on the drive" in judge.get("/judge/station")
    assert "You can remove it now" in judge.post("/judge/station/let-go")


def test_the_page_knows_the_station_s_time_zone_and_says_where_it_is_set(
    judge: Browser, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        page = judge.get("/judge/station")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert 'data-zone="+0530"' in page
    assert "time_zone in saloon-station.toml" in page


def test_the_browser_s_time_is_asked_of_the_system(judge: Browser, computer: Computer) -> None:
    judge.get("/judge/station")
    assert "can't be right" in judge.send("/judge/station/clock", {"browser-ms": "17"})
    assert "can't be right" in judge.send("/judge/station/clock", {"browser-ms": "9" * 400})
    assert computer.request(SystemRequest.CLOCK) is None
    now = max(WALL_MS, build_time_ms()) + 5_000
    assert "The clock is set" in judge.send("/judge/station/clock", {"browser-ms": str(now)})
    assert computer.request(SystemRequest.CLOCK) == str(now)


def test_a_time_is_sure_when_somebody_who_knows_has_set_it(tmp_path: Path) -> None:
    sign = tmp_path / "was-set"
    assert not is_clock_sure(WALL_MS, 0, (tmp_path / "synchronized", sign))
    sign.touch()
    assert is_clock_sure(WALL_MS, 0, (tmp_path / "synchronized", sign))
    assert not is_clock_sure(WALL_MS, WALL_MS + 1, (sign,))


def test_it_is_switched_off_only_after_a_second_question(judge: Browser, computer: Computer) -> None:
    assert "Shut the station down?" in judge.get("/judge/station/power")
    assert computer.request(SystemRequest.POWER_OFF) is None
    assert "The station is shutting down" in judge.post("/judge/station/power")
    assert computer.request(SystemRequest.POWER_OFF) is not None
    assert computer.request(SystemRequest.RESTART) is None
    judge.get("/judge/station/power?restart=yes")
    judge.post("/judge/station/power", restart="yes")
    assert computer.request(SystemRequest.RESTART) is not None


def test_strangers_are_refused_and_nothing_is_switched_off(newcomer: Browser, computer: Computer) -> None:
    newcomer.get("/login")
    newcomer.post("/judge/station/power", 401)
    assert computer.request(SystemRequest.POWER_OFF) is None


def test_a_new_station_goes_on_from_a_copy_of_another_ones_stick(
    newcomer: Browser, station: Station, computer: Computer, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Station(tmp_path / "other")
    other.opens(10)
    Judges(other.database, other.clock.wall_ms).add("Zoe", PASSWORD)
    content = other.run(other.service.backup())
    other.close()
    computer.stick.mkdir()
    copy = Stick(computer.stick, Path.is_dir).write(content, "ffffffff", NOON)
    assert copy.name in newcomer.get("/first")
    code = newcomer.first.code()
    assert "isn't on the USB drive" in newcomer.post("/first/restore", code=code, copy="../../etc/passwd")
    assert "That code is wrong" in newcomer.post("/first/restore", code="x", copy=copy.name)
    assert "The station is restarting" in newcomer.post("/first/restore", code=code, copy=copy.name)
    assert restore_if_asked(computer.data)
    assert not restore_if_asked(computer.data)
    database = Database(computer.data.url)
    assert [account.name for account in Judges(database, lambda: 0).all()] == ["Zoe"]
    database.close()


def test_a_damaged_copy_is_refused_before_anything_is_replaced(newcomer: Browser, computer: Computer) -> None:
    computer.stick.mkdir()
    copy = Stick(computer.stick, Path.is_dir).write(b"no database", "ffffffff", NOON)
    newcomer.get("/first")
    page = newcomer.post("/first/restore", code=newcomer.first.code(), copy=copy.name)
    assert "can't be read" in page
    assert not restore_if_asked(computer.data)
    assert list(computer.data.path.iterdir()) == []


def test_an_organiser_gets_no_readable_copy(station: Station, computer: Computer, judge: Browser) -> None:
    computer.stick.mkdir()
    judge.get("/judge/station")
    assert "Copy now" in judge.post("/judge/station/copy")
    organiser = logged_in_as(station, AccountRole.ORGANISER, appliance=computer.made)
    assert "Copy now" not in organiser.get("/judge/station")
    for path in ("/judge/station/copy", "/judge/station/let-go"):
        organiser.post(path, 403)
