"""Accounts and their roles: made, changed, deleted and invited by head judges."""

import re
from html import unescape

import pytest

from station.accounts.invitations import LIFETIME_MS
from station.accounts.judges import Judge, hash_password
from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser, first_group, logged_in_as, shows
from tests.station.conftest import OPEN, Station

FLOOR = AccountRole.FLOOR_JUDGE
ACCOUNTS = "/judge/accounts"
INVITATIONS = f"{ACCOUNTS}/invitations"
OWN = "a word of her own"


def test_a_floor_judge_reads_no_standings_takes_no_keys_away_and_deletes_nobody(station: Station) -> None:
    """Every judge could do these three things before there were roles."""
    station.opens(10)
    station.plays_round()
    floor = logged_in_as(station, FLOOR)
    page = floor.get(f"/judge/t/{OPEN}/standings", expected=403)
    shows(page, "You're logged in as floor-judge, floor judge.", "<dt>head judge</dt><dd>Roy</dd>")
    assert floor.status("/judge/backup").status_code == 403
    floor.post(f"{ACCOUNTS}/remove", 403, name="Roy")
    assert floor.judges.find("Roy") == Judge("Roy")
    assert floor.status(f"/judge/t/{OPEN}/floor").status_code == 200
    assert "New tournament" not in floor.get("/judge")


def test_head_judges_make_and_delete_accounts_and_the_last_one_stays(judge: Browser) -> None:
    assert "Give the password" in judge.post(ACCOUNTS, name="Zoe", password=PASSWORD, role="floor-judge")
    assert judge.judges.check("Zoe", PASSWORD) == Judge("Zoe", FLOOR)
    page = judge.post(ACCOUNTS, name="zoe ", password=PASSWORD, role="display")
    assert "There's already a judge called Zoe" in page
    assert "There's already a judge called Zoe" in judge.post(INVITATIONS, name="zoe", role="display")
    assert "Choose a role." in judge.post(ACCOUNTS, name="Ann", password=PASSWORD, role="")
    assert "Roy is the only head judge" in judge.post(f"{ACCOUNTS}/remove", name="Roy")
    assert "Roy is the only head judge" in judge.post(f"{ACCOUNTS}/role", name="Roy", role="display")
    judge.post(f"{ACCOUNTS}/remove", name="Zoe")
    assert judge.judges.all() == (Judge("Roy"),)


def test_two_head_judges_who_delete_or_demote_each_other_at_once_leave_one(judge: Browser) -> None:
    for path, role in (("remove", ""), ("role", "organiser")) * 2:
        judge.judges.set_password_hash("Roy", hash_password(PASSWORD))
        judge.judges.set_password_hash("Zoe", "not a password of anybody")
        for name in ("Roy", "Zoe"):
            judge.judges.set_role(name, AccountRole.HEAD_JUDGE)
        judge.log_in()
        judge.together(f"{ACCOUNTS}/{path}", {"name": "Zoe", "role": role}, {"name": "Roy", "role": role})
        heads = [one for one in judge.judges.all() if one.role is AccountRole.HEAD_JUDGE]
        assert len(heads) == 1


def test_a_changed_role_applies_at_once_and_ends_no_session(station: Station, judge: Browser) -> None:
    station.opens(10)
    zoe = logged_in_as(station, FLOOR)
    standings = f"/judge/t/{OPEN}/standings"
    assert zoe.status(standings).status_code == 403
    judge.post(f"{ACCOUNTS}/role", name="floor-judge", role="head-judge")
    assert zoe.status(standings).status_code == 200
    judge.post(f"{ACCOUNTS}/role", name="floor-judge", role="display")
    assert zoe.status(standings).status_code == 403
    assert "screen in the hall" in zoe.get("/judge")


def test_a_part_of_a_page_that_is_not_for_the_role_any_more_sends_the_browser_home(station: Station) -> None:
    station.opens(10)
    display = logged_in_as(station, AccountRole.DISPLAY)
    answer = display.status(f"/judge/t/{OPEN}/floor/calls", **{"hx-request": "true"})
    assert (answer.status_code, answer.content) == (403, b"")
    assert answer.headers["hx-redirect"] == "/judge"


def test_a_head_judge_sees_and_ends_everybodys_sessions(station: Station, judge: Browser) -> None:
    zoe = logged_in_as(station, FLOOR)
    page = judge.get(ACCOUNTS)
    [session] = [one for one in judge.judges.sessions.all() if one.judge == "floor-judge"]
    assert f'name="number" value="{session.number}"' in page
    judge.post(f"{ACCOUNTS}/sessions/end", name="floor-judge", number=str(session.number))
    assert zoe.status("/judge").status_code == 302
    assert judge.status("/judge").status_code == 200


def test_one_sees_and_ends_ones_own_sessions_only(station: Station, judge: Browser) -> None:
    other = Browser(station)
    other._client.headers["user-agent"] = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Firefox/133.0"
    other.log_in()
    zoe = logged_in_as(station, FLOOR)
    page = judge.get("/judge/account")
    assert "Firefox on Android" in page
    assert page.count("this browser") == 1
    numbers = {int(number) for number in re.findall(r'name="number" value="(\d+)"', page)}
    all_sessions = judge.judges.sessions.all()
    assert numbers == {one.number for one in all_sessions if one.judge == "Roy"}
    [theirs] = [one for one in all_sessions if one.judge == "floor-judge"]
    judge.post("/judge/account/sessions/end", number=str(theirs.number))
    assert zoe.status("/judge").status_code == 200
    [on_phone] = [one for one in all_sessions if "Android" in one.agent]
    assert "logged out" in judge.post("/judge/account/sessions/end", number=str(on_phone.number))
    assert other.status("/judge").status_code == 302
    assert judge.status("/judge").status_code == 200


