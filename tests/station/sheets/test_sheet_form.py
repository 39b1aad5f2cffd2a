"""Record sheets typed in by hand: what is proposed, derived, and refused where it is wrong."""

import asyncio
import re

import httpx
import pytest

from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame, survivors
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.state.game import Cause, Comeback, Confirmation, EventCard
from core.rule_set import OptionKey, RecordMode, RuleSet
from core.terms import Ending, RoundNo, SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw
from core.tournament.state.rounds import AcceptedSheet, Source
from core.tournament.state.tournament import Waivers
from station.accounts.permissions import AccountRole
from station.sheets.form_fields import game_fields
from station.text.names import names_of
from tests.station.browser import PASSWORD, Browser, proof_faults, shows
from tests.station.conftest import OPEN, Station, outlaws_won, present

SHEET = f"/judge/t/{OPEN}/tables/1/1/sheet"
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
SHERIFF_SHOT = {"out-1": "1", "by-1": "2"}
WON = ROLES | SHERIFF_SHOT


@pytest.fixture
def form(station: Station, judge: Browser) -> Browser:
    """Return a judge's browser at the form for table 1 of ten players."""
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    judge.get(SHEET)
    return judge


def of_ada(form: Browser) -> Browser:
    """Return the browser of another judge, at the same form."""
    form.judges.add("Ada", PASSWORD, AccountRole.HEAD_JUDGE)
    ada = Browser(form.station)
    ada.log_in("Ada")
    ada.get(SHEET)
    return ada


def entered(station: Station, round_no: int = 1) -> AcceptedSheet[FinishedGame]:
    return station.service.tournament(OPEN).rounds[round_no - 1].sheets[0]


def hidden(page: str, name: str) -> str:
    """Return the value of a page's first hidden field of a name."""
    field = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', page)
    assert field is not None, page
    return field[1]


@pytest.mark.parametrize("step", ["", "/again", "/confirm"])
def test_a_sheet_opened_before_the_draw_was_made_again_is_not_entered_for_other_players(
    station: Station, form: Browser, step: str
) -> None:
    typed = WON | {"seated": hidden(form.get(SHEET), "seated")}
    before = [names_of(station.service.tournament(OPEN))[p] for p in station.latest_round.tables[0].players]
    station.does(UndoSteps(2, "a wrong list"))
    station.does(MakeDraw(hall_word="another word"))
    station.does(PublishDraw())
    now = [names_of(station.service.tournament(OPEN))[p] for p in station.latest_round.tables[0].players]
    assert before != now
    page = form.send(f"{SHEET}{step}", typed, 422)
    shows(page, "The seats have changed since this sheet was opened", ", ".join(before), ", ".join(now))
    # Every player has their own answers at their new seat, or none.
    for seat, name in enumerate(now[1:], 2):
        role = typed.get(f"role-{before.index(name) + 1}") if name in before else None
        chosen = re.findall(f'name="role-{seat}" value="([^"]+)" checked', page)
        assert chosen == ([role] if role else [])
    live = form.answer(SHEET, typed, **{"hx-request": "true"}).text
    shows(live, "The seats have changed since this sheet was opened", "Show the sheet of these players")
    assert hidden(form.get(SHEET), "seated") != typed["seated"]
    assert station.latest_round.sheets == ()


def test_a_form_of_a_round_that_was_taken_back_says_so_and_leads_on(station: Station, form: Browser) -> None:
    station.does(UndoSteps(1, "a wrong list"))
    for answer in (form.send(f"{SHEET}/confirm", WON, 404), form.get(SHEET, expected=404)):
        shows(answer, "The seats of this round aren't published now", f'href="/judge/t/{OPEN}"')
    live = form.answer(SHEET, WON, **{"hx-request": "true"})
    assert live.headers["hx-redirect"] == SHEET


