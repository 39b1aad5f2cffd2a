"""The databases on which the store's suite runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from station.store.database import Database, sqlite_url
from station.store.store import Store


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_url"))
    return str(sqlite_url(tmp_path / "station.sqlite"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lambda: 1_793_214_000_000)
