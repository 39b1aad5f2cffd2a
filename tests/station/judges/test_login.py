"""Logins: who is admitted, for how long, the answers to all others, and sessions that end at the station."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from station.accounts.judges import Judges, hash_password
from station.accounts.permissions import AccountRole
from station.backups.backup import backup, restore
from station.store.database import Database, sqlite_url
from tests.station.browser import PASSWORD, Browser, first_group, logged_in_as, shows
from tests.station.conftest import OPEN, Station

NEW = "another password"


def test_a_session_does_not_outlive_its_account(judge: Browser) -> None:
    assert "New tournament" in judge.get("/judge")
    judge.judges.add("Zoe", PASSWORD)
    judge.judges.remove("Roy")
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


@pytest.mark.parametrize("elsewhere", ["/\\elsewhere.example/", "//elsewhere.example/"])
def test_the_login_goes_on_to_no_other_site(visitor: Browser, elsewhere: str) -> None:
    visitor.get("/login")
    assert "New tournament" in visitor.post("/login", name="Roy", password=PASSWORD, next=elsewhere)


def test_a_wrong_password_does_not_forget_where_the_judge_was_going(visitor: Browser) -> None:
    visitor.get("/login")
    page = visitor.post("/login", name="Roy", password="wrong wrong", next="/judge/terminals")
    shows(page, "Wrong name or password.", 'name="next" value="/judge/terminals"')
    page = visitor.post("/login", name="Roy", password="wrong wrong", next="//elsewhere.example/")
    assert "elsewhere" not in page
    assert 'name="password"' in visitor.get("/judge")


def test_another_language_does_not_forget_where_the_judge_was_going(visitor: Browser) -> None:
    page = visitor.get("/login?next=/judge/audit")
    address = first_group(r'name="next" value="(/login[^"]*)"', page)
    assert 'value="/judge/audit"' in visitor.post("/language", language="it", next=address)


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
    assert "no longer logged in" in visitor.post(f"/judge/t/{OPEN}/players", 401, name="Zoe")
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_the_login_after_a_form_leads_back_to_the_page_of_that_form(visitor: Browser) -> None:
    visitor.get("/login")
    page = visitor.answer("/judge/terminals/pins", {}, referer="http://station/judge/audit?page=2").text
    assert 'name="next" value="/judge/audit?page=2"' in page
    visitor.forget("csrftoken")
    page = visitor.answer("/judge/terminals/pins", {}, referer="http://station/judge/audit?page=2").text
    address = first_group(r'href="(/login\?next=[^"]*)"', page)
    assert 'name="next" value="/judge/audit?page=2"' in visitor.get(address)


def test_the_login_from_a_link_keeps_the_whole_address(visitor: Browser) -> None:
    assert 'name="next" value="/judge/audit?judge=Roy&amp;page=2"' in visitor.get(
        "/judge/audit?judge=Roy&page=2"
    )


def test_the_session_cookie_is_for_the_pages_alone(visitor: Browser) -> None:
    visitor.get("/login")
    data = {"name": "Roy", "password": PASSWORD, "_csrf_token": visitor._token}
    answer = visitor.station.run(visitor._client.post("/login", data=data, follow_redirects=False))
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("session"))
    assert "HttpOnly" in cookie
    assert re.search("samesite=lax", cookie, re.IGNORECASE)
    assert "Roy" not in cookie


def test_refusals_are_told_in_the_readers_language(station: Station, judge: Browser) -> None:
    station.opens(9)
    assert "Troppo pochi giocatori (9)" in judge.get(f"/judge/t/{OPEN}/draw", "it")


@pytest.fixture
def judges(station: Station) -> Judges:
    return Judges(station.database, station.clock.wall_ms)


@pytest.fixture
def copy(station: Station, judge: Browser) -> Browser:
    """Return a browser with a copy of the judge's cookies."""
    copied = Browser(station)
    copied._client.cookies.update(judge._client.cookies)
    assert copied.status("/judge").status_code == 200
    return copied


def is_out(browser: Browser) -> bool:
    assert browser.status("/judge/backup").status_code in {200, 302, 307}
    return browser.status("/judge").status_code == 302 and browser.status("/judge/backup").status_code == 302


