"""The HAProxy file of the guide for very large events, before two real stations on one PostgreSQL."""

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from demo.processes import free_port
from tests.postgresql import running_postgresql
from tests.station.hall_of_stations import StationProgram, stations, waited

pytestmark = pytest.mark.faults

GUIDE = Path(__file__).parents[3] / "docs" / "setup" / "very-large-events.md"
_CHECKS_S = 9.0
"""Longer than HAProxy's three checks, after which no station counts as up."""
PLACES = ("10.0.0.11:8080", "10.0.0.12:8080")


def as_in_the_guide(port: int, pair: list[StationProgram]) -> str:
    """Return the guide's configuration, adapted to stations on this computer without a certificate."""
    text = GUIDE.read_text(encoding="utf-8").partition("    defaults\n")[2]
    file, changed = re.subn(r":443 ssl crt \S+", f"127.0.0.1:{port}", "defaults\n" + text)
    assert changed == 1
    for place, station in zip(PLACES, pair, strict=True):
        assert file.count(place) == 2
        file = file.replace(place, station.pages.removeprefix("http://"))
    return file


@contextmanager
def balanced(folder: Path, pair: list[StationProgram]) -> Iterator[Callable[[str], httpx.Response]]:
    """Yield a browser that reaches the pages through HAProxy."""
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
