"""The programs of a hall, and what happens when one of them ends."""

import contextlib
import io
import json
import signal
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from core.game.orders import AssignTable
from core.terms import TableNo
from demo import hall as demo_hall
from demo.demonstration import Demonstration
from demo.hall import Hall, Table
from demo.hall_page import HallPage
from demo.pages import PageTrouble
from demo.processes import Processes, ProgramDied, free_port, poll_until_timeout
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.tls.certificates import own_identity
from tests.kiosk.rig.games import TABLE, seat_game
from tests.kiosk.rig.live_table import LiveTable
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging


def test_no_connection_gets_the_port_of_a_program_that_is_down() -> None:
    first, _ = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()
    assert all(free_port() < int(first) for _ in range(100))


def test_two_processes_that_ask_at_the_same_time_get_different_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for pid in (7_000, 7_001):
        monkeypatch.setattr("os.getpid", lambda pid=pid: pid)
        drawn.append({free_port() for _ in range(300)})
    assert not drawn[0] & drawn[1]


def script(folder: Path, words: str) -> str:
    """Write a program that replaces a terminal and ignores its options."""
    path = folder / "terminal"
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o700)
    return str(path)


def of_nobody(folder: Path, table: int) -> str:
    """Return a provisioning file of a station that doesn't run."""
    certificate = own_identity(folder / "station", "station")[1].read_text(encoding="ascii")
    return provisioning_text(StationPart(certificate, ("127.0.0.1:9",)), TableNo(table), "token")


def has_picture(table: Table) -> bool:
    """Return whether a terminal's virtual screen responds within a time limit."""
    for _ in poll_until_timeout(20, 0.05):
        with contextlib.suppress(OSError), urllib.request.urlopen(table.door, timeout=5) as page:
            return bool(page.status == HTTPStatus.OK)
    return False


@pytest.mark.slow
def test_a_terminal_that_was_killed_is_started_again_and_named(tmp_path: Path) -> None:
    with Processes(tmp_path / "logs") as processes:
        hall = Hall(tmp_path, processes, serial_tables=frozenset())
        tables = [hall.start_terminal(number, of_nobody(tmp_path, number)) for number in (1, 2)]
        assert all(has_picture(table) for table in tables)
        other, killed = (processes.pid(f"terminal-{table.number}") for table in tables)
        said: list[str] = []
        hall.check(said.append)
        assert said == []
        processes.signal("terminal-2", signal.SIGKILL)
        for _ in poll_until_timeout(5, 0.01):
            hall.check(said.append)
            if said:
                break
        assert said == ["The terminal of table 2 ended with status -9 and was started again."]
        assert has_picture(tables[1])
        processes.check()
        assert processes.pid("terminal-1") == other
        assert processes.pid("terminal-2") != killed


def check_forever(hall: Hall, said: list[str]) -> None:
    for _ in poll_until_timeout(5, 0.01):
        hall.check(said.append)


@pytest.mark.parametrize(
    ("start", "name", "words"),
    [
        (lambda hall: hall.start_terminal(1, ""), "terminal-1", "terminal of table 1"),
        (lambda hall: hall.restart_station(), "station", "station"),
    ],
    ids=["terminal", "station"],
)  # fmt: skip
def test_a_program_that_ends_each_time_is_started_again_and_then_ends_the_demonstration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Callable[[Hall], object], name: str, words: str
) -> None:
    broken = script(tmp_path, "echo no screen; exit 3")
    monkeypatch.setattr(demo_hall, "program", lambda _: broken)
    with Processes(tmp_path / "logs") as processes:
        hall = Hall(tmp_path, processes, serial_tables=frozenset())
        start(hall)
        said: list[str] = []
        with pytest.raises(ProgramDied, match=f"{name} ended with status 3:\nno screen"):
            check_forever(hall, said)
        assert said == [f"The {words} ended with status 3 and was started again."] * 5


def test_another_program_that_ends_is_not_started_again(tmp_path: Path) -> None:
    with Processes(tmp_path / "logs") as processes:
        hall = Hall(tmp_path, processes, serial_tables=frozenset())
        processes.start("players-1", "/bin/false")
        with pytest.raises(ProgramDied, match="players-1 ended with status 1"):
            check_forever(hall, [])


class AwayForAWhile:
    """A judge whose station doesn't answer the first few times."""

    def __init__(self, times: int) -> None:
        self._left = times

    def sheets(self) -> dict[int, str]:
        if self._left:
            raise PageTrouble("floor: ConnectError")
        return {1: "playing"}

    def is_station_up(self) -> bool:
        self._left -= 1
        return not self._left


@pytest.mark.slow
@pytest.mark.parametrize("times", [0, 2])
def test_the_demonstration_waits_for_a_station_that_stays_away_and_says_so(
    tmp_path: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = io.StringIO()
    with Processes(tmp_path / "logs") as processes:
        hall = Hall(tmp_path, processes, serial_tables=frozenset())
        demonstration = Demonstration(Console(file=said, width=200), hall)
        monkeypatch.setattr(hall, "judge", AwayForAWhile(times))
        assert demonstration._sheets() == {1: "playing"}
    waits = f"Waiting for the station at {hall.http}; the tables go on meanwhile."
    assert said.getvalue().splitlines() == ([waits, "The station answers again."] if times else [])


def test_all_tables_are_shown_with_what_the_judge_needs_to_know(tmp_path: Path) -> None:
    live = LiveTable(tmp_path, Rigging(door=True))
    live.order(AssignTable(TABLE, CHEAP_PIN), seat_game())
    tables = (Table(1, live.url, "tcp", "one"), Table(2, f"http://127.0.0.1:{free_port()}", "bus", "two"))
    try:
        with (
            HallPage(tables, {1: "111222", 2: "333444"}, "http://127.0.0.1:9") as page,
            httpx.Client(base_url=page.url) as browser,
        ):
            html = browser.get("/").text
            assert "http://127.0.0.1:9/judge" in html
            assert "PIN 111222" in html
            assert "{{" not in html
            assert all(f'href="{table.door}/"' in html for table in tables)
            seen: dict[str, dict[str, object] | None] = {}
            for _ in poll_until_timeout(10, 0.02):
                seen = json.loads(browser.get("/tables.json").content)
                if seen["1"] is not None and seen["1"]["scene"] == "seating":
                    break
            assert seen["2"] is None
            assert browser.get("/table/1.png?7").content.startswith(b"\x89PNG")
            assert browser.get("/table/2.png").status_code == 503
            assert browser.get("/table/3.png").status_code == 404
            assert browser.get("/table/%31.png").status_code == 404
            assert browser.get("/", headers={"Host": "evil.example"}).status_code == 403
    finally:
        live.close()