@pytest.mark.parametrize(("later_ms", "noted_ms"), [(30_000, 0), (90_000, 90_000)])
def test_a_sessions_last_use_is_noted_once_a_minute(judge: Browser, later_ms: int, noted_ms: int) -> None:
    [before] = judge.judges.sessions.all()
    judge.station.clock.passed_ms += later_ms
    judge.get("/judge")
    [after] = judge.judges.sessions.all()
    assert (after.used_ms - before.used_ms, after.begun_ms) == (noted_ms, before.begun_ms)


def invites(judge: Browser, name: str = "Zoe", role: str = "floor-judge") -> str:
    """Return the invitation's link from the page."""
    page = judge.post(INVITATIONS, name=name, role=role)
    assert 'src="data:image/svg' in page
    return first_group(r"http://station(/invitation\?key=[0-9a-f]{64})", unescape(page))


def next_in(page: str) -> str:
    """Return the page to which the page's language form returns."""
    return unescape(first_group(r'name="next" value="([^"]*)"', page))


def accepts(visitor: Browser, link: str, expected: int = 200) -> str:
    visitor.get("/login")
    key = link.partition("=")[2]
    return visitor.post("/invitation", expected, key=key, password=OWN, again=OWN)


def test_a_guest_chooses_a_password_and_is_in_and_the_link_works_once(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10)
    link = invites(judge)
    shows(visitor.get(link), "Welcome, Zoe", "Roy invites you to this station as floor judge")
    assert "Log out Zoe" in accepts(visitor, link)
    assert judge.judges.check("Zoe", OWN) == Judge("Zoe", AccountRole.FLOOR_JUDGE)
    assert visitor.status(f"/judge/t/{OPEN}/standings").status_code == 403
    second = Browser(station)
    assert "isn't valid any more. If you have used it, log in" in accepts(second, link, 404)
    assert second.status(link).status_code == 404


def test_of_two_guests_at_once_one_gets_in(judge: Browser, visitor: Browser) -> None:
    key = invites(judge).partition("=")[2]
    visitor.get("/login")
    forms = [{"key": key, "password": f"{OWN} {n}", "again": f"{OWN} {n}"} for n in range(2)]
    visitor.together("/invitation", *forms)
    assert sum(judge.judges.check("Zoe", f"{OWN} {n}") is not None for n in range(2)) == 1


def test_looking_uses_nothing_up_and_a_refused_password_is_asked_again(
    judge: Browser, visitor: Browser
) -> None:
    """The page may be read in another language too, before and after the refusal."""
    link = invites(judge)
    key = link.partition("=")[2]
    with judge.station.database.transaction() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM invitations").all()
    assert rows
    assert key not in f"{rows}{judge.get(ACCOUNTS)}", "it is stored as a hash, and never shown again"
    assert "Zoe" in visitor.post("/language", language="it", next=next_in(visitor.get(link)))
    visitor.post("/language", language="en", next="/")
    page = visitor.post("/invitation", 422, key=key, password=OWN, again="another one")
    assert "The two new passwords don't match" in page
    assert "Zoe" in visitor.post("/language", language="it", next=next_in(page))
    visitor.post("/language", language="en", next="/")
    assert "8 characters" in visitor.post("/invitation", 422, key=key, password="short", again="short")
    assert "Log out Zoe" in visitor.post("/invitation", key=key, password=OWN, again=OWN)


def test_an_invitation_expires_is_withdrawn_or_replaced(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    first, second = invites(judge, "zoe", "head-judge"), invites(judge)
    accepts(visitor, first, 404)
    [invitation] = Browser(station).app.state.site.invitations.all()
    assert "withdrawn" in judge.post(f"{INVITATIONS}/withdraw", number=str(invitation.number))
    accepts(visitor, second, 404)
    third = invites(judge)
    station.clock.passed_ms += LIFETIME_MS
    accepts(visitor, third, 404)
    assert "expired" in judge.get("/judge/accounts")
    assert judge.judges.all() == (Judge("Roy"),)


def test_a_former_head_judge_has_no_way_back(station: Station, judge: Browser, visitor: Browser) -> None:
    judge.judges.add("Belle", PASSWORD)
    belle = Browser(station)
    belle.log_in("Belle")
    for end in ("remove", "role"):
        link = invites(belle)
        judge.post(f"/judge/accounts/{end}", name="Belle", role="organiser")
        accepts(visitor, link, 404)
        if end == "remove":
            judge.judges.add("Belle", PASSWORD)
            belle.log_in("Belle")


def test_keys_are_not_tried_without_end(visitor: Browser) -> None:
    visitor.get("/login")
    for _ in range(20):
        visitor.post("/invitation", 404, key="0" * 64, password=OWN, again=OWN)
    assert "Wait a minute" in visitor.post("/invitation", 429, key="0" * 64, password=OWN, again=OWN)
