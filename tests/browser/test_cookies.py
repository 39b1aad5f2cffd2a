"""One browser, several stations at one host: nobody is locked out, and nobody logs somebody else out."""

import contextlib
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, add_judge, start_station
from demo.processes import Processes, free_port, poll_until_timeout
from tests.browser.conftest import log_in, log_in_here

pytestmark = pytest.mark.browser
LOGGED_IN = f"Log out {JUDGE}"


def start(processes: Processes, data: Path, port: int, *more: str) -> str:
    start_station(processes, data, f"127.0.0.1:{port}", free_port(), *more)
    url = f"{'https' if '--https' in more else 'http'}://127.0.0.1:{port}"
    for _ in poll_until_timeout(30, 0.1):
        processes.check()
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{url}/login", verify=False)
            break
    return url


def is_logged_in(page: Page, url: str) -> None:
    page.goto(f"{url}/judge")
    expect(page.get_by_role("button", name=LOGGED_IN)).to_be_visible()


def log_in_at(page: Page, url: str) -> None:
    page.goto(f"{url}/login")
    log_in_here(page)
    expect(page.get_by_role("button", name=LOGGED_IN)).to_be_visible()


@pytest.mark.nightly
def test_two_stations_on_one_computer_keep_their_judges_logged_in(
    page: Page, station: Hall, tmp_path: Path
) -> None:
    log_in(page)
    with Processes(tmp_path / "logs of the other") as others:
        add_judge(others, tmp_path / "other", JUDGE, JUDGE_PASSWORD)
        url = start(others, tmp_path / "other", free_port())
        log_in_at(page, url)
        is_logged_in(page, station.http)
        is_logged_in(page, url)


@pytest.mark.nightly
def test_a_new_station_at_an_old_address_lets_people_in(
    page: Page, station: Hall, processes: Processes, tmp_path: Path
) -> None:
    log_in(page)
    processes.end("station")
    add_judge(processes, tmp_path / "fresh", JUDGE, JUDGE_PASSWORD)
    log_in_at(page, start(processes, tmp_path / "fresh", int(station.http.rpartition(":")[2])))


@pytest.mark.nightly
def test_http_lets_people_in_after_https(
    browser: Browser, station: Hall, processes: Processes, tmp_path: Path
) -> None:
    processes.end("station")
    port = int(station.http.rpartition(":")[2])
    page = browser.new_context(ignore_https_errors=True).new_page()
    log_in_at(page, start(processes, tmp_path / "station", port, "--https"))
    processes.end("station")
    log_in_at(page, start(processes, tmp_path / "station", port))
    page.context.close()
