"""Count the presses of a mouse that a judge's usual work takes; what is typed is not counted."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from demo.hall import Hall, Table
from tests.browser.conftest import (
    ROLES,
    begin_round,
    choose,
    choose_rules,
    confirm_law_wins,
    judge_at_work,
    log_in,
    open_floor,
    plays_to,
    press,
    register,
    touches,
)

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

COUNTED = """
addEventListener("pointerdown", event => {
  if (event.isTrusted) sessionStorage.setItem("presses", 1 + Number(sessionStorage.getItem("presses")));
}, true);
"""
TWELVE = "name,club\n" + "".join(f"Player {letter},Town\n" for letter in "ABCDEFGHIJKL")


def presses(page: Page) -> int:
    """Return the presses since the last time that this was asked."""
    count: int = page.evaluate("Number(sessionStorage.getItem('presses'))")
    page.evaluate("sessionStorage.removeItem('presses')")
    return count


@pytest.fixture
def judge(page: Page) -> Page:
    page.context.add_init_script(COUNTED)
    log_in(page)
    return page


def opens_the_sheet(judge: Page, folder: Path) -> None:
    begin_round(judge, "Open", folder, players=TWELVE)
    judge.get_by_role("link", name="Table 1", exact=True).click()
    presses(judge)
    judge.get_by_role("link", name="Enter the result from paper").click()


def test_a_paper_sheet_of_six_players_takes_fifteen_presses(judge: Page, tmp_path: Path) -> None:
    opens_the_sheet(judge, tmp_path)
    choose(judge, "role-2", "deputy")
    choose(judge, "role-3", "renegade")
    expect(judge.locator("[name=role-6][value=outlaw]")).to_be_checked()
    # The longest game: everybody but one is eliminated, the Sheriff last.
    for number, (seat, by) in enumerate([(4, "1"), (5, "2"), (2, "3"), (6, "3"), (1, "3")], 1):
        choose(judge, f"out-{number}", str(seat))
        choose(judge, f"by-{number}", by)
    press(judge, "Show ending and winnings")
    expect(judge.locator("main")).to_contain_text("The Renegade wins")
    press(judge, "Confirm the record sheet")
    expect(judge.locator("main")).to_contain_text("confirmed")
    assert presses(judge) <= 15


def test_a_paper_sheet_is_entered_with_a_key_for_each_answer(judge: Page, tmp_path: Path) -> None:
    opens_the_sheet(judge, tmp_path)
    judge.locator("[name=role-2]").first.focus()
    # Deputy, Renegade; the others are Outlaws. Then who is out, and by whom.
    for key in "dr" + "41" + "52" + "61" + "31":
        judge.keyboard.press(key)
    assert presses(judge) == 1
    expect(judge.locator(".elimination:visible")).to_have_count(5)
    press(judge, "Show ending and winnings")
    expect(judge.locator("main")).to_contain_text("The Sheriff")
    press(judge, "Confirm the record sheet")
    expect(judge.locator("main")).to_contain_text("confirmed")


def test_five_sheets_with_prices_take_a_key_or_a_number_for_each_answer_and_one_to_confirm(
    judge: Page, tmp_path: Path
) -> None:
    people = "name,club\n" + "".join(f"Player {number},Town\n" for number in range(1, 26))
    begin_round(judge, "Open", tmp_path, edition="championship-2010", players=people)
    judge.goto(f"{judge.url.removesuffix('/floor')}/tables/1/1/sheet")
    # Three roles, and the last follows; who is out and by whom, until the game is over.
    answers = [*"doo", *("31", "41", "51")]
    # A character, by the first letters until only one begins with them, or more; and its price.
    for character, price in zip(("ba", "e", "jo", "k", "vu"), (500, 0, 0, 1000, 0), strict=True):
        answers += [character, f"{price}\n"]
    keys = "".join(answers)
    for table in range(1, 6):
        expect(judge.get_by_role("heading", level=1)).to_contain_text(f"Table {table}")
        expect(judge.locator("[name=role-2]").first).to_be_focused()
        judge.keyboard.type(keys)
        # The game is over: the next row asks only for players out by the same card.
        expect(judge.locator(".elimination:visible .tick")).to_have_count(3)
        expect(judge.locator(".elimination fieldset:visible")).to_have_count(2 * 3)
        expect(judge.locator(".sheet-form [name=price-4]")).to_have_value("1000")
        expect(judge.locator("#check [data-first]")).to_be_focused()
        judge.keyboard.press("Enter")
    expect(judge.locator("main")).to_contain_text("Everything has been played")


def test_five_sheets_in_a_row_take_one_press_each_beside_the_answers(judge: Page, tmp_path: Path) -> None:
    people = "name,club\n" + "".join(f"Player {number},Town\n" for number in range(1, 26))
    begin_round(judge, "Open", tmp_path, players=people)
    presses(judge)
    judge.get_by_role("link", name="Enter 5 record sheets").click()
    judge.get_by_label("Table, or round and table").fill("1")
    judge.keyboard.press("Enter")
    for table in range(1, 6):
        expect(judge.get_by_role("heading", level=1)).to_contain_text(f"Table {table}")
        for seat, role in enumerate(ROLES, 2):
            choose(judge, f"role-{seat}", role)
        choose(judge, "out-1", "1")
        choose(judge, "by-1", str(2 + ROLES.index("outlaw")))
        expect(judge.locator("#check")).to_contain_text("The Outlaws win")
        press(judge, f"Confirm, then table {table + 1}" if table < 5 else "Confirm the record sheet")
    expect(judge.locator("main")).to_contain_text("Everything has been played")
    # The link, and for each sheet four roles, who and by whom, and one button.
    assert presses(judge) <= 1 + 5 * (len(ROLES) + 2 + 1)


def test_light_sheets_take_a_press_for_each_answer_and_four_more_lead_to_the_next_seats(
    judge: Page, tmp_path: Path
) -> None:
    choose_rules(judge)
    judge.get_by_label("Name", exact=True).fill("Open")
    judge.get_by_label("Light game").check()
    press(judge, "Open the tournament")
    people = "name,club\n" + "".join(f"Player {number},Town\n" for number in range(1, 26))
    register(judge, tmp_path, people)
    press(judge, "Draw tables and Sheriffs")
    press(judge, "Publish to the tables")
    presses(judge)
    judge.get_by_role("link", name="Enter 5 record sheets").click()
    judge.get_by_label("Table, or round and table").fill("1")
    judge.keyboard.press("Enter")
    for table in range(1, 6):
        expect(judge.get_by_role("heading", level=1)).to_contain_text(f"Table {table}")
        expect(judge.locator(".elimination:visible")).to_have_count(1)
        for seat in (2, 3):
            choose(judge, f"role-{seat}", ("deputy", "renegade")[seat - 2])
        choose(judge, "out-1", "1")
        expect(judge.locator("#check")).to_contain_text("The Outlaws win")
        press(judge, f"Confirm, then table {table + 1}" if table < 5 else "Confirm the record sheet")
    expect(judge.locator("main")).to_contain_text("all record sheets are confirmed")
    # The link, and for each sheet two roles, who is out, and one button.
    assert presses(judge) == 1 + 5 * (2 + 1 + 1)
    judge.get_by_role("link", name="Draw: Round 2").first.click()
    press(judge, "Seal the draw: Round 2")
    press(judge, "Draw tables and Sheriffs")
    press(judge, "Publish to the tables")
    expect(judge.locator("main")).to_contain_text("Enter 5 record sheets")
    assert presses(judge) == 4


def test_a_role_that_was_chosen_by_itself_changes_with_the_others(judge: Page, tmp_path: Path) -> None:
    opens_the_sheet(judge, tmp_path)
    choose(judge, "role-2", "deputy")
    choose(judge, "role-3", "renegade")
    choose(judge, "role-4", "renegade")
    expect(judge.locator("[name=role-6]:checked")).to_have_count(0)
    choose(judge, "role-3", "outlaw")
    expect(judge.locator("[name=role-6][value=outlaw]")).to_be_checked()
    expect(judge.locator("[name=role-4][value=renegade]")).to_be_checked()


def test_a_sheet_of_the_last_round_is_corrected_in_four_presses_from_its_table(
    judge: Page, tmp_path: Path
) -> None:
    begin_round(judge, "Open", tmp_path)
    confirm_law_wins(judge, 1)
    expect(judge.locator("main")).to_contain_text("confirmed")
    presses(judge)
    judge.get_by_role("link", name="Correct the record sheet").click()
    choose(judge, "by-1", "4")
    press(judge, "Show ending and winnings")
    judge.get_by_label("Reason for the correction").fill("seat 4 shot")
    judge.get_by_label("Reason for the correction").press("Enter")
    expect(judge.locator("main")).to_contain_text("Corrected: seat 4 shot")
    assert presses(judge) <= 4


def test_a_call_is_claimed_by_one_press_and_a_terminal_swapped_by_two(
    table: Table, station: Hall, judge: Page, tmp_path: Path
) -> None:
    with judge_at_work(station) as at_work:
        spare = station.start_terminal(9, at_work.provisioning(None))
    begin_round(judge, "Open", tmp_path, time_limit_min=60)
    press(judge, "Start the clock")
    plays_to(table, "play")
    touches(table, "call-judge")
    card = judge.locator("#table-1")
    expect(card).to_contain_text("calls the judge")
    presses(judge)
    judge.locator(".calls").get_by_role("button", name="On my way").click()
    expect(card).to_contain_text("is on the way")
    assert presses(judge) == 1

    card.get_by_text("Clock").click()
    card.get_by_label("Reason").fill("a card was missing")
    card.get_by_role("button", name="Add time").click()
    expect(card).to_contain_text("65 min left")
    assert presses(judge) <= 2

    open_floor(judge)
    presses(judge)
    card.get_by_role("link", name="Swap terminal").click()
    press(judge, "Swap terminal")
    plays_to(spare, "play")
    assert presses(judge) <= 2


@pytest.mark.parametrize("language", ["English", "Italiano"])
def test_on_a_phone_the_first_table_begins_within_250_pixels(
    judge: Page, tmp_path: Path, language: str
) -> None:
    begin_round(judge, "Open", tmp_path, players=TWELVE)
    judge.locator(".account summary").click()
    press(judge, language)
    judge.set_viewport_size({"width": 390, "height": 844})
    # The floor is drawn again once it is live.
    expect(judge.locator(".live.on")).to_be_attached()
    judge.wait_for_timeout(500)
    first = judge.locator(".floor .slot").first.bounding_box()
    assert first is not None
    assert first["y"] <= 250
    # The button to enter sheets is in sight without scrolling sideways.
    button = judge.locator(".floor-head .button").first.bounding_box()
    assert button is not None
    assert button["x"] + button["width"] <= 390 - 10


def test_a_summary_from_before_a_change_cannot_be_confirmed_after_it(judge: Page, tmp_path: Path) -> None:
    opens_the_sheet(judge, tmp_path)
    choose(judge, "role-2", "deputy")
    choose(judge, "role-3", "renegade")
    choose(judge, "out-1", "1")
    choose(judge, "by-1", "4")
    summary = judge.locator("#check")
    expect(summary).to_contain_text("The Outlaws win")
    # With another player out, which a key says, the game isn't over.
    judge.locator(".sheet-form [name=out-1]").first.focus()
    judge.keyboard.press("2")
    expect(summary).to_be_empty()
    # A late answer to an earlier state of the form isn't shown either.
    asking: list[Route] = []

    def hold(route: Route) -> None:
        asking.append(route)

    judge.route("**/sheet", hold)
    choose(judge, "out-1", "1")
    judge.wait_for_timeout(500)
    choose(judge, "out-1", "2")
    assert asking
    asking[0].continue_()
    judge.wait_for_timeout(200)
    expect(summary).to_be_empty()
