"""A real station and a real Chromium."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from base.errors import Unavailable
from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, Table, add_judge, running_hall
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import Processes, poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, Touch
from kiosk.rehearsal.terminal_client import TerminalClient

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run",
         "--host-resolver-rules=MAP station.example 127.0.0.1"]  # fmt: skip
"""Chromium's options. By the name of station.example pages are as for other computers in the hall."""
PLAYERS = "name,club\n" + "".join(f"Player {letter},Town\n" for letter in "ABCDEFGHIJ")
ROLES = ("deputy", "outlaw", "outlaw", "renegade")
"""Of seats 2 to 5."""


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


def find_program(*names: str) -> str:
    program = next(filter(None, map(shutil.which, names)), None)
    assert program is not None, f"Chromium is missing: apt install {names[0]}"
    return program


@pytest.fixture(scope="package")
def chromium() -> str:
    """Chromium without windows: it needs half of the processor time."""
    return find_program("chromium-headless-shell", "chromium", "chromium-browser")


@pytest.fixture(scope="package")
def browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests; each has its own windows, cookies and stores."""
    browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
    yield browser
    browser.close()


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium with all its parts, for printing, wake locks and the clipboard."""
    browser = playwright.chromium.launch(
        executable_path=find_program("chromium", "chromium-browser"), args=QUIET
    )
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def station_with_judge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a station that has never run, with the account of its judge."""
    folder = tmp_path_factory.mktemp("prepared")
    with Processes(folder / "logs") as processes:
        add_judge(processes, folder / "station", JUDGE, JUDGE_PASSWORD)
    return folder / "station"


@pytest.fixture
def running(tmp_path: Path, station_with_judge: Path) -> Iterator[tuple[Hall, Processes]]:
    shutil.copytree(station_with_judge, tmp_path / "station")
    with running_hall(tmp_path, frozenset()) as (hall, processes):
        hall.restart_station()
        hall.wait_for_station()
        yield hall, processes


@pytest.fixture
def station(running: tuple[Hall, Processes]) -> Hall:
    return running[0]


@pytest.fixture
def processes(running: tuple[Hall, Processes]) -> Processes:
    return running[1]


@contextlib.contextmanager
def judge_at_work(station: Hall) -> Iterator[JudgeAtWork]:
    """A judge who needs no browser."""
    with contextlib.closing(JudgeAtWork(Pages(station.http))) as judge:
        judge.log_in(JUDGE, JUDGE_PASSWORD)
        yield judge


def open_spring_cup(judge: JudgeAtWork, names: list[str]) -> None:
    judge.open_tournament("Spring Cup", "championship-2022", "2026-03-21")
    judge.register("players.csv", ("name\n" + "\n".join(names) + "\n").encode())


def browser_of(page: Page) -> Browser:
    browser = page.context.browser
    assert browser is not None
    return browser


def screen(table: Table) -> Seen:
    """Return what the terminal shows, which may be starting."""
    for _ in poll_until_timeout(30, 0.05):
        try:
            return TerminalClient(table.door).see()
        except Unavailable:
            continue
    raise AssertionError("the terminal does not show a screen")


def plays_to(table: Table, scene: str) -> Seen:
    """Let players touch until the screen shows a scene."""
    brain = Brain(1)
    for _ in poll_until_timeout(60, 0.02):
        seen = screen(table)
        if seen.scene == scene:
            return seen
        touch = brain.next_touch(seen)
        if touch is not None:
            TerminalClient(table.door).touch(touch)
    raise AssertionError(f"the table never came to {scene}")


@pytest.fixture
def table(station: Hall) -> Table:
    """The terminal of table 1, which waits for players."""
    return station.start_terminal(1, station.enter_station().provisioning(1))


@pytest.fixture
def page(browser: Browser, station: Hall) -> Iterator[Page]:
    page = browser.new_context(base_url=station.http).new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    yield page
    close_windows(browser)


def close_windows(browser: Browser) -> None:
    for context in browser.contexts:
        context.close()


def open_window(page: Page, path: str) -> Page:
    """Open another window of the same judge. A tab would slow down every click in those behind it."""
    base = re.match(r"https?://[^/]+", page.url)
    assert base is not None
    context = browser_of(page).new_context(base_url=base[0], storage_state=page.context.storage_state())
    window = context.new_page()
    window.goto(path)
    return window


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def choose(page: Page, name: str, value: str) -> None:
    """Choose one of several buttons of a form, as a finger would."""
    page.locator(f".sheet-form [name={name}][value='{value}']").click()


def open_floor(page: Page) -> None:
    """Go to the floor. On return it is the new page: a click on the one before it would lead nowhere."""
    with page.expect_navigation():
        page.get_by_role("link", name="Hall", exact=True).click()


def open_standings(page: Page) -> None:
    """The whole page is there on return: what it does not offer now, it will not offer later."""
    if not page.get_by_role("link", name="Standings").count():
        with page.expect_navigation():
            page.get_by_role("link", name="Tournament", exact=True).click()
    page.get_by_role("link", name="Standings").first.click()
    page.wait_for_url("**/standings", wait_until="load")


def draw_lots_if_tied(page: Page) -> None:
    """On the standings: break what ties are left."""
    if page.get_by_role("button", name="Draw lots").count():
        press(page, "Draw lots")


def log_out(page: Page) -> None:
    page.locator(".account summary").click()
    press(page, f"Log out {JUDGE}")


def log_in(page: Page) -> None:
    page.goto("/login")
    log_in_here(page)


def log_in_here(page: Page, password: str = JUDGE_PASSWORD, name: str = JUDGE) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    press(page, "Log in")


def choose_rules(page: Page, edition: str = "championship-2022") -> None:
    """From the judge's first page to the form for a tournament by an edition."""
    page.get_by_role("link", name="New tournament").click()
    page.locator(f"a[href='/judge/new/{edition}']").click()