def test_a_copied_cookie_is_worth_nothing_after_the_logout(judge: Browser, copy: Browser) -> None:
    """Other browsers of the judge are left alone."""
    other = logged_in_as(judge.station, AccountRole.HEAD_JUDGE)
    judge.post("/logout")
    assert [is_out(browser) for browser in (judge, copy, other)] == [True, True, False]


def test_a_session_does_not_return_with_a_new_account(judges: Judges, judge: Browser, copy: Browser) -> None:
    judges.add("Zoe", PASSWORD)
    judges.remove("Roy")
    judges.add("Roy", NEW)
    assert is_out(judge)
    assert is_out(copy)


def test_a_password_from_the_cards_file_ends_the_sessions(judges: Judges, copy: Browser) -> None:
    judges.set_password_hash("roy", hash_password(NEW))
    assert is_out(copy)


def test_a_changed_password_ends_all_other_sessions(judges: Judges, judge: Browser, copy: Browser) -> None:
    page = judge.post("/judge/account/password", current=PASSWORD, new=NEW, again=NEW)
    assert "Your password has been changed" in page
    assert is_out(copy)
    assert not is_out(judge)
    assert judges.check("Roy", PASSWORD) is None
    assert judges.check("Roy", NEW) is not None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("wrong wrong", NEW, NEW), "The current password is wrong."),
        ((PASSWORD, NEW, NEW + "!"), "The two new passwords don't match."),
        ((PASSWORD, "short", "short"), "8 characters"),
    ],
)
def test_a_refused_password_changes_nothing(
    judges: Judges, judge: Browser, copy: Browser, typed: tuple[str, str, str], said: str
) -> None:
    judge.get("/judge/account")
    current, new, again = typed
    assert said in judge.post("/judge/account/password", current=current, new=new, again=again)
    assert judges.check("Roy", PASSWORD) is not None
    assert not is_out(copy)


def test_who_holds_a_session_cannot_try_passwords_without_end(judge: Browser) -> None:
    for _ in range(20):
        judge.post("/judge/account/password", current="wrong wrong", new=NEW, again=NEW)
    assert "Wait a minute" in judge.post("/judge/account/password", 429, current=PASSWORD, new=NEW, again=NEW)


def test_signing_out_everywhere_ends_every_session(station: Station, judge: Browser, copy: Browser) -> None:
    other = logged_in_as(station, AccountRole.HEAD_JUDGE)
    assert "logged out everywhere" in judge.post("/judge/account/sign-out-everywhere")
    assert all(is_out(browser) for browser in (judge, copy, other))


def test_a_session_goes_on_when_the_station_starts_again(station: Station, judge: Browser) -> None:
    after = Browser(station)
    after._client.cookies.update(judge._client.cookies)
    assert not is_out(after)


def test_a_restored_copy_brings_no_session_back(station: Station, judges: Judges, tmp_path: Path) -> None:
    judges.add("Roy", PASSWORD)
    key = judges.sessions.begin("Roy")
    assert judges.sessions.find(key) is not None
    copied = tmp_path / "copy.sqlite"
    copied.write_bytes(backup(station.database))
    restore(copied, tmp_path / "restored.sqlite", force=False)
    with closing(Database(sqlite_url(tmp_path / "restored.sqlite"))) as database:
        restored = Judges(database, station.clock.wall_ms)
        assert restored.check("Roy", PASSWORD) is not None
        assert restored.sessions.find(key) is None


def test_the_oldest_sessions_of_a_judge_end_above_32(judges: Judges, judge: Browser) -> None:
    keys = [judges.sessions.begin("Roy") for _ in range(32)]
    assert is_out(judge)
    assert all(judges.sessions.find(key) for key in keys)


def test_right_logins_do_not_use_up_the_tries(visitor: Browser) -> None:
    for _ in range(25):
        visitor.get("/login")
        visitor.post("/login", name="Roy", password=PASSWORD)
    visitor.get("/login")
    assert "Wrong name or password." in visitor.post("/login", name="Roy", password="wrong wrong")
