"""A convention's day on which everything goes wrong, from the first page to the public ranking.

Two rounds of ten players: table 1 has a terminal, table 2 plays on paper.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from demo.hall import Hall, Table
from demo.processes import Processes
from tests.browser.conftest import (
    browser_of,
    choose_rules,
    confirm_law_wins,
    correct_the_sheet,
    draw_lots_if_tied,
    enter_law_wins,
    log_in,
    open_floor,
    open_standings,
    open_window,
    plays_to,
    press,
    publish_draw,
    publish_ranking,
    register,
    screen,
    touches,
)
from tests.browser.test_devices import phone, play_to, seen

__all__ = ["phone"]

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PASSWORD = "a horse with no name"


def here_of(page: Page) -> str:
    return "/".join(page.url.split("/")[:3])


def invite(page: Page, name: str, role: str) -> Page:
    """Invite somebody, and open the link as they do on their own phone."""
    page.goto("/judge/accounts")
    form = page.locator("form[action='/judge/accounts/invitations']")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Role").select_option(role)
    press(page, "Create an invitation")
    browser = browser_of(page)
    guest = browser.new_context(base_url=here_of(page), viewport={"width": 390, "height": 844}).new_page()
    guest.goto(page.locator(".link-text").inner_text())
    guest.get_by_label("Password", exact=False).first.fill(PASSWORD)
    guest.get_by_label("Repeat the password").fill(PASSWORD)
    press(guest, "Create my account")
    return guest


def try_what_is_not_theirs(guest: Page, here: str) -> None:
    """As a floor judge: read and do by address what the pages don't offer."""
    for path in (f"{here}/standings", "/judge/accounts", "/judge/audit", f"{here}/history"):
        answer = guest.goto(path)
        assert answer is not None
        assert answer.status == 403, path
    guest.goto(f"{here}/floor")
    expect(guest.locator(".live")).to_have_text("live")
    for word in ("Standings", "History", "Accounts", "Audit"):
        expect(guest.get_by_role("link", name=word, exact=True)).to_have_count(0)