def open_players(page: Page, name: str) -> None:
    """Open a tournament of this name, and go to its page of players."""
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill(name)
    press(page, "Open the tournament")
    page.get_by_role("link", name="Players").first.click()


def register(page: Page, folder: Path, players: str = PLAYERS) -> None:
    """In a new tournament: players from a list, up to the page of the draw."""
    page.get_by_role("link", name="Players").first.click()
    listed = folder / "players.csv"
    listed.write_text(players, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(listed)
    press(page, "Preview")
    page.get_by_role("button", name=re.compile(r"Register \d+ players")).click()
    page.get_by_role("link", name="Draw").first.click()
    press(page, "Seal the draw: Round 1")


def publish_draw(page: Page) -> None:
    """From the sealed draw to the tables that know their players."""
    press(page, "Draw tables and Sheriffs")
    press(page, "Publish to the tables")


def begin_round(
    page: Page,
    name: str,
    folder: Path,
    *,
    edition: str = "championship-2022",
    time_limit_min: int | None = None,
    players: str = PLAYERS,
    publishes: bool = True,
    rounds: int = 1,
) -> None:
    """Open a tournament, of ten players unless others are listed, and one round, up to the published draw.

    A new window logs in first. publishes: else the draw stays a draft.
    """
    if page.url == "about:blank":
        log_in(page)
    choose_rules(page, edition)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Fewer rounds").fill(str(rounds))
    if time_limit_min is not None:
        page.get_by_label("Time limit per round").fill(str(time_limit_min))
    press(page, "Open the tournament")
    register(page, folder, players)
    press(page, "Draw tables and Sheriffs")
    if publishes:
        press(page, "Publish to the tables")


def fill_law_wins(page: Page, table: int) -> None:
    """From any page of the tournament: the Sheriff of a table of five eliminates seats 3 to 5."""
    open_floor(page)
    page.get_by_role("link", name=f"Table {table}", exact=True).click()
    page.get_by_role("link", name="Enter the result from paper").click()
    for seat, role in enumerate(ROLES, 2):
        choose(page, f"role-{seat}", role)
    for number, seat in enumerate((3, 4, 5), 1):
        choose(page, f"out-{number}", str(seat))
        choose(page, f"by-{number}", "1")


def enter_law_wins(page: Page, table: int) -> None:
    fill_law_wins(page, table)
    press(page, "Show ending and winnings")


def confirm_law_wins(page: Page, *tables: int) -> None:
    for table in tables:
        enter_law_wins(page, table)
        press(page, "Confirm the record sheet")


def correct_the_sheet(page: Page) -> None:
    """From the page of a table that was won by the law: seat 4 was the one who shot."""
    page.get_by_role("link", name="Correct the record sheet").click()
    choose(page, "by-1", "4")
    press(page, "Show ending and winnings")
    page.get_by_label("Reason for the correction").fill("seat 4 shot")
    press(page, "Confirm the correction")
    expect(page.locator("main")).to_contain_text("Corrected: seat 4 shot")


def publish_ranking(page: Page) -> None:
    open_standings(page)
    draw_lots_if_tied(page)
    publish_and_look(page)


def publish_and_look(page: Page) -> None:
    """Publish the ranking that the page shows, and go on to the public page."""
    with page.expect_navigation():
        press(page, "Publish the ranking")
    page.goto(page.url.replace("/judge/t/", "/t/"))


def touches(table: Table, *targets: str) -> None:
    """Touch one target after the other, each as soon as the terminal takes it, and hold what must be held."""
    door = TerminalClient(table.door)
    for name in targets:
        for _ in poll_until_timeout(30, 0.1):
            target = door.see().target(name)
            if target is not None and target.enabled:
                before = door.see()
                door.touch(Touch(name, 0.0, target.hold_ms))
                if name.startswith("pin-") or door.see() != before:
                    break


def wait_for(table: Table, scene: str) -> None:
    for _ in poll_until_timeout(40, 0.1):
        if screen(table).scene == scene:
            return


@pytest.fixture
def floor(page: Page, tmp_path: Path) -> Page:
    """The judge's window on the live floor of a round of ten players."""
    begin_round(page, "Open", tmp_path)
    expect(page.locator(".live")).to_have_text("live")
    return page


@pytest.fixture
def playing(table: Table, floor: Page) -> Table:
    """The terminal of table 1 in a game, while the judge's window shows the floor."""
    plays_to(table, "play")
    return table
