"""The judges' accounts, the code that opens the first one, the documented roles, and tokens of programs."""

import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import argon2
import pytest
from sqlalchemy import Connection

from base.errors import BadData, Refused
from station.accounts import judges as judges_module
from station.accounts.api_tokens import ApiTokenRefusal, ApiTokens
from station.accounts.invitations import FirstJudge, FirstJudgeRefusal
from station.accounts.judges import AccountRefusal, Judge, Judges, hash_key, hash_password
from station.accounts.permissions import (
    PERMISSIONS,
    STRANGERS,
    AccountRole,
    Permission,
    permissions_of,
    roles_with,
)
from station.backups import backup
from station.store import schema
from station.store.database import Database, sqlite_url

PASSWORD = "at high noon"
NOW_MS = 1_795_200_000_000


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[Judges]:
    database = Database(sqlite_url(tmp_path / "station.sqlite"))
    yield Judges(database, lambda: NOW_MS)
    database.close()


def test_an_account_opens_with_its_own_password_only_until_it_is_removed(judges: Judges) -> None:
    judges.add("Roy  Bean", PASSWORD)
    assert judges.check("Roy Bean", PASSWORD) == Judge("Roy Bean")
    assert judges.check("Roy Bean", PASSWORD + "!") is None
    assert judges.check("Roy Bean", "") is None
    assert judges.check("Nobody", PASSWORD) is None
    judges.add("Belle", PASSWORD)
    assert [judge.name for judge in judges.all()] == ["Belle", "Roy Bean"]
    judges.remove("Roy Bean")
    assert judges.find("Roy Bean") is None
    assert judges.check("Roy Bean", PASSWORD) is None


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
def test_capitals_and_spaces_make_no_other_account_and_dont_matter_at_login(
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


def test_whoever_reads_the_code_opens_the_first_account_and_it_is_worth_nothing_then(judges: Judges) -> None:
    first = FirstJudge(judges)
    code = first.code()
    assert first.open(code.lower().replace("-", " "), "Ada", PASSWORD).name == "Ada"
    assert judges.check("Ada", PASSWORD) is not None
    assert first.code() == FirstJudge(judges).code() == ""
    with pytest.raises(Refused) as caught:
        first.open(code, "Mallory", PASSWORD)
    assert caught.value.reason is FirstJudgeRefusal.TAKEN
    assert [judge.name for judge in judges.all()] == ["Ada"]


def test_a_short_password_does_not_use_the_code_up(judges: Judges) -> None:
    first = FirstJudge(judges)
    with pytest.raises(BadData):
        first.open(first.code(), "Ada", "short")
    first.check(first.code())
    assert first.open(first.code(), "Ada", PASSWORD).name == "Ada"


def test_however_many_wrong_codes_a_stranger_types_the_organisers_opens(judges: Judges) -> None:
    first = FirstJudge(judges)
    code = first.code()
    for typed in ("11111-11111", "", "x", "22222 22222", "é" * 10) * 20:
        with pytest.raises(Refused) as caught:
            first.check(typed)
        assert caught.value.reason is FirstJudgeRefusal.WRONG_CODE
    assert first.code() == code
    assert first.open(code, "Ada", PASSWORD).name == "Ada"


SECURITY: Final = Path(__file__).parents[3] / "docs/reference/security.md"
ROLES: Final = ("head judge", "floor judge", "organiser", "display")


def test_the_documentation_shows_the_table_of_the_code() -> None:
    text = SECURITY.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    heading = rows.index(("may", *ROLES))
    documented = {
        row[0]: {role for role, cell in zip(AccountRole, row[1:], strict=True) if cell}
        for row in rows[heading + 1 :]
    }
    assert documented == {permission.value: set(roles_with(permission)) for permission in Permission}


def test_a_head_judge_may_do_everything_and_nobody_less_than_a_stranger() -> None:
    assert PERMISSIONS[AccountRole.HEAD_JUDGE] == frozenset(Permission)
    assert all(permissions_of(role) > STRANGERS for role in AccountRole)
    assert permissions_of(None) == STRANGERS


def test_standings_are_the_head_judges_only() -> None:
    for secret in (Permission.STANDINGS, Permission.HISTORY, Permission.BACKUPS, Permission.ACCOUNTS):
        assert roles_with(secret) == (AccountRole.HEAD_JUDGE,)


@pytest.fixture
def tokens(judges: Judges) -> ApiTokens:
    for name in ("Roy", "Ann"):
        judges.add(name, PASSWORD)
    return ApiTokens(judges)


def test_a_token_is_known_by_its_hash_only(judges: Judges, tokens: ApiTokens) -> None:
    token = tokens.make("Club  site", AccountRole.DISPLAY, "Roy")
    assert token.encode() not in backup.backup(judges.database)
    (known,) = tokens.all()
    assert (known.name, known.role, known.made_by, known.used_ms) == (
        "Club site", AccountRole.DISPLAY, "Roy", 0,
    )  # fmt: skip
    assert tokens.find(token) == known
    assert tokens.all()[0].used_ms == NOW_MS
    assert tokens.find(hash_key(token)) is None


def test_a_removed_token_opens_nothing(tokens: ApiTokens) -> None:
    token = tokens.make("Site", AccountRole.HEAD_JUDGE, "Roy")
    tokens.remove(tokens.all()[0].number)
    assert tokens.find(token) is None


@pytest.mark.parametrize("how", ["removed", "another role"])
def test_a_token_ends_with_the_head_judge_who_made_it(judges: Judges, tokens: ApiTokens, how: str) -> None:
    token = tokens.make("Site", AccountRole.HEAD_JUDGE, "Ann")
    other = tokens.make("Site", AccountRole.HEAD_JUDGE, "Roy")
    if how == "removed":
        judges.remove("Ann")
    else:
        judges.set_role("Ann", AccountRole.ORGANISER)
        judges.set_role("Ann", AccountRole.HEAD_JUDGE)
    assert tokens.find(token) is None
    assert tokens.find(other) is not None


def test_a_program_has_a_name_and_there_are_not_too_many(tokens: ApiTokens) -> None:
    with pytest.raises(BadData):
        tokens.make(" ", AccountRole.DISPLAY, "Roy")
    for number in range(50):
        tokens.make(f"Site {number}", AccountRole.DISPLAY, "Roy")
    with pytest.raises(Refused) as refused:
        tokens.make("One more", AccountRole.DISPLAY, "Roy")
    assert refused.value.reason is ApiTokenRefusal.TOO_MANY


def test_wrong_tokens_hardly_reach_the_database(
    judges: Judges, tokens: ApiTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    token = tokens.make("Site", AccountRole.DISPLAY, "Roy")
    transaction = judges.database.transaction

    def counted(**options: Any) -> AbstractContextManager[Connection]:
        nonlocal calls
        calls += 1
        return transaction(**options)

    monkeypatch.setattr(judges.database, "transaction", counted)
    for number in range(500):
        assert tokens.find(f"{number:064}") is None
    assert calls <= 25
    assert tokens.find(token) is not None
    assert ApiTokens(judges).find(token) is not None