def test_a_correction_of_a_result_that_was_corrected_meanwhile_shows_both(
    station: Station, form: Browser
) -> None:
    form.send(f"{SHEET}/confirm", WON)
    mine = {**ROLES, "out-1": "1", "by-1": "4", "corrects": hidden(form.get(SHEET), "corrects")}
    ada = of_ada(form)
    other = {**ROLES, "out-1": "3", "by-1": "2", "out-2": "1", "by-2": "4"}
    ada.send(f"{SHEET}/take", {})
    corrects = hidden(ada.get(SHEET), "corrects")
    ada.send(f"{SHEET}/confirm", other | {"corrects": corrects, "reason": "misread"})
    page = form.send(f"{SHEET}/confirm", mine | {"reason": "also misread"})
    shows(page, "Ada confirmed another result", "Keep the other result")
    assert entered(station).corrections == ("misread",)
    form.send(f"{SHEET}/confirm", mine | {"corrects": hidden(page, "corrects"), "reason": "also misread"})
    assert entered(station).corrections == ("misread", "also misread")


def test_a_terminals_result_is_confirmed_only_as_the_judge_saw_it(station: Station, judge: Browser) -> None:
    terminal = station.running_round()
    terminal.ends()
    terminal.sends()
    table = SHEET.removesuffix("sheet")
    seen = hidden(judge.get(table), "looked-at")
    *first, one, other = (seat.role for seat in terminal.state.seats)
    terminal.tells(DeclareRoles(tuple(present(role) for role in (*first, other, one))))
    page = judge.send(f"{table}confirm", {"looked-at": seen})
    assert "The terminal's result has changed since you looked" in page
    assert station.service.card(OPEN, RoundNo(1), TableNo(1)).accepted is None
    judge.send(f"{table}confirm", {"looked-at": hidden(judge.get(table), "looked-at")})
    assert station.service.card(OPEN, RoundNo(1), TableNo(1)).accepted is not None


def test_the_ending_and_the_winnings_are_shown_before_anything_is_stored(
    station: Station, form: Browser
) -> None:
    page = form.send(SHEET, WON)
    assert "The Outlaws win" in page
    assert page.count("$1,800") == 2
    assert station.service.card(OPEN, RoundNo(1), TableNo(1)).accepted is None
    form.send(f"{SHEET}/confirm", WON)
    sheet = entered(station)
    result = outlaws_won(station.service.tournament(OPEN).rounds[0], 1)
    assert (sheet.by, sheet.source, sheet.result) == ("Roy", Source.PAPER, result)


def test_the_form_of_a_confirmed_sheet_says_by_whom_and_leads_on(form: Browser) -> None:
    assert "This sheet is confirmed" not in form.get(SHEET)
    form.send(f"{SHEET}/confirm", WON)
    shows(form.get(SHEET), "This sheet is confirmed (Roy, ", f'href="/judge/t/{OPEN}/sheets"')


def test_who_is_withdrawn_while_their_table_plays_is_marked_on_its_sheet(
    station: Station, form: Browser
) -> None:
    leaver = station.latest_round.tables[0].players[2]
    path = f"/judge/t/{OPEN}/players/{leaver}/withdraw"
    shows(form.send(f"{path}/what-if", {"reason": "train"}), "Round 1, table 1", "record sheet is missing")
    form.send(path, {"reason": "train"})
    page = form.get(SHEET)
    assert page.count("Left the tournament in this round") == 1
    row = page.split('name="left-3"')[1].split("</div>")[0]
    shows(row, "Left the tournament in this round: tick this if the game was still running.")


def test_a_summary_beside_the_form_leaves_the_focus_where_somebody_types(form: Browser) -> None:
    assert "autofocus" in form.send(SHEET, WON)
    live = form.answer(SHEET, WON, **{"hx-request": "true"}).text
    shows(live, "The Outlaws win", never="autofocus")


def test_a_table_on_paper_has_no_story_of_a_terminal(form: Browser) -> None:
    shows(form.get(SHEET.removesuffix("/sheet")), "Enter the result from paper", never="Story")


def test_roles_that_follow_from_the_others_need_not_be_chosen(station: Station, form: Browser) -> None:
    shot = {"role-3": "deputy", "role-5": "renegade", "out-1": "1", "by-1": "2"}
    assert form.send(SHEET, shot).count("$1,800") == 2
    form.send(f"{SHEET}/confirm", shot)
    assert entered(station).result == outlaws_won(station.service.tournament(OPEN).rounds[0], 1)


