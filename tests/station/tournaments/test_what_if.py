"""The consequences of a step, and the games that an undo would void or has voided."""

import re

import pytest

from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.play.turns import EndTurn
from core.terms import PlayerId
from core.tournament.penalties import WithdrawPlayer
from core.tournament.standings.ranking import DrawLots
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser, proof_faults, shows, words
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"
SHEET = f"{HERE}/tables/1/1/sheet"
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
OUTLAWS = {**ROLES, "out-1": "1", "by-1": "2"}
NOBODY = {**ROLES, "out-1": "3", "by-1": "high-noon", "time-limit": "yes"}


def two_tables(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    judge.get(SHEET)


def test_a_first_result_has_no_consequences_to_show(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    assert "What would change" not in judge.send(SHEET, OUTLAWS)


def test_a_correction_shows_dollars_ranks_and_tie_breaks_before_it_is_confirmed(
    station: Station, judge: Browser
) -> None:
    two_tables(station, judge)
    before = station.service.tournament(OPEN)
    assert "is the same as the confirmed one" in judge.send(SHEET, OUTLAWS, 422)
    page = judge.send(SHEET, NOBODY)
    assert "What would change" in page
    assert page.count("<del>$1,800</del> <b>$0</b>") >= 4
    assert "Marogi" in page
    assert "Ties that only drawing lots could break:" in words(page)
    assert station.service.tournament(OPEN) == before


@pytest.mark.parametrize(("edition", "bought"), [("championship-2022", False), ("championship-2010", True)])
def test_spending_is_compared_where_the_rules_sell_something(
    station: Station, judge: Browser, edition: str, *, bought: bool
) -> None:
    station.opens(10, Waivers(rounds=1), edition)
    station.publishes()
    names = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")
    characters = {f"character-{seat}": name for seat, name in enumerate(names, 1)}
    judge.send(f"{SHEET}/confirm", {**OUTLAWS, **characters, "turn-1": "2"})
    prices = {f"price-{seat}": "700" if seat == 2 else "0" for seat in range(1, 6)}
    page = judge.send(SHEET, {**NOBODY, **characters, **prices, "turn-1": "2"})
    changes = page.partition("What would change")[2].partition("</table>")[0]
    assert ("<h3>Winnings and spending</h3>" in changes, "<h3>Winnings</h3>" in changes) == (
        bought,
        not bought,
    )
    assert (">Spent</th>" in changes, "<del>$0</del> <b>$700</b>" in changes) == (bought, bought)
    assert "<del>$" in changes


def test_lots_that_would_count_no_more_are_named(station: Station, judge: Browser) -> None:
    two_tables(station, judge)
    station.does(DrawLots("ab" * 32))
    assert "Lots drawn that would no longer count:" in judge.send(SHEET, NOBODY)


@pytest.mark.parametrize("steps", ["999", "two"])
def test_steps_that_cannot_be_undone_are_refused_in_words(
    station: Station, judge: Browser, steps: str
) -> None:
    two_tables(station, judge)
    page = judge.send(f"{HERE}/undo/what-if", {"steps": steps, "reason": "x"})
    assert steps in words(page)
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_taking_steps_back_can_be_looked_at_and_then_done(station: Station, judge: Browser) -> None:
    two_tables(station, judge)
    page = judge.send(f"{HERE}/undo/what-if", {"steps": "1", "reason": "wrong table"})
    assert "<del>$1,800</del> <b>–</b>" in page
    assert station.service.tournament(OPEN).rounds[0].missing == ()
    judge.send(f"{HERE}/undo", {"steps": "1", "reason": "wrong table"})
    assert len(station.service.tournament(OPEN).rounds[0].missing) == 1


def test_a_tournaments_name_and_date_can_be_corrected_and_taken_back(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    name, date = station.service.tournament(OPEN).name, station.service.tournament(OPEN).date
    assert "That is already" in judge.send(f"{HERE}/name", {"name": name, "date": date})
    assert "“soon” isn't a date" in judge.send(f"{HERE}/name", {"name": name, "date": "soon"})
    judge.send(f"{HERE}/name", {"name": "  Open di  Garda ", "date": "2026-12-01"})
    state = station.service.tournament(OPEN)
    assert (state.name, state.date) == ("Open di Garda", "2026-12-01")
    assert "→ Open di Garda, " in judge.get(f"{HERE}/history")
    assert "Open di Garda" in judge.get(f"/t/{OPEN}")
    assert proof_faults(station) == ()
    judge.send(f"{HERE}/undo", {"steps": "1", "reason": "wrong lake"})
    assert "<del>Tournament renamed" in judge.get(f"{HERE}/history")
    assert station.service.tournament(OPEN).name == name


def test_who_is_no_judge_sees_nothing_of_it(station: Station, visitor: Browser) -> None:
    station.opens(10)
    assert "Undo" not in visitor.get(f"{HERE}/undo/what-if")
    assert visitor.status(f"{HERE}/undo/what-if").headers["location"] == f"{HERE}/undo"


def test_a_preview_leads_back_to_its_page_in_another_language_and_after_a_refusal(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    withdrawal = f"{HERE}/players/p001/withdraw"
    judge.send(f"{withdrawal}/what-if", {"reason": "ill"})
    assert "Player 1" in judge.send("/language", {"language": "en", "next": f"{withdrawal}/what-if"})
    station.does(WithdrawPlayer(PlayerId("p001"), "ill"))
    page = judge.answer(withdrawal, {"reason": "ill"}, referer=f"http://station{withdrawal}/what-if")
    assert "has left the tournament" in page.text


def test_the_page_names_what_is_about_to_be_done(station: Station, judge: Browser) -> None:
    two_tables(station, judge)
    undo = judge.send(f"{HERE}/undo/what-if", {"steps": "2", "reason": "wrong list"})
    assert "<h1>Undo 2 steps?</h1>" in undo
    assert "Nothing has happened yet. Reason: wrong list" in words(undo)
    player = station.service.tournament(OPEN).entrants[1]
    for change, question in (
        ("eject", "Eject {} from the tournament?"),
        ("withdraw", "Withdraw {} from the tournament for good?"),
    ):
        path = f"/players/{player.player}/{change}"
        page = judge.send(f"{HERE}{path}/what-if", {"reason": "rude"})
        shows(page, question.format(player.name), path)
        assert "left" in words(page)
    assert not any(entrant.is_out for entrant in station.service.tournament(OPEN).entrants)


@pytest.mark.parametrize(("count", "is_too_few"), [(10, True), (13, False)])
def test_a_departure_after_which_nobody_can_be_seated_says_so(
    station: Station, judge: Browser, count: int, *, is_too_few: bool
) -> None:
    station.opens(count, Waivers(rounds=3))
    station.plays_round()
    page = judge.send(f"{HERE}/players/p010/withdraw/what-if", {"reason": "train"})
    assert ("9 players would be left, too few for the next round" in page) is is_too_few
    assert ("would be left, too few" in page) is is_too_few
    assert "Nothing has happened yet." in page


def test_each_game_is_ticked_and_can_be_read_afterwards(judge: Browser, station: Station) -> None:
    terminal = station.round_with_terminal()
    game = terminal.seats()
    terminal.tells(EndTurn())
    judge.get(f"{HERE}/history")
    undo = {"steps": "1", "reason": "wrong list"}
    assert "would void the games at these tables: 1." in judge.send(f"{HERE}/undo", undo)
    page = judge.send(f"{HERE}/undo/what-if", undo)
    assert "1 game would be voided" in page
    assert "Void the game at table 1</strong> · turn 2" in page
    assert "No dollar amounts or ranks would change." not in page
    assert "Game at table 1 voided" in judge.send(f"{HERE}/undo", {**undo, f"void-{game}": "yes"})
    terminal.writes(GameStep(game, (VoidGame("The draw was taken back."),), 3, 3))
    terminal.sends()
    shows(judge.get(f"{HERE}/voided/{game}"), "Players seated", "The draw was taken back.")
    assert judge.status(f"{HERE}/voided/another").status_code == 404
    assert "partita" in judge.get(f"{HERE}/voided/{game}", "it")


def test_a_change_that_voids_nothing_says_so_as_before(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.publishes()
    page = judge.send(f"{HERE}/undo/what-if", {"steps": "1", "reason": "wrong list"})
    shows(page, "No dollar amounts or ranks would change.", never="would be void")


def test_an_old_page_does_not_undo_a_step_that_came_after_it(judge: Browser, station: Station) -> None:
    station.opens(10)
    seen = re.findall(r'name="seen" value="(\d+)"', judge.get(f"{HERE}/history"))[0]
    old = {"steps": "1", "seen": seen, "reason": "wrong list"}
    preview = judge.send(f"{HERE}/undo/what-if", {"steps": "1", "reason": "wrong list"})
    assert f'name="seen" value="{seen}"' in preview
    station.does(WithdrawPlayer(PlayerId("p001"), "ill"), "Ada")
    assert "Nothing was undone, as another step followed: " in judge.send(f"{HERE}/undo/what-if", old)
    assert "Nothing was undone, as another step followed: " in judge.send(f"{HERE}/undo", old)
    assert station.service.tournament(OPEN).entrant(PlayerId("p001")).is_out  # type: ignore[union-attr]
    # Two presses of one button undo one step.
    now = {**old, "seen": re.findall(r'name="seen" value="(\d+)"', judge.get(f"{HERE}/history"))[0]}
    judge.send(f"{HERE}/undo", now)
    judge.send(f"{HERE}/undo", now)
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_a_result_from_paper_says_that_it_ends_the_game_at_the_terminal(
    judge: Browser, station: Station
) -> None:
    terminal = station.running_round()
    terminal.sends()
    for table, is_warned in ((1, True), (2, False)):
        page = judge.send(f"{HERE}/tables/1/{table}/sheet", {"role-1": "sheriff", **OUTLAWS})
        assert ("is in the middle of this game" in page) is is_warned
        assert ('name="end-there" value="yes" required' in page) is is_warned
