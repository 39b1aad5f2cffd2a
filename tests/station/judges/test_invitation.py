"""An invitation's link: it opens one account once, with a password that its guest chooses."""

import re
from html import unescape

import pytest

from station.accounts.invitations import LIFETIME_MS
from station.accounts.judges import Judge
from station.accounts.permissions import AccountRole
from tests.station.browser import PASSWORD, Browser
from tests.station.conftest import OPEN, Station

OWN = "a word of her own"
INVITATIONS = "/judge/accounts/invitations"


@pytest.fixture
def guest(station: Station) -> Browser:
    return Browser(station)


def invites(judge: Browser, name: str = "Zoe", role: str = "floor-judge") -> str:
    """Return the link, as the page shows it."""
    judge.get("/judge/accounts")
    page = judge.post(INVITATIONS, name=name, role=role)
    assert 'src="data:image/svg' in page
    match = re.search(r"http://station(/invitation\?key=[0-9a-f]{64})", unescape(page))
    assert match is not None
    return match[1]


def next_in(page: str) -> str:
    """Return the page that its form of the language goes on to."""
    match = re.search(r'name="next" value="([^"]*)"', page)
    assert match is not None
    return unescape(match[1])


def accepts(guest: Browser, link: str, expected: int = 200) -> str:
    guest.get("/login")
    key = link.partition("=")[2]
    return guest.post("/invitation", expected, key=key, password=OWN, again=OWN)


def test_a_guest_chooses_a_password_and_is_in(station: Station, judge: Browser, guest: Browser) -> None:
    station.opens(10)
    link = invites(judge)
    page = guest.get(link)
    assert "Welcome, Zoe" in page
    assert "Roy invites you to this station as floor judge" in page
    assert "Log out Zoe" in accepts(guest, link)
    assert judge.judges.check("Zoe", OWN) == Judge("Zoe", AccountRole.FLOOR_JUDGE)
    assert guest.status(f"/judge/t/{OPEN}/standings").status_code == 403


def test_a_link_works_once(judge: Browser, guest: Browser, station: Station) -> None:
    link = invites(judge)
    accepts(guest, link)
    second = Browser(station)
    ended = accepts(second, link, 404)
    assert "isn't valid any more. If you have used it, log in" in ended
    assert second.status(link).status_code == 404


def test_of_two_guests_at_once_one_gets_in(judge: Browser, guest: Browser) -> None:
    key = invites(judge).partition("=")[2]
    guest.get("/login")
    forms = [{"key": key, "password": f"{OWN} {n}", "again": f"{OWN} {n}"} for n in range(2)]
    guest.together("/invitation", *forms)
    assert sum(judge.judges.check("Zoe", f"{OWN} {n}") is not None for n in range(2)) == 1


def test_looking_uses_nothing_up_and_a_refused_password_is_asked_again(
    judge: Browser, guest: Browser
) -> None:
    link = invites(judge)
    key = link.partition("=")[2]
    for _ in range(2):
        guest.get(link)
    page = guest.post("/invitation", 422, key=key, password=OWN, again="another one")
    assert "The two new passwords don't match" in page
    assert "8 characters" in guest.post("/invitation", 422, key=key, password="short", again="short")
    assert "Log out Zoe" in guest.post("/invitation", key=key, password=OWN, again=OWN)


def test_the_link_is_still_good_in_the_other_language(judge: Browser, guest: Browser) -> None:
    link = invites(judge)
    key = link.partition("=")[2]
    refused = guest.get(link) and guest.post("/invitation", 422, key=key, password=OWN, again="other")
    for page in (guest.get(link), refused):
        assert "Zoe" in guest.post("/language", language="it", next=next_in(page))


def test_an_invitation_expires_is_withdrawn_or_replaced(
    station: Station, judge: Browser, guest: Browser
) -> None:
    first, second = invites(judge), invites(judge)
    accepts(guest, first, 404)
    [invitation] = Browser(station).app.state.site.invitations.all()
    judge.get("/judge/accounts")
    assert "withdrawn" in judge.post(f"{INVITATIONS}/withdraw", number=str(invitation.number))
    accepts(guest, second, 404)
    third = invites(judge)
    station.clock.passed_ms += LIFETIME_MS
    accepts(guest, third, 404)
    assert "expired" in judge.get("/judge/accounts")
    assert judge.judges.all() == (Judge("Roy"),)


def test_a_newer_invitation_ends_the_one_before_in_any_spelling(judge: Browser, guest: Browser) -> None:
    wrong, right = invites(judge, "zoe moss", "head-judge"), invites(judge, "Zoe Moss", "display")
    accepts(guest, wrong, 404)
    accepts(guest, right)


def test_the_link_is_stored_as_a_hash_and_never_shown_again(station: Station, judge: Browser) -> None:
    key = invites(judge).partition("=")[2]
    with station.database.transaction() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM invitations").all()
    assert rows
    assert key not in str(rows)
    assert key not in judge.get("/judge/accounts")


def test_a_former_head_judge_has_no_link_to_return(station: Station, judge: Browser, guest: Browser) -> None:
    judge.judges.add("Belle", PASSWORD)
    belle = Browser(station)
    belle.log_in("Belle")
    for end in ("remove", "role"):
        link = invites(belle)
        judge.get("/judge/accounts")
        judge.post(f"/judge/accounts/{end}", name="Belle", role="organiser")
        accepts(guest, link, 404)
        if end == "remove":
            judge.judges.add("Belle", PASSWORD)
            belle.log_in("Belle")


def test_a_name_that_is_taken_is_not_invited(judge: Browser) -> None:
    judge.get("/judge/accounts")
    assert "already a judge called Roy" in judge.post(INVITATIONS, name="roy", role="display")


def test_keys_are_not_tried_without_end(guest: Browser) -> None:
    guest.get("/login")
    for _ in range(20):
        guest.post("/invitation", 404, key="0" * 64, password=OWN, again=OWN)
    assert "Wait a minute" in guest.post("/invitation", 429, key="0" * 64, password=OWN, again=OWN)
