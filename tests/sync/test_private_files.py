"""Journals and databases are readable only by their owner, even those created by an earlier version."""

from contextlib import closing
from pathlib import Path

from base.durable_file import DurableFile
from station.store.database import Database, sqlite_url


def modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.iterdir() if path.is_file()}


def test_a_terminals_journal_is_read_by_nobody_else(tmp_path: Path) -> None:
    file = DurableFile(tmp_path / "journal.db", "CREATE TABLE IF NOT EXISTS t (a)")
    file.open()
    with file.transaction() as db:
        db.execute("INSERT INTO t VALUES (1)")
    assert modes(tmp_path) == {0o600}
    file.close()


def test_an_older_journal_is_taken_from_others_at_the_start(tmp_path: Path) -> None:
    file = DurableFile(tmp_path / "journal.db", "CREATE TABLE IF NOT EXISTS t (a)")
    file.open()
    with file.transaction() as db:
        db.execute("INSERT INTO t VALUES (1)")
        for path in tmp_path.iterdir():
            path.chmod(0o644)
    again = DurableFile(tmp_path / "journal.db", "CREATE TABLE IF NOT EXISTS t (a)")
    again.open()
    assert again.rows("SELECT a FROM t") == [(1,)]
    assert modes(tmp_path) == {0o600}
    again.close()
    file.close()


def test_a_stations_database_is_read_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    for _ in range(2):
        with closing(Database(sqlite_url(path))) as database:
            database.open()
            assert modes(tmp_path) == {0o600}
        path.chmod(0o644)
