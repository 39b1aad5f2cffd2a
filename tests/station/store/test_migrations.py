"""The tables as migrations make them, as the code expects them, and as PostgreSQL takes them."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import URL

from base.errors import BadData
from station import migrations
from station.migrations import NEWEST
from station.store.database import Database, sqlite_url
from station.store.schema import metadata


def test_migrations_make_the_tables_that_the_code_expects(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "station.sqlite"))
    with database.transaction() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


def test_the_newest_revision_is_that_of_the_last_migration() -> None:
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_current_head() == NEWEST


@pytest.mark.slow
def test_a_database_of_this_version_is_opened_without_alembic(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    database = Database(sqlite_url(path))
    database.open()
    database.close()
    opening = (
        "import sys; from pathlib import Path; from station.store.database import *;"
        f"Database(sqlite_url(Path({str(path)!r}))).open(); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", opening], check=True)


def test_opening_again_migrates_nothing(tmp_path: Path) -> None:
    versions = []
    for _ in range(2):
        database = Database(sqlite_url(tmp_path / "station.sqlite"))
        with database.transaction() as connection:
            versions.append(connection.exec_driver_sql("SELECT version_num FROM alembic_version").all())
        database.close()
    assert len(versions[0]) == 1
    assert versions[0] == versions[1]


@pytest.mark.conformance
def test_migrations_of_postgresql_make_the_tables_that_the_code_expects(postgresql_url: str) -> None:
    database = Database(postgresql_url)
    with database.transaction() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


_FOREIGN = {
    "a table with a name of ours": ("CREATE TABLE judges (name text)",),
    "our tables without their version": (
        "CREATE TABLE entries (raw text)",
        "CREATE TABLE judges (name text)",
    ),
    "versions of its own": (
        "CREATE TABLE alembic_version (version_num text)",
        "INSERT INTO alembic_version VALUES ('8a2f')",
    ),
    "a version like ours": (
        "CREATE TABLE alembic_version (version_num text)",
        f"INSERT INTO alembic_version VALUES ('{NEWEST}')",
    ),
    "another column of versions": (
        "CREATE TABLE alembic_version (version text)",
        "INSERT INTO alembic_version VALUES ('12')",
    ),
}


def _refuses_a_foreign_one(url: URL | str, commands: tuple[str, ...]) -> None:
    foreign = create_engine(url)
    with foreign.begin() as connection:
        for command in commands:
            connection.exec_driver_sql(command)
        tables = inspect(connection).get_table_names()
    database = Database(url)
    with pytest.raises(BadData, match=r"no database of Saloon, or damaged: .* tables .*; name another, or"):
        database.open()
    assert inspect(foreign).get_table_names() == tables
    foreign.dispose()


@pytest.mark.parametrize("commands", _FOREIGN.values(), ids=_FOREIGN.keys())
def test_another_programs_database_is_refused_and_left_alone(
    tmp_path: Path, commands: tuple[str, ...]
) -> None:
    _refuses_a_foreign_one(sqlite_url(tmp_path / "station.sqlite"), commands)


@pytest.mark.conformance
@pytest.mark.parametrize("commands", _FOREIGN.values(), ids=_FOREIGN.keys())
def test_another_database_in_postgresql_is_refused(postgresql_url: str, commands: tuple[str, ...]) -> None:
    _refuses_a_foreign_one(postgresql_url, commands)
