"""Forms that are not lost: refused, kept by a login or sent to no station; Back; and cookies of stations."""

import contextlib
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, add_judge, start_station
from demo.processes import Processes, free_port, poll_until_timeout
from tests.browser.conftest import (
    PLAYERS,
    ROLES,
    begin_round,
    choose,
    close_windows,
    enter_law_wins,
    log_in,
    log_in_here,
    log_out,
    open_floor,
    open_players,
    open_window,
    press,
)

pytestmark = pytest.mark.browser


def end_login(page: Page) -> None:
    press(open_window(page, "/judge/account"), "Log out everywhere")


@pytest.mark.nightly
@pytest.mark.parametrize("has_scripts", [False, True])
def test_what_was_typed_is_sent_after_the_login(
    browser: Browser, station: Hall, *, has_scripts: bool
) -> None:
    context = browser.new_context(base_url=station.http, java_script_enabled=has_scripts)
    page = context.new_page()
    log_in(page)
    open_players(page, "Kept")
    page.get_by_label("Name", exact=True).fill("Zoë “Red” O'Hara")
    page.locator("[name=club]").first.fill("Tombstone")
    end_login(page)
    press(page, "Add")
    expect(page.locator("main")).to_contain_text("What you typed isn't lost")
    log_in_here(page, "wrong wrong")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password.")
    log_in_here(page)
    expect(page.locator("main")).to_contain_text("Registered a player")
    expect(page.locator("dd", has_text="Zoë “Red” O'Hara")).to_be_visible()
    assert "Tombstone" not in page.url
    page.get_by_role("button", name=re.compile("^Send as")).click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("Zoë “Red” O'Hara")
    close_windows(browser)


def fill_card(page: Page) -> None:
    page.goto("/judge/terminals/cards")
    page.locator("[name=wifi-name]").fill("Hall")
    page.locator("[name=wifi-password]").fill("short")
    page.locator("[name=wifi-hidden]").check()
    page.locator("select[name=language]").select_option("it")


def is_refused_and_filled_in_but_for_the_password(page: Page) -> None:
    expect(page.get_by_role("alert")).to_contain_text("8 to 63 English letters")
    expect(page.locator("[name=wifi-name]")).to_have_value("Hall")
    expect(page.locator("[name=wifi-password]")).to_have_value("")
    expect(page.locator("[name=wifi-hidden]")).to_be_checked()
    expect(page.locator("select[name=language]")).to_have_value("it")


@pytest.mark.nightly
def test_a_kept_form_that_is_refused_is_filled_in_on_its_own_page(page: Page) -> None:
    log_in(page)
    fill_card(page)
    end_login(page)
    press(page, "Save")
    log_in_here(page)
    expect(page.locator("main")).not_to_contain_text("short")
    page.locator("[name=wifi-password]").fill("short")
    page.get_by_role("button", name=re.compile("^Send as")).click()
    is_refused_and_filled_in_but_for_the_password(page)


UNSENT = "Not sent yet: the station doesn't answer. Trying again …"


@pytest.fixture
def sheet(page: Page, station: Hall, tmp_path: Path) -> str:
    """The address of the record sheet of table 1, on which the page is."""
    begin_round(page, "Away", tmp_path)
    tournament = re.findall(r"/judge/t/([^/]+)", page.url)[0]
    address = f"/judge/t/{tournament}/tables/1/1/sheet"
    page.goto(address)
    return address


def fill(page: Page) -> None:
    for seat, role in enumerate(("outlaw", "deputy", "outlaw"), 2):
        choose(page, f"role-{seat}", role)
    choose(page, "out-1", "1")
    choose(page, "by-1", "2")


@pytest.mark.nightly
def test_a_sheet_is_kept_and_sent_once_the_station_is_back(
    page: Page, sheet: str, station: Hall, processes: Processes
) -> None:
    fill(page)
    processes.kill("station")
    press(page, "Show ending and winnings")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    expect(page.locator("[name=out-1][value='1']")).to_be_checked()
    page.goto("about:blank")
    station.restart_station()
    for _ in range(60):
        try:
            page.goto(f"{station.http}{sheet}")
            break
        except Exception:  # noqa: BLE001 (the station is starting)
            page.wait_for_timeout(500)
    expect(page.get_by_text("What you typed has been restored.")).to_be_visible()
    expect(page.locator("[name=role-5][value=renegade]")).to_be_checked()
    processes.kill("station")
    press(page, "Show ending and winnings")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    station.restart_station()
    expect(page.get_by_role("heading", name="Is this right?")).to_be_visible(timeout=60_000)
    press(page, "Confirm the record sheet")
    expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft')).length") == 0


