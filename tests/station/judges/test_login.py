"""Logins: who is admitted, for how long, and the answers to all others."""

import re

from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser, logged_in_as
from tests.station.conftest import OPEN, Station


def test_a_session_does_not_outlive_its_account(station: Station, judge: Browser) -> None:
    assert "New tournament" in judge.get("/judge")
    judges = Judges(station.database, station.clock.wall_ms)
    judges.add("Zoe", PASSWORD)
    judges.remove("Roy")
    assert "no longer logged in" in judge.post("/judge/terminals/pins", 401)
    assert 'name="password"' in judge.get("/judge")


def test_who_is_not_let_in_is_told_so_in_the_own_language(visitor: Browser) -> None:
    visitor.get("/login", "it")
    answer = visitor.answer("/judge/terminals/pins", {}, "it")
    assert answer.status_code == 401
    assert "L’accesso è scaduto" in answer.text


def test_a_station_without_judges_says_how_to_make_one(station: Station) -> None:
    browser = Browser(station, has_judges=False)
    assert "saloon-station judge add" in browser.get("/judge")


def test_the_login_goes_on_to_no_other_site(visitor: Browser) -> None:
    visitor.get("/login")
    page = visitor.post("/login", name="Roy", password=PASSWORD, next="/\\elsewhere.example/")
    assert "New tournament" in page


def test_a_wrong_password_does_not_forget_where_the_judge_was_going(visitor: Browser) -> None:
    visitor.get("/login")
    page = visitor.post("/login", name="Roy", password="wrong wrong", next="/judge/terminals")
    assert "Wrong name or password." in page
    assert 'name="next" value="/judge/terminals"' in page
    page = visitor.post("/login", name="Roy", password="wrong wrong", next="//elsewhere.example/")
    assert "elsewhere" not in page


def test_another_language_does_not_forget_where_the_judge_was_going(visitor: Browser) -> None:
    page = visitor.get("/login?next=/judge/audit")
    match = re.search(r'name="next" value="(/login[^"]*)"', page)
    assert match is not None
    assert 'value="/judge/audit"' in visitor.post("/language", language="it", next=match[1])


def test_forms_on_a_page_of_an_error_work_too(station: Station) -> None:
    display = logged_in_as(station, AccountRole.DISPLAY)
    display.get("/judge/accounts", expected=403)
    assert '<html lang="it">' in display.post("/language", language="it", next="/")
    display.get("/nowhere", expected=404)
    display.forget("csrftoken")
    display.post("/logout", 403)
    assert "Accesso dei giudici" in display.post("/logout")


def test_too_many_tries_are_slowed_down(visitor: Browser) -> None:
    visitor.get("/login")
    for _ in range(20):
        visitor.post("/login", name="Roy", password="wrong wrong")
    assert "Wait a minute" in visitor.post("/login", 429, name="Roy", password=PASSWORD)


def test_a_form_sent_after_the_session_changes_nothing_and_says_so(
    station: Station, visitor: Browser
) -> None:
    station.opens()
    visitor.get("/login")
    page = visitor.post(f"/judge/t/{OPEN}/players", 401, name="Zoe")
    assert "no longer logged in" in page
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_the_login_after_a_form_leads_back_to_the_page_of_that_form(visitor: Browser) -> None:
    visitor.get("/login")
    page = visitor.answer("/judge/terminals/pins", {}, referer="http://station/judge/audit?page=2").text
    assert 'name="next" value="/judge/audit?page=2"' in page
    visitor.forget("csrftoken")
    page = visitor.answer("/judge/terminals/pins", {}, referer="http://station/judge/audit?page=2").text
    match = re.search(r'href="(/login\?next=[^"]*)"', page)
    assert match is not None
    assert 'name="next" value="/judge/audit?page=2"' in visitor.get(match[1])


def test_the_login_from_a_link_keeps_the_whole_address(visitor: Browser) -> None:
    assert 'name="next" value="/judge/audit?judge=Roy&amp;page=2"' in visitor.get(
        "/judge/audit?judge=Roy&page=2"
    )


def test_the_session_cookie_is_for_the_pages_alone(visitor: Browser) -> None:
    visitor.get("/login")
    answer = visitor.station.run(
        visitor._client.post(
            "/login",
            data={"name": "Roy", "password": PASSWORD, "_csrf_token": visitor._token},
            follow_redirects=False,
        )
    )
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("session"))
    assert "HttpOnly" in cookie
    assert re.search("samesite=lax", cookie, re.IGNORECASE)
    assert "Roy" not in cookie


def test_a_refused_tournament_keeps_what_was_filled_in(judge: Browser) -> None:
    judge.get("/judge/new/championship-2022")
    fields = {"name": "Sunday", "edition": "championship-2022", "date": "2026-11-22", "rounds": "many"}
    page = judge.send("/judge/tournaments", fields, 422)
    assert "many isn't a whole number" in page
    assert 'value="Sunday"' in page


def test_refusals_are_told_in_the_readers_language(station: Station, judge: Browser) -> None:
    station.opens(9)
    assert "Troppo pochi giocatori (9)" in judge.get(f"/judge/t/{OPEN}/draw", "it")
