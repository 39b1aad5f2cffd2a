"""Sessions end at the station: a copied cookie opens nothing afterwards."""

from contextlib import closing
from pathlib import Path

import pytest

from station.accounts.judges import Judges, hash_password
from station.backups.backup import backup, restore
from station.store.database import Database, sqlite_url
from tests.station.browser import PASSWORD, Browser
from tests.station.conftest import Station

NEW = "another password"


@pytest.fixture
def judges(station: Station) -> Judges:
    return Judges(station.database, station.clock.wall_ms)


@pytest.fixture
def copy(station: Station, judge: Browser) -> Browser:
    """A browser with a copy of the judge's cookies."""
    copied = Browser(station)
    copied._client.cookies.update(judge._client.cookies)
    assert copied.status("/judge").status_code == 200
    return copied


def is_out(browser: Browser) -> bool:
    assert browser.status("/judge/backup").status_code in {200, 302, 307}
    return browser.status("/judge").status_code == 302 and browser.status("/judge/backup").status_code == 302


def test_a_copied_cookie_is_worth_nothing_after_the_logout(judge: Browser, copy: Browser) -> None:
    judge.get("/judge")
    judge.post("/logout")
    assert is_out(copy)


def test_a_logout_leaves_the_judges_other_browsers_alone(station: Station, judge: Browser) -> None:
    other = Browser(station)
    other.log_in()
    judge.get("/judge")
    judge.post("/logout")
    assert is_out(judge)
    assert not is_out(other)


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
    judge.get("/judge/account")
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
    judge.get("/judge/account")
    for _ in range(20):
        judge.post("/judge/account/password", current="wrong wrong", new=NEW, again=NEW)
    assert "Wait a minute" in judge.post("/judge/account/password", 429, current=PASSWORD, new=NEW, again=NEW)


def test_signing_out_everywhere_ends_every_session(station: Station, judge: Browser, copy: Browser) -> None:
    other = Browser(station)
    other.log_in()
    judge.get("/judge/account")
    assert "logged out everywhere" in judge.post("/judge/account/sign-out-everywhere")
    assert is_out(judge)
    assert is_out(copy)
    assert is_out(other)


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
