"""The judges' accounts."""

import time
from collections.abc import Iterator
from pathlib import Path

import argon2
import pytest

from base.errors import BadData, Refused
from station.accounts import judges as judges_module
from station.accounts.judges import AccountRefusal, Judge, Judges, hash_password
from station.store import schema
from station.store.database import Database, sqlite_url

PASSWORD = "at high noon"


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[Judges]:
    database = Database(sqlite_url(tmp_path / "station.sqlite"))
    yield Judges(database, lambda: 0)
    database.close()


def test_an_account_opens_with_its_own_password_only(judges: Judges) -> None:
    judges.add("Roy  Bean", PASSWORD)
    assert judges.check("Roy Bean", PASSWORD) == Judge("Roy Bean")
    assert judges.check("Roy Bean", PASSWORD + "!") is None
    assert judges.check("Roy Bean", "") is None
    assert judges.check("Nobody", PASSWORD) is None


@pytest.mark.slow
def test_a_password_is_the_same_from_every_keyboard(judges: Judges) -> None:
    judges.add("Ada", "p\u00e4ssw\u00f6rd lungo \u00e8")
    decomposed = "pa\u0308sswo\u0308rd lungo e\u0300"
    assert judges.check("ada", decomposed) is not None
    judges.set_password_hash("Bea", argon2.PasswordHasher().hash(decomposed))
    assert judges.check("bea", decomposed) is not None
    judges.change_password("Bea", decomposed, "p\u00e4ssw\u00f6rd")
    assert judges.check("bea", "pa\u0308sswo\u0308rd") is not None


def test_a_long_name_of_a_stranger_takes_no_time(judges: Judges) -> None:
    before = time.process_time()
    assert judges.check("a" + "\u0316\u0301" * 30_000, "wrong password") is None
    assert time.process_time() - before < 2


def test_a_password_costs_a_thief_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    # The other tests hash with little of both.
    monkeypatch.setattr(judges_module, "PasswordHasher", argon2.PasswordHasher)
    cost = argon2.extract_parameters(judges_module.hash_password("a horse with no name"))
    assert cost.type is argon2.Type.ID
    assert cost.memory_cost >= 19_456
    assert cost.time_cost >= 2


def test_passwords_are_kept_as_argon2_hashes(judges: Judges, tmp_path: Path) -> None:
    judges.add("Roy", PASSWORD)
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("station.sqlite*"))
    assert PASSWORD.encode() not in stored
    assert b"$argon2id$" in stored


def test_accounts_come_and_go(judges: Judges) -> None:
    judges.add("Roy", PASSWORD)
    judges.add("Belle", PASSWORD)
    assert [judge.name for judge in judges.all()] == ["Belle", "Roy"]
    assert judges.find("Roy") == Judge("Roy")
    judges.remove("Roy")
    assert judges.find("Roy") is None
    assert judges.check("Roy", PASSWORD) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "password", "problem"),
    [
        ("", PASSWORD, "1 to 60"),
        ("x" * 61, PASSWORD, "1 to 60"),
        ("Roy\x1b", PASSWORD, "printable"),
        ("Belle", "short", "8 characters"),
    ],
)
def test_what_cannot_be_an_account_is_refused(judges: Judges, name: str, password: str, problem: str) -> None:
    judges.add("Roy", PASSWORD)
    with pytest.raises(BadData, match=problem):
        judges.add(name, password)
    assert [judge.name for judge in judges.all()] == ["Roy"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Roy Bean", "roy bean", "ROY  BEAN", " Roy Bean\t", "ＲＯＹ Bean"])
def test_capitals_and_spaces_make_no_other_account_and_do_not_matter_at_the_login(
    judges: Judges, name: str
) -> None:
    judges.add("Roy Bean", PASSWORD)
    with pytest.raises(Refused) as caught:
        judges.add(name, PASSWORD)
    assert caught.value.reason is AccountRefusal.SAME_NAME
    assert "There's already a judge called Roy Bean" in str(caught.value)
    assert judges.check(name, PASSWORD) == Judge("Roy Bean")
    judges.set_password_hash(name, hash_password("a new password"))
    assert judges.all() == (Judge("Roy Bean"),)
    assert judges.check(name, "a new password") == Judge("Roy Bean")


def test_accounts_of_an_older_station_that_differ_in_capitals_only_open_each_with_its_password(
    judges: Judges, tmp_path: Path
) -> None:
    older = Database(sqlite_url(tmp_path / "station.sqlite"))
    with older.transaction() as connection:
        for name in ("Roy", "roy", "ROY "):
            made = {"name": name, "password_hash": hash_password(f"{name} is the word"), "role": "head-judge"}
            connection.execute(schema.judges.insert().values(**made, added_ms=0))
    older.close()
    for name in ("Roy", "roy", "ROY "):
        assert judges.check(name, f"{name} is the word") == Judge(name)
        assert judges.check("rOy", f"{name} is the word") == Judge(name)
        assert judges.find(name) == Judge(name)
    judges.set_password_hash("roy", hash_password(PASSWORD))
    assert judges.check("Roy", PASSWORD) == Judge("roy")
    judges.remove("roy")
    assert [judge.name for judge in judges.all()] == ["ROY ", "Roy"]
    with pytest.raises(Refused):
        judges.add("roy", PASSWORD)


def test_the_last_account_stays(judges: Judges) -> None:
    judges.add("Roy", PASSWORD)
    with pytest.raises(Refused) as caught:
        judges.remove("Roy")
    assert caught.value.reason is AccountRefusal.ONLY_HEAD_JUDGE
    assert judges.check("Roy", PASSWORD) == Judge("Roy")


def test_removing_nobody_says_how_to_see_who_is_there(judges: Judges) -> None:
    with pytest.raises(BadData, match="judge list"):
        judges.remove("Nobody")
