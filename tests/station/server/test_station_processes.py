"""Two station programs on one PostgreSQL that is stopped and started, real terminals, judges at both."""

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from core.editions.loader import edition
from core.game.decide import decide
from core.game.events import GameStep
from core.game.orders import AssignTable, SeatGame
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import free_port
from tests.postgresql import PostgreSql, running_postgresql
from tests.station.hall_of_stations import PASSWORD, StationProgram, Table, stations, waited

pytestmark = pytest.mark.faults

OWES = re.compile('<span class="owes[^>]*>([^<]*)<')
PLAYERS = b"name\n" + b"".join(b"Player %d\n" % n for n in range(1, 11))


class Hall:
    """Two stations, a tournament whose first round is running, and a terminal at each table."""

    def __init__(self, folder: Path, server: PostgreSql, pair: list[StationProgram]) -> None:
        self.server = server
        self.one, self.other = pair
        self.judges = [station.judge() for station in pair]
        self.judge = self.judges[0]
        self.judge.open_tournament("Open", "championship-2022", "2026-11-21")
        for judge in self.judges:
            judge.tournament = self.judge.tournament
        waited(lambda: "Open" in self.at(1, "/"), "the other station does not follow")
        # Files are made at both stations: each names both of them.
        files = [self.judges[number % 2].provisioning(number) for number in (1, 2, 3)]
        *self.tables, self.spare = (Table(folder / f"t{n}", toml) for n, toml in enumerate(files, 1))
        for table in (*self.tables, self.spare):
            table.agent.start()
            table.waits_for_order(AssignTable)
        self.judges[1].register("players.csv", PLAYERS)
        assert self.judges[0].begin_round("cactus") == 2
        for table in self.tables:
            table.waits_for_order(SeatGame)

    def at(self, number: int, path: str) -> str:
        return self.judges[number].pages.get(path).html

    def floor(self, number: int) -> str:
        return self.judges[number].floor()

    def waits_until_nobody_owes(self, number: int) -> None:
        """Wait until a station's page shows everything received from all terminals."""

        def _nobody() -> bool:
            return set(OWES.findall(self.at(number, "/judge/terminals"))) == {"everything received"}

        waited(_nobody, "terminals are said to owe something")

    def waits_to_see(self, number: int, words: str) -> None:
        waited(lambda: words in self.floor(number), f"{words} is not on floor {number}")


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("stations")
    with running_postgresql() as server, stations(folder, server.url, "Hall-A", "Hall-B") as pair:
        hall = Hall(folder, server, pair)
        try:
            yield hall
        finally:
            for judge in hall.judges:
                judge.close()
            for table in (*hall.tables, hall.spare):
                table.agent.stop()


def seated(table: Table) -> bytes:
    """Return the first entry of the game that a terminal was ordered to seat."""
    seating = table.ordered(SeatGame)[-1].seating
    step = GameStep(seating.game, decide(None, seating, edition("championship-2022")), 2)
    return msgspec.msgpack.encode(step)


def test_a_file_names_both_stations_and_both_have_one_certificate(hall: Hall) -> None:
    wanted = {f"127.0.0.1:{hall.one.port}", f"127.0.0.1:{hall.other.port}"}
    assert all(set(table.addresses) == wanted for table in hall.tables)


def test_a_session_is_good_at_both(hall: Hall) -> None:
    pages = Pages(hall.one.pages)
    JudgeAtWork(pages).log_in("Roy", PASSWORD)
    elsewhere = Pages(hall.other.pages)
    elsewhere._client.cookies = pages._client.cookies
    assert not elsewhere.get("/judge").has_form("/login")
    assert elsewhere.get("/judge").has_form("/logout")
    pages.close()
    elsewhere.close()


def test_what_one_decides_the_terminals_of_the_other_are_told_once(hall: Hall) -> None:
    assert [len(table.ordered(SeatGame)) for table in hall.tables] == [1, 1]


def test_both_floors_show_every_table_and_the_station_it_hangs_on(hall: Hall) -> None:
    for table in hall.tables:
        table.waits_until_received(table.writes(seated(table)))
    names = {f"127.0.0.1:{station.port}": station.name for station in (hall.one, hall.other)}
    for number in (0, 1):
        for table in hall.tables:
            hall.waits_to_see(number, f"· {names[table.way]}")