def test_d35_an_own_duel_is_entered_by_the_other_duellist(form: Browser) -> None:
    shows(form.get(SHEET), 'value="dynamite"', never="own-duel")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            {"role-3": "", "role-4": ""} | SHERIFF_SHOT,
            {"Seat 3: choose a role.": 2, "Seat 4: choose a role.": 2, 'class="pick-row wrong"': 2},
        ),
        ({"role-4": "sailor"} | SHERIFF_SHOT, {"Seat 4: choose a role.": 2}),
        ({"role-5": "outlaw"} | SHERIFF_SHOT, {"a table of 5 has": 1, 'value="outlaw" checked': 3}),
        (
            {"out-1": "3", "by-1": "2", "out-2": "3", "by-2": "4", "out-3": "1", "by-3": "2"},
            {"Seat 3 is eliminated twice.": 2},
        ),
        (
            {"out-1": "3", "by-1": "2", "out-2": "1", "by-2": "3"},
            {"Seat 3 had already been eliminated.": 2, 'wrong"><span class="who"><b class="n">3</b>': 1},
        ),
        (
            {"out-1": "3", "by-1": "dynamite"},
            {"the game isn't over": 2, 'elimination wrong"><b': 1},
        ),
        ({f"out-{row}": "3" for row in range(1, 40)} | {"by-1": "2"}, {"the game isn't over": 2}),
    ],
)
def test_what_cannot_have_happened_is_refused_where_it_is_wrong(
    form: Browser, typed: dict[str, str], said: dict[str, int]
) -> None:
    page = form.send(SHEET, ROLES | typed, 422)
    assert {part: page.count(part) for part in said} == said


def test_the_time_limit_ends_a_game_without_a_winner(form: Browser) -> None:
    page = form.send(SHEET, {**ROLES, "out-1": "3", "by-1": "high-noon", "time-limit": "yes"})
    assert "Nobody wins" in page


def test_a_correction_proposes_the_present_values_and_needs_a_reason(station: Station, form: Browser) -> None:
    form.send(f"{SHEET}/confirm", WON)
    page = form.get(SHEET)
    assert page.count('value="outlaw" checked') == 2
    wrong = {**ROLES, "out-1": "1", "by-1": "4"}
    page = form.send(f"{SHEET}/confirm", wrong | {"corrects": hidden(page, "corrects")})
    shows(page, 'name="reason" required', "What would change", never="Keep the other result")
    page = form.send(f"{SHEET}/confirm", {**wrong, "reason": "misread"})
    shows(page, "Corrected: misread", never="is the same as")
    sheet = entered(station)
    assert sheet.corrections == ("misread",)
    assert sheet.result.eliminations[0].by == 4


