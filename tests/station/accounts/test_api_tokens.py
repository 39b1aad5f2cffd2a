"""Tokens of programs: shown once, valid until they are removed or their maker is no head judge."""

from contextlib import AbstractContextManager
from typing import Any

import pytest
from sqlalchemy import Connection

from base.errors import BadData, Refused
from station.accounts.api_tokens import ApiTokenRefusal, ApiTokens
from station.accounts.judges import Judges, hash_key
from station.accounts.permissions import AccountRole
from station.backups import backup
from tests.station.conftest import Station


@pytest.fixture
def judges(station: Station) -> Judges:
    judges = Judges(station.database, station.clock.wall_ms)
    judges.add("Roy", "tumbleweed in the wind")
    judges.add("Ann", "tumbleweed in the wind", AccountRole.HEAD_JUDGE)
    return judges


def test_a_token_is_known_by_its_hash_only(station: Station, judges: Judges) -> None:
    tokens = ApiTokens(judges)
    token = tokens.make("Club  site", AccountRole.DISPLAY, "Roy")
    assert token.encode() not in backup.backup(station.database)
    (known,) = tokens.all()
    assert (known.name, known.role, known.made_by, known.used_ms) == (
        "Club site", AccountRole.DISPLAY, "Roy", 0,
    )  # fmt: skip
    assert tokens.find(token) == known
    assert tokens.all()[0].used_ms == station.clock.wall_ms()
    assert tokens.find(hash_key(token)) is None


def test_a_removed_token_opens_nothing(judges: Judges) -> None:
    tokens = ApiTokens(judges)
    token = tokens.make("Site", AccountRole.HEAD_JUDGE, "Roy")
    tokens.remove(tokens.all()[0].number)
    assert tokens.find(token) is None


@pytest.mark.parametrize("how", ["removed", "another role"])
def test_a_token_ends_with_the_head_judge_who_made_it(judges: Judges, how: str) -> None:
    tokens = ApiTokens(judges)
    token = tokens.make("Site", AccountRole.HEAD_JUDGE, "Ann")
    other = tokens.make("Site", AccountRole.HEAD_JUDGE, "Roy")
    if how == "removed":
        judges.remove("Ann")
    else:
        judges.set_role("Ann", AccountRole.ORGANISER)
        judges.set_role("Ann", AccountRole.HEAD_JUDGE)
    assert tokens.find(token) is None
    assert tokens.find(other) is not None


def test_a_program_has_a_name_and_there_are_not_too_many(judges: Judges) -> None:
    tokens = ApiTokens(judges)
    with pytest.raises(BadData):
        tokens.make(" ", AccountRole.DISPLAY, "Roy")
    for number in range(50):
        tokens.make(f"Site {number}", AccountRole.DISPLAY, "Roy")
    with pytest.raises(Refused) as refused:
        tokens.make("One more", AccountRole.DISPLAY, "Roy")
    assert refused.value.reason is ApiTokenRefusal.TOO_MANY


def test_wrong_tokens_hardly_reach_the_database(judges: Judges, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, calls = ApiTokens(judges), 0
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