def test_a_killed_station_loses_nothing_and_its_terminals_go_to_the_other(hall: Hall) -> None:
    table = hall.tables[0]
    killed = hall.one if table.way.endswith(str(hall.one.port)) else hall.other
    stays = hall.other if killed is hall.one else hall.one
    began = time.monotonic()
    killed.kill()
    last = table.writes(*(seated(table) for _ in range(3)))
    table.waits_until_received(last)
    assert table.way.endswith(str(stays.port))
    assert time.monotonic() - began < 20
    number = [hall.one, hall.other].index(stays)
    waited(lambda: f"· {killed.name}" not in hall.floor(number), "the dead station is still shown")
    killed.begin()
    killed.ready()
    hall.waits_to_see(1 - number, f"· {stays.name}")
    for number in (0, 1):
        # Whoever stored what was brought twice: nobody is said to owe it.
        hall.waits_until_nobody_owes(number)


@pytest.mark.nightly
def test_a_database_that_is_away_is_said_on_pages_and_nothing_is_acknowledged(hall: Hall) -> None:
    hall.server.stop()
    pages = Pages(hall.one.pages)
    waited(lambda: "isn&#39;t responding" in pages._client.get("/").text, "the page says nothing")
    assert pages._client.get("/judge").status_code in {200, 503}
    table = hall.tables[0]
    before = table.received
    last = table.writes(seated(table))
    table.waits(lambda: table.saved >= last, "not saved")
    time.sleep(1)
    table.look()
    assert table.received == before
    hall.server.start()
    table.waits_until_received(last)
    waited(lambda: "isn&#39;t responding" not in pages._client.get("/").text, "the page does not notice")
    pages.close()


def test_revoked_at_one_station_is_hung_up_at_the_other(hall: Hall) -> None:
    table = hall.spare
    here = 0 if table.way.endswith(str(hall.one.port)) else 1
    pages = hall.judges[1 - here].pages
    form = pages.get(f"/judge/terminals/{table.id}/revoke").form(f"/{table.id}/revoke")
    pages.send(form)
    table.waits(lambda: not table.way, "still connected")
    last = table.writes(b"\x80")
    time.sleep(1)
    table.look()
    assert table.received < last


GUIDE = Path(__file__).parents[3] / "docs" / "setup" / "very-large-events.md"
_CHECKS_S = 9.0
"""Longer than HAProxy's three checks, after which no station counts as up."""
PLACES = ("10.0.0.11:8080", "10.0.0.12:8080")


def as_in_the_guide(port: int, pair: list[StationProgram]) -> str:
    """The guide's file, for stations of this machine and without a certificate."""
    text = GUIDE.read_text(encoding="utf-8").partition("    defaults\n")[2]
    file, changed = re.subn(r":443 ssl crt \S+", f"127.0.0.1:{port}", "defaults\n" + text)
    assert changed == 1
    for place, station in zip(PLACES, pair, strict=True):
        assert file.count(place) == 2
        file = file.replace(place, station.pages.removeprefix("http://"))
    return file


@contextmanager
def balanced(folder: Path, pair: list[StationProgram]) -> Iterator[Callable[[str], httpx.Response]]:
    """Yield a browser of pages through HAProxy."""
    port, file = free_port(), folder / "haproxy.cfg"
    file.write_text(as_in_the_guide(port, pair), encoding="utf-8")
    with (
        subprocess.Popen(["haproxy", "-f", str(file)], stderr=subprocess.DEVNULL) as balancer,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client,
    ):
        try:
            yield client.get
        finally:
            balancer.kill()


def answers(get: Callable[[str], httpx.Response]) -> bool:
    try:
        return get("/").is_success
    except httpx.TransportError:
        return False


@pytest.mark.nightly
@pytest.mark.parametrize("killed", [0, 1])
def test_pages_are_answered_while_a_station_and_the_database_are_away(tmp_path: Path, killed: int) -> None:
    with (
        running_postgresql() as server,
        stations(tmp_path, server.url, "Hall-A", "Hall-B") as pair,
        balanced(tmp_path, pair) as get,
    ):
        waited(lambda: answers(get), "HAProxy does not answer")
        assert {get("/").status_code for _ in range(20)} == {200}
        pair[killed].kill()
        assert {get("/").status_code for _ in range(40)} == {200}
        server.stop()
        waited(lambda: get("/health").status_code == 503, "the station's health is still good")
        end = time.monotonic() + _CHECKS_S
        while time.monotonic() < end:
            assert "The station&#39;s database isn&#39;t responding" in get("/").text