def test_a_correction_that_changes_nothing_is_refused(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    terminal = station.terminal(1)
    terminal.plays()
    known = station.service.card(OPEN, RoundNo(1), TableNo(1)).accepted
    assert isinstance(known, FinishedGame)
    page = judge.send(
        f"{SHEET}/confirm",
        {**game_fields(known, edition("championship-2022")), "reason": "no reason at all"},
    )
    assert "is the same as the confirmed one" in page


def test_what_was_typed_can_be_changed_before_it_is_confirmed(form: Browser) -> None:
    page = form.send(f"{SHEET}/again", WON)
    chosen = set(re.findall(r'name="([^"]+)" value="([^"]+)" checked', page))
    assert chosen == {*ROLES.items(), ("out-1", "1"), ("by-1", "2")}


CHARACTERS = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")
BOUGHT = {f"character-{seat}": name for seat, name in enumerate(CHARACTERS, 1)}
FREE = {f"price-{seat}": "0" for seat in range(1, 6)}
SHOT = {**ROLES, **BOUGHT, **FREE, "out-1": "1", "by-1": "unknown"}


@pytest.fixture
def form_2010(station: Station, judge: Browser) -> Browser:
    station.opens(10, Waivers(rounds=1), "championship-2010")
    station.publishes()
    judge.get(SHEET)
    return judge


def test_prices_of_an_auction_are_kept_and_taken_off(station: Station, form_2010: Browser) -> None:
    shows(form_2010.send(SHEET, {**SHOT, "price-2": "700"}), "$700", never="spent more than")
    form_2010.send(f"{SHEET}/confirm", {**SHOT, "price-2": "700"})
    result = entered(station).result
    assert result.spent == result.prices == (0, 700, 0, 0, 0)
    assert [character.value for character in result.characters if character] == list(CHARACTERS)
    assert station.service.accounts(OPEN)[result.players[1]].total == 5_000 - 700 + 2_000
    shows(form_2010.get(SHEET), 'name="price-2"', 'value="700"')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"character-4": ""}, "Seat 4: choose the character."),
        ({"character-4": "Belle Star"}, "Seat 4: choose the character."),
        ({"character-4": "Rose Doolan"}, "Seat 4: Rose Doolan was already bought at seat 2."),
        ({"price-3": ""}, "Seat 3: enter the price too, or 0 if the character was free."),
        ({"price-3": "50"}, "Seat 3: $50 isn't possible; bids go up in steps of $100."),
        ({"price-3": "1,050"}, "Seat 3: $1,050 isn't possible; bids go up in steps of $100."),
        *(
            ({"price-3": text}, f"Seat 3: {text} isn't a price. Type whole dollars, such as 1500 or 1,500.")
            for text in ("much", "-100", "1.5", "1,50", "0.500", "1.0000", "1000000")
        ),
    ],
)
def test_what_cannot_have_been_bought_is_refused_at_its_seat(
    form_2010: Browser, typed: dict[str, str], problem: str
) -> None:
    page = form_2010.send(SHEET, SHOT | typed, 422)
    assert page.count(problem) == 2
    assert problem in page.split("Bought and played")[1]


def test_all_faults_of_a_sheet_are_shown_at_once_each_in_its_row(form_2010: Browser) -> None:
    faults = {"out-1": "3", "price-4": "", "price-3": "999999", "price-5": "5", "character-2": "Lucky Duke"}
    page = form_2010.send(SHEET, SHOT | faults, 422)
    alert, rows = page.split('role="alert"')[1].split("</form>")[0].split("<h2>Roles</h2>")
    sentences = (
        "the game isn't over",
        "Seat 4: enter the price too",
        "Seat 3: $999,999 isn't possible",
        "Seat 5: $5 isn't possible",
        "Seat 5: Lucky Duke was already bought at seat 2.",
    )
    shows(alert, *sentences)
    shows(rows, *sentences)
    places = re.findall('href="#([^"]+)"', alert)
    assert places == [f"fault-{name}" for name in ("out-2", "price-3", "price-4", "price-5", "character-5")]
    assert all(rows.count(f'id="{place}"') == 1 for place in places)


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["1.000", "1,000", "1 000", "1\u202f000", "1'000", "$1,000", "1000"])
def test_a_price_may_have_its_thousands_apart(station: Station, form_2010: Browser, typed: str) -> None:
    assert "$1,000" in form_2010.send(SHEET, {**SHOT, "price-2": typed})
    form_2010.send(f"{SHEET}/confirm", {**SHOT, "price-2": typed})
    assert entered(station).result.prices[1] == 1_000


def test_a_key_confirms_no_sheet_with_more_spent_than_there_was(form_2010: Browser) -> None:
    page = form_2010.send(SHEET, {**SHOT, "price-2": "5100"})
    shows(page, "spent more than they had:", "$5,100 of $5,000", "The price is right: they go into debt")
    focused = re.findall("<[^>]* autofocus>", page)
    assert focused == ['<input type="checkbox" name="overspent" value="yes" required data-first autofocus>']
    beside = form_2010.answer(SHEET, {**SHOT, "price-2": "5100"}, **{"hx-request": "true"}).text
    shows(beside, 'href="#price-2"', never="autofocus")


def test_cards_kept_are_asked_for_and_paid_with_experience(station: Station, judge: Browser) -> None:
    rules = RuleSet("official-2003", (OptionKey.EXPERIENCE,))
    station.opens(5, rules=rules)
    station.plays_round()
    station.publishes("second")
    sheet = f"/judge/t/{OPEN}/tables/2/1/sheet"
    assert "Cards kept from the last game cost $500 each." in judge.get(sheet)
    judge.send(f"{sheet}/confirm", {**ROLES, "out-1": "1", "by-1": "2", "cards-2": "2"})
    result = entered(station, 2).result
    assert result.spent == (0, 1_000, 0, 0, 0)
    assert result.prices == ()
    shows(judge.get(sheet), 'name="cards-2" inputmode="numeric" class="amount"', 'value="2"')


