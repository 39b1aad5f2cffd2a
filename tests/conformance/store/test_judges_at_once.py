"""Judges who act at the same moment on any database, such as removing each other or taking the same name."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from argon2 import PasswordHasher
from sqlalchemy.engine import URL

from base.errors import Refused
from station.accounts import judges as accounts
from station.accounts.judges import AccountRefusal, Judges
from station.accounts.permissions import AccountRole
from station.store.database import Database

ROUNDS = 6
NAMES = ("Belle", "Roy", "Zoe")
HASHED = "no password of anybody"


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("demotes", [False, True], ids=["remove", "demote"])
def test_head_judges_who_remove_or_demote_each_other_at_once_leave_one(
    database_url: URL | str, count: int, *, demotes: bool
) -> None:
    databases = [Database(database_url) for _ in range(count)]
    judges = [Judges(database, lambda: 0) for database in databases]
    names = NAMES[:count]
    at_once = threading.Barrier(count)

    def removes(number: int) -> AccountRefusal | None:
        at_once.wait(10)
        try:
            other = names[(number + 1) % count]
            if demotes and number == 0:
                judges[number].set_role(other, AccountRole.FLOOR_JUDGE)
            else:
                judges[number].remove(other)
        except Refused as refused:
            return AccountRefusal(refused.reason)
        return None

    with ThreadPoolExecutor(count) as threads:
        for _ in range(ROUNDS):
            for name in names:
                judges[0].set_password_hash(name, HASHED)
                judges[0].set_role(name, AccountRole.HEAD_JUDGE)
            refusals = list(threads.map(removes, range(count)))
            assert [refusal for refusal in refusals if refusal] == [AccountRefusal.ONLY_HEAD_JUDGE]
            assert sum(one.role is AccountRole.HEAD_JUDGE for one in judges[0].all()) == 1
    for database in databases:
        database.close()


@pytest.mark.slow
def test_of_accounts_that_differ_in_capitals_only_and_are_made_at_once_there_is_one(
    database_url: URL | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The quicker the hash, the closer the three come to each other.
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "PasswordHasher", quick)
    databases = [Database(database_url) for _ in range(3)]
    judges = [Judges(database, lambda: 0) for database in databases]
    judges[0].set_password_hash("Belle", HASHED)
    at_once = threading.Barrier(3)

    def adds(number: int, name: str) -> AccountRefusal | None:
        at_once.wait(10)
        try:
            judges[number].add(name, "at high noon")
        except Refused as refused:
            return AccountRefusal(refused.reason)
        return None

    with ThreadPoolExecutor(3) as threads:
        for round_no in range(ROUNDS):
            names = (f"Roy {round_no}", f"ROY {round_no}", f"roy {round_no}")
            refusals = list(threads.map(adds, range(3), names))
            assert [refusal for refusal in refusals if refusal] == [AccountRefusal.SAME_NAME] * 2
    assert len(judges[0].all()) == 1 + ROUNDS
    for database in databases:
        database.close()