def test_a_day_on_which_everything_goes_wrong(
    table: Table, page: Page, phone: Page, running: tuple[Hall, Processes], tmp_path: Path
) -> None:
    station, processes = running
    log_in(page)
    choose_rules(page)
    page.get_by_label("Name", exact=True).fill("Bad Day")
    page.get_by_label("Fewer rounds").fill("2")
    press(page, "Open the tournament")
    register(page, tmp_path)
    publish_draw(page)
    here = re.sub(r"/floor.*", "", page.url)
    guest = invite(page, "Flo", "floor-judge")
    try_what_is_not_theirs(guest, here)
    page.goto(f"{here}/floor")

    # The station restarts while a table calls: the call is there once, for all, and can be claimed.
    plays_to(table, "play")
    processes.kill("station")
    expect(page.locator(".live")).to_contain_text("not live")
    touches(table, "call-judge")
    station.restart_station()
    expect(page.locator(".live")).to_have_text("live", timeout=30_000)
    expect(page.locator("#table-1")).to_contain_text("calls the judge", timeout=15_000)
    guest.goto("/judge/calls")
    expect(guest.get_by_role("link", name="Table 1")).to_have_count(1)
    press(guest, "On my way")
    expect(page.locator("#table-1")).to_contain_text("Flo is on the way", timeout=15_000)

    # Flo comes, and ejects a player at the table itself.
    plays_to(table, "play")
    page.goto("/judge/terminals/pins")
    pin = page.locator("[data-table='1']").get_attribute("data-pin") or ""
    touches(table, "menu", "judge-menu", *(f"pin-{digit}" for digit in pin), "pin-ok", "player-leaves",
            "leaves-seat-4", "seat-4-eject", "offence-cheating", "reason-1", "do-it")  # fmt: skip
    page.goto(f"{here}/tables/1/1/")
    expect(page.locator("main")).to_contain_text("The judge ejects", timeout=15_000)
    expect(page.locator(".badge", has_text="ejected")).to_have_count(1)

    # The terminal dies; a phone goes on with the game.
    plays_to(table, "play")
    turn = screen(table)
    processes.kill("terminal-1")
    page.goto(f"{here}/floor")
    page.locator("#table-1").get_by_role("link", name="Swap terminal").click()
    press(page, "Use a phone or tablet")
    phone.goto(page.locator(".link-text").inner_text())
    press(phone, "Use this device")
    expect(phone.locator("body")).to_have_attribute("data-scene", "play", timeout=20_000)
    assert {t.id for t in seen(phone).targets if t.id.startswith("life-")} == {
        t.id for t in turn.targets if t.id.startswith("life-")
    }

    # It plays to the end; table 2 is on paper, and its sheet is typed wrong.
    play_to(phone, "sheet")
    page.goto(f"{here}/floor")
    page.locator("#table-1").get_by_role("button", name="Confirm the record sheet").click()
    expect(page.locator("#table-1")).to_contain_text("confirmed")
    confirm_law_wins(page, 2)
    expect(phone.locator("h1")).to_have_text("No terminal here", timeout=20_000)

    # The ejected player is out at the tournament as well; one drops, one comes late.
    page.goto(f"{here}/players")
    expect(page.get_by_role("alert").first.get_by_label("Category")).to_have_value("cheating")
    page.get_by_role("button", name=re.compile("^Eject Player")).click()
    page.goto(f"{here}/players")
    expect(page.locator("tr", has_text="ejected")).to_have_count(1)
    page.locator("tr").filter(has_text="Player").filter(has_not_text="ejected").last.get_by_role(
        "link"
    ).first.click()
    page.get_by_label("Reason for leaving").fill("a train to catch")
    press(page, "Withdraw")
    page.goto(f"{here}/players")
    page.locator("summary", has_text="Open late entry").click()
    page.locator("form[action$='/late-entry']").get_by_label("Reason").fill("the bus was late")
    page.locator("form[action$='/late-entry']").get_by_role("button").click()
    for name in ("Late Lucy", "Late Luke"):
        page.get_by_label("Name", exact=True).fill(name)
        press(page, "Add")
    expect(page.locator("tr", has_text="Late Luke")).to_have_count(1)
    page.get_by_role("link", name="Draw").first.click()
    press(page, "Seal the draw: Round 2")
    publish_draw(page)

    # The sheet of the last round was wrong, found when the next one is drawn.
    page.goto(f"{here}/tables/1/2/")
    correct_the_sheet(page)

    # Both tables of the second round play on paper, as nobody has a network.
    other = open_window(page, f"{here}/floor")
    page.goto(f"{here}/floor")
    for number in (1, 2):
        confirm_law_wins(page, number)
        expect(other.locator(f"#table-{number}")).to_contain_text("confirmed")
    open_floor(page)
    publish_ranking(page)
    expect(page.locator("table.ranking")).to_contain_text("Late Lucy")
    page.goto(f"{here}/history")
    for note in ("the bus was late", "a train to catch", "seat 4 shot"):
        expect(page.locator("main")).to_contain_text(note)


def opens_side_event(page: Page, folder: Path) -> None:
    """A second tournament of ten players, drawn for tables 1 and 2."""
    page.goto("/judge/")
    choose_rules(page)
    expect(page.get_by_label("Tables in the hall")).to_have_value("3-")
    page.get_by_label("Tables in the hall").fill("1-")
    page.get_by_label("Name", exact=True).fill("Side event")
    page.get_by_label("Fewer rounds").fill("1")
    press(page, "Open the tournament")
    register(page, folder)
    press(page, "Draw tables and Sheriffs")


def asks_to_take_back(page: Page) -> Locator:
    """On the history: fill in why the last step is taken back, and return the form."""
    last = page.locator("details", has_text="Undo this step").first
    if last.get_attribute("open") is None:
        last.locator("summary").click()
    last.get_by_label("Reason").fill("wrong list")
    return last


def test_a_second_tournament_gets_other_tables_and_the_first_plays_on(
    playing: Table, page: Page, tmp_path: Path
) -> None:
    opens_side_event(page, tmp_path)
    expect(page.get_by_role("alert")).to_contain_text("playing at these tables: 1, 2 (Open)")
    expect(page.get_by_role("button", name="Publish to the tables")).to_be_disabled()
    expect(page.get_by_label("Tables in the hall")).to_have_value("3-")
    press(page, "Use these tables")
    expect(page.get_by_role("heading", name="Table 3")).to_be_visible()
    press(page, "Publish to the tables")
    expect(page.locator("#table-3")).to_be_visible()
    expect(page.locator("#table-1")).to_have_count(0)
    assert screen(playing).scene == "play"