WITH_REBEL = {
    f"role-{seat}": role for seat, role in enumerate(("rebel", "deputy", "outlaw", "outlaw", "renegade"), 2)
}


def form_of_rebel(station: Station, judge: Browser) -> str:
    station.opens(6, rules=RuleSet("official-2003", (OptionKey.REBEL,)))
    station.publishes()
    return judge.get(SHEET)


def test_a_sheriff_who_came_back_as_a_rebel_is_entered_from_paper(station: Station, judge: Browser) -> None:
    assert "Somebody came back" in form_of_rebel(station, judge)
    shot = dict(WITH_REBEL)
    falls = ((1, 2, 2), (2, 1, 1), (4, 3, 3), (5, 3, 3), (6, 3, 3))
    for number, (out, by, turn) in enumerate(falls, 1):
        shot |= {f"out-{number}": str(out), f"by-{number}": str(by), f"turn-{number}": str(turn)}
    back = {"back-1": "1", "card-1": "ghost-town", "after-1": "1"}
    assert "The Outlaws win" not in judge.send(SHEET, {**shot, **back})
    # A Rebel! may have been the Sheriff, so that the turn decides.
    assert "Elimination 2: say on whose turn" in judge.send(SHEET, {**shot, **back, "turn-2": ""}, 422)
    assert "Row 1 of those who came back" in judge.send(SHEET, {**shot, **back, "after-1": ""}, 422)
    assert "had already been eliminated" in judge.send(SHEET, {**shot, **back, "back-1": "3"}, 422)
    judge.send(f"{SHEET}/confirm", {**shot, **back})
    result = entered(station).result
    assert result.comebacks == (Comeback(SeatNo(1), 1, EventCard.GHOST_TOWN),)
    assert (result.ending, survivors(result)) == (Ending.LAW_WINS, frozenset({SeatNo(1), SeatNo(3)}))
    assert 'name="after-1"><option value="">–</option><option selected>1</option>' in judge.get(SHEET)
    for page in ("tables/1/1", f"standings/{result.players[0]}/why"):
        assert judge.get(f"/judge/t/{OPEN}/{page}").count("came back: Ghost Town") == 1, page


def test_whose_turn_it_was_decides_about_a_revolution(station: Station, judge: Browser) -> None:
    form_of_rebel(station, judge)
    shot = WITH_REBEL | SHERIFF_SHOT
    assert "say on whose turn the Sheriff was eliminated" in judge.send(SHEET, shot, 422)
    assert "the game isn't over" in judge.send(SHEET, {**shot, "turn-1": "2"}, 422)
    assert "The Outlaws win" in judge.send(SHEET, {**shot, "turn-1": "1"})


@pytest.mark.parametrize("step", [SHEET, f"{SHEET}/confirm"])
def test_two_judges_with_one_sheet_see_both_results(station: Station, form: Browser, step: str) -> None:
    assert 'name="corrects"' not in form.get(SHEET)
    ada = of_ada(form)
    ada.send(f"{SHEET}/confirm", WON)
    by_four = {**ROLES, "out-1": "1", "by-1": "4"}
    page = form.send(step, by_four)
    corrects = hidden(page, "corrects")
    shows(page, "Ada confirmed another result, ", "Confirmed by Ada</h2>", "Your result</h2>")
    first = re.search(r'<main.*?class="[^"]*\bmain\b[^"]*"[^>]*>([^<]*)<', page, re.DOTALL)
    assert first is not None
    assert first[1] == "Keep the other result"
    assert entered(station).result.eliminations[0].by == 2
    form.send(f"{SHEET}/confirm", {**by_four, "corrects": corrects, "reason": "x"})
    assert entered(station).result.eliminations[0].by == 4