@pytest.mark.nightly
def test_what_was_typed_for_other_players_is_not_restored(page: Page, sheet: str) -> None:
    fill(page)
    base = sheet.partition("/tables")[0]
    page.goto(f"{base}/history")
    step = page.locator("details", has_text="Undo this step").first
    step.locator("summary").click()
    step.get_by_label("Reason").fill("wrong list")
    step.get_by_role("button", name="Undo 1 step").click()
    page.goto(f"{base}/draw")
    page.locator("details", has_text="Draw again").locator("summary").click()
    page.get_by_label("Reason").fill("wrong list")
    press(page, "Draw Round 1 again")
    press(page, "Draw tables and Sheriffs")
    press(page, "Publish to the tables")
    page.goto(sheet)
    expect(page.locator(".sheet-form")).to_be_visible()
    expect(page.get_by_text("What you typed has been restored.")).to_have_count(0)
    expect(page.locator("[name=role-2]:checked")).to_have_count(0)


def test_another_form_waits_for_the_station_too(page: Page, station: Hall, processes: Processes) -> None:
    log_in(page)
    page.goto("/judge/messages")
    expect(page.locator(".live.on")).to_be_visible()
    page.locator("textarea").fill("Lunch at one")
    processes.kill("station")
    expect(page.locator(".live.off")).to_be_visible(timeout=20_000)
    press(page, "Send")
    expect(page.get_by_text(UNSENT)).to_be_visible()
    station.restart_station()
    expect(page.get_by_text(UNSENT)).to_be_hidden(timeout=60_000)
    expect(page.locator("[data-refused], .notice.good")).to_be_visible()


def test_what_was_typed_is_there_again_but_no_password(page: Page) -> None:
    log_in(page)
    fill_card(page)
    page.get_by_text("Addresses and maintenance").click()
    page.locator("[name=addresses]").fill("10.0.0.7")
    press(page, "Save")
    is_refused_and_filled_in_but_for_the_password(page)
    expect(page.locator("[name=addresses]")).to_be_visible()
    expect(page.locator("[name=addresses]")).to_have_value("10.0.0.7")
    page.reload()
    expect(page.locator("[name=wifi-name]")).to_have_value("")


@pytest.mark.nightly
def test_one_player_after_the_other_is_added_from_the_keyboard(page: Page) -> None:
    log_in(page)
    open_players(page, "Names")
    page.get_by_label("Name", exact=True).click()
    for name in ("Ada", "Bruno"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.locator("tbody tr").last).to_contain_text(name)
        expect(page.locator("p[role=status]")).to_contain_text(f"1 player registered: {name}")
        expect(page.get_by_label("Name", exact=True).first).to_be_focused()


@pytest.mark.nightly
def test_back_after_a_confirmed_preview_asks_nobody_to_send_the_form_again(
    page: Page, tmp_path: Path
) -> None:
    begin_round(page, "Back", tmp_path)
    open_floor(page)
    enter_law_wins(page, 1)
    expect(page.get_by_role("button", name="Confirm the record sheet")).to_be_visible()
    press(page, "Confirm the record sheet")
    expect(page.locator("main")).to_contain_text("confirmed")
    answer = page.go_back()
    assert answer is not None
    assert answer.status == 200
    expect(page.locator("h1")).to_contain_text("record sheet")


def test_back_after_a_preview_without_an_address_of_its_own_shows_the_page_of_its_form(
    page: Page, tmp_path: Path
) -> None:
    log_in(page)
    open_players(page, "Back")
    listed = tmp_path / "players.csv"
    listed.write_text(PLAYERS, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    press(page, "Preview")
    page.get_by_role("button", name=re.compile(r"Register \d+ players")).click()
    expect(page.locator("p[role=status]")).to_contain_text("The players have been registered.")
    page.go_back()
    expect(page).to_have_url(re.compile("/players$"))


@pytest.mark.nightly
def test_back_after_a_logout_shows_the_login_and_nothing_of_the_preview(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Back", tmp_path)
    enter_law_wins(page, 1)
    log_out(page)
    page.go_back()
    expect(page.get_by_label("Password")).to_be_visible()
    expect(page.locator("table.sheet")).to_have_count(0)


@pytest.mark.nightly
def test_a_preview_whose_confirmation_is_refused_is_filled_in_again(page: Page, tmp_path: Path) -> None:
    begin_round(page, "Back", tmp_path)
    enter_law_wins(page, 1)
    confirm = page.locator("form[action$='/sheet/confirm']")
    confirm.locator("[name=role-2]").evaluate("field => { field.value = 'nobody'; }")
    press(page, "Confirm the record sheet")
    expect(page.get_by_role("alert")).to_contain_text("Seat 2: choose a role.")
    for name, value in (("role-3", ROLES[1]), ("out-3", "5"), ("by-1", "1")):
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked()


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
    expect(page.locator(".account summary")).to_contain_text(JUDGE)


def log_in_at(page: Page, url: str) -> None:
    page.goto(f"{url}/login")
    log_in_here(page)
    expect(page.locator(".account summary")).to_contain_text(JUDGE)


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
