"""Judges who act at the same moment on any database, such as removing each other or taking the same name."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from argon2 import PasswordHasher
from sqlalchemy import create_engine
from sqlalchemy.engine import URL, make_url

from base.errors import Refused
from station import migrations
from station.accounts import judges as accounts
from station.accounts.judges import AccountRefusal, Judge, Judges, hash_key
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


def test_accounts_from_before_roles_are_head_judges_and_stay_logged_in(database_url: URL | str) -> None:
    before_roles(database_url)
    with closing(Database(database_url)) as database:
        judges = Judges(database, lambda: 1_000_000)
        assert judges.all() == (Judge("Belle"), Judge("Roy"))
        session = judges.sessions.find("key")
        assert session is not None
        assert (session.judge, session.role) == ("Roy", AccountRole.HEAD_JUDGE)
        assert (session.begun_ms, session.used_ms, session.agent, session.address) == (0, 0, "", "")
        [used] = judges.sessions.all()
        assert used.used_ms == 1_000_000
        judges.set_role("Belle", AccountRole.ORGANISER)
        assert judges.find("Belle") == Judge("Belle", AccountRole.ORGANISER)


def before_roles(url: URL | str) -> None:
    """Create the tables of the fourth migration, with two accounts and a session of that time."""
    address = make_url(url)
    if address.get_backend_name() == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    engine = create_engine(address)
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        for name in ("Roy", "Belle"):
            connection.exec_driver_sql(f"INSERT INTO judges VALUES ('{name}', 'hash', 'judge', 0)")
        made = f"INSERT INTO sessions (key_hash, judge) VALUES ('{hash_key('key')}', 'Roy')"
        connection.exec_driver_sql(made)
    engine.dispose()