@pytest.mark.parametrize("by", ["2", "4"])
def test_of_two_judges_at_one_moment_the_second_one_reads_who_was_faster_and_with_what(
    station: Station, form: Browser, by: str
) -> None:
    ada = of_ada(form)
    forms = [(ada, WON), (form, {**ROLES, "out-1": "1", "by-1": by})]

    async def _together() -> tuple[httpx.Response, ...]:
        return tuple(await asyncio.gather(*(one.sending(f"{SHEET}/confirm", form) for one, form in forms)))

    answers = station.run(_together())
    (sheet,) = station.service.tournament(OPEN).rounds[0].sheets
    (page,) = (one.text for one in answers if "The record sheet has been confirmed." not in one.text)
    if by == "2":
        assert f"Table 1 is confirmed already ({sheet.by}): The Outlaws win. Yours is the same." in page
    else:
        assert f"Table 1 was confirmed before you ({sheet.by}), with another result: The Outlaws win." in page
        assert f"Confirmed by {sheet.by}</h2>" in page
        assert "Your result</h2>" in page


def test_who_confirms_a_terminals_report_late_reads_who_was_first(station: Station, form: Browser) -> None:
    terminal = station.terminal(1)
    terminal.seats()
    terminal.ends()
    terminal.sends()
    assert "Confirm the record sheet" in form.get(f"/judge/t/{OPEN}/tables/1/1/")
    terminal.tells(ConfirmSheet(Confirmation.PIN))
    page = form.post(f"/judge/t/{OPEN}/tables/1/1/confirm")
    assert "Table 1 is confirmed already (terminal of table 1, by PIN): The Outlaws win." in page


def test_a_second_judge_with_the_same_result_is_told_that_it_is_confirmed(
    station: Station, form: Browser
) -> None:
    for _ in range(2):
        assert "The record sheet has been confirmed." in form.send(f"{SHEET}/confirm", WON)
    assert entered(station).corrections == ()


def begins_light(station: Station, edition_name: str) -> None:
    station.opens(10, rules=RuleSet(edition_name, mode=RecordMode.LIGHT))
    station.publishes()


def test_a_light_games_sheet_asks_roles_and_eliminations_only(station: Station, judge: Browser) -> None:
    begins_light(station, "championship-2022")
    shows(judge.get(SHEET), 'name="out-1"', never=('name="by-1"', 'name="character-1"', 'name="price-1"'))
    shot = ROLES | {"out-1": "1"}
    assert judge.send(SHEET, shot).count("$1,800") == 2
    judge.send(f"{SHEET}/confirm", shot)
    elimination = entered(station).result.eliminations[0]
    assert (elimination.seat, elimination.by, elimination.cause) == (1, None, Cause.PLAYER)
    assert proof_faults(station) == ()


def test_a_light_games_sheet_asks_the_prices_that_were_paid_without_the_characters(
    station: Station, judge: Browser
) -> None:
    begins_light(station, "championship-2010")
    shows(judge.get(SHEET), 'name="price-1"', never=('name="by-1"', 'name="character-1"'))
    prices = {f"price-{seat}": str(seat * 100) for seat in range(1, 6)}
    judge.send(f"{SHEET}/confirm", ROLES | {"out-1": "1"} | prices)
    assert entered(station).result.prices == (100, 200, 300, 400, 500)
    assert entered(station).result.characters == ()


def test_a_light_games_sheet_asks_whatever_decides_about_money(station: Station, judge: Browser) -> None:
    begins_light(station, "official-2003")
    shows(judge.get(SHEET), 'name="by-1"', 'name="turns-1"')
    shows(judge.send(SHEET, ROLES | {"out-1": "1"}, 422), "Elimination 1: say by whom or by what.")


def test_a_light_games_terminal_may_have_told_more_than_its_sheet_asks(
    station: Station, judge: Browser
) -> None:
    begins_light(station, "championship-2022")
    judge.send(f"{SHEET}/confirm", WON)
    shows(judge.get(SHEET), '<input type="radio" name="by-1" value="2" checked>')


def test_in_a_full_game_nobody_has_to_say_by_whom_if_no_money_depends_on_it(form: Browser) -> None:
    shows(form.get(SHEET), 'name="by-1"', "You don't have to say by whom.")
    assert form.send(SHEET, ROLES | {"out-1": "1"}).count("$1,800") == 2