def test_a_draw_is_taken_back_only_with_the_name_of_each_table_that_plays(playing: Table, page: Page) -> None:
    floor = page.url
    expect(page.locator("#table-1")).to_contain_text("turn", ignore_case=True)
    page.get_by_role("link", name="Tournament", exact=True).click()
    page.get_by_role("link", name="History").click()
    last = asks_to_take_back(page)
    last.get_by_role("button", name="Undo 1 step").click()
    expect(page.get_by_text("would void the games at these tables: 1.")).to_be_visible()
    expect(page.get_by_label("Reason").first).to_have_value("wrong list")
    assert screen(playing).scene == "play"

    asks_to_take_back(page).get_by_role("button", name="What would change?").click()
    expect(page.get_by_text("1 game would be voided")).to_be_visible()
    undoes = "Undo 1 step · void 1 game"
    press(page, undoes)
    expect(page).to_have_url(page.url.rpartition("/undo")[0] + "/undo/what-if")
    assert screen(playing).scene == "play"
    page.get_by_label("Void the game at table 1").check()
    press(page, undoes)
    expect(page.get_by_text("The steps have been undone.")).to_be_visible()
    page.get_by_role("link", name="Game at table 1 voided").click()
    expect(page.locator(".story")).to_contain_text("Players seated")
    expect(page.locator(".story")).to_contain_text("Game voided")

    page.get_by_role("link", name="Draw", exact=True).click()
    press(page, "Publish to the tables")
    expect(page).to_have_url(floor)
    plays_to(playing, "seating")


def opens_accepted(page: Page, name: str) -> None:
    details = page.locator("details", has_text=name).first
    details.locator("summary").click()
    details.get_by_label("Reason").fill("the roles were swapped")
    details.get_by_role("button").click()


def test_every_call_ends_every_dispute_is_settled_and_every_sheet_is_reached_by_links(
    playing: Table, page: Page
) -> None:
    touches(playing, "call-judge")
    expect(page.locator(".calls")).to_contain_text("Table 1 is calling the judge")

    # The sheet comes from paper; the terminal, in the middle of its game, is told.
    enter_law_wins(page, 1)
    page.get_by_label("End the game at the terminal").check()
    press(page, "Confirm the record sheet")
    open_floor(page)
    expect(page.locator("#table-1")).to_contain_text("confirmed")
    expect(page.locator("main")).not_to_contain_text("calls the judge")
    confirm_law_wins(page, 2)

    # No round runs any more: the sheets are still two links away.
    page.get_by_role("link", name="Round 1").click()
    page.get_by_role("link", name="Table 2", exact=True).click()
    opens_accepted(page, "Dispute it")
    expect(page.get_by_role("alert").first).to_contain_text("table 2: the record sheet is disputed")
    open_standings(page)
    draw_lots_if_tied(page)
    expect(page.locator("main")).to_contain_text("Disputed record sheets (round/table): 1/2")
    page.get_by_role("alert").first.get_by_role("link", name="Table 2").click()
    opens_accepted(page, "Keep the confirmed sheet")
    expect(page.locator("body")).not_to_contain_text("is disputed")

    page.get_by_role("link", name="Tournament", exact=True).click()
    page.get_by_role("link", name="Round 1").click()
    page.get_by_role("link", name="Table 1", exact=True).click()
    correct_the_sheet(page)
    publish_ranking(page)
    expect(page.locator("table.ranking")).to_be_visible()


def test_a_player_who_left_at_the_table_is_withdrawn_before_the_ranking(floor: Page) -> None:
    enter_law_wins(floor, 1)
    press(floor, "Back to the form")
    floor.locator("input[name=left-2]").check()
    press(floor, "Show ending and winnings")
    press(floor, "Confirm the record sheet")
    expect(floor.get_by_role("alert").first).to_contain_text("left table 1 in Round 1 but is still in")
    confirm_law_wins(floor, 2)
    open_standings(floor)
    draw_lots_if_tied(floor)
    expect(floor.locator("main")).to_contain_text("Left or ejected at the table")
    floor.get_by_role("button", name="Withdraw Player").click()
    expect(floor.locator("body")).not_to_contain_text("is still in the tournament")
    publish_ranking(floor)
    expect(floor.locator("table.ranking tbody tr").filter(has_text="Player ").first).to_be_visible()
