"""The commands of ``saloon-station`` on a PostgreSQL that several stations share."""

import contextlib
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from base.errors import BadData, Unavailable
from core.game.orders import SeatGame
from core.tournament.decisions import UndoSteps
from station.audit import AuditFilter, AuditLog
from station.backups.backup import backup, check, restore, restore_shared
from station.cli.main import commands
from station.cluster import StationLease
from station.store import database as database_module
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import AdvisoryLock, Database, lock_key_sql
from station.store.settings import Settings
from sync.enrolment.provisioning import read_provisioning
from tests.station.browser import shows
from tests.station.cli.test_main import PASSWORD, call
from tests.station.conftest import OPEN, Station
from tests.station.hall.test_restarts import folds

pytestmark = [pytest.mark.conformance, pytest.mark.slow]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, postgresql_url: str) -> None:
    monkeypatch.setenv("SALOON_DATABASE", postgresql_url)


Make = Callable[[Path, str], Station]


@pytest.fixture
def station_at() -> Iterator[Make]:
    made: list[Station] = []

    def _made(folder: Path, url: str) -> Station:
        made.append(Station(folder, url))
        return made[-1]

    yield _made
    for station in made:
        station.close()


@pytest.fixture
def shared(postgresql_url: str) -> Iterator[Database]:
    database = Database(postgresql_url)
    yield database
    database.close()


def done(*arguments: object, text: str = "") -> str:
    """Run a command, and return its output."""
    result = CliRunner().invoke(commands, [str(argument) for argument in arguments], input=text)
    assert result.exit_code == 0, result.output
    return result.output


def copied(station: Station, folder: Path) -> Path:
    copy = folder / "copy"
    copy.write_bytes(backup(station.database))
    return copy


def played(station: Station) -> Station:
    """Return a station whose first table has played and whose second has begun."""
    station.opens(10)
    tables = [station.terminal(1), station.terminal(2)]
    station.publishes()
    tables[0].plays()
    tables[1].seats()
    tables[1].sends()
    return station


@pytest.mark.nightly
@pytest.mark.usefixtures("environment")
def test_commands_work_while_stations_run(tmp_path: Path, postgresql_url: str, station_at: Make) -> None:
    played(station_at(tmp_path, postgresql_url))
    here, copy, export = tmp_path / "here", tmp_path / "copy", tmp_path / "open.jsonl"
    with DataFolder(here).exclusive_lock():
        done("judge", "add", "Roy", "--data", here, text=PASSWORD)
        assert done("judge", "list", "--data", here) == "Roy\thead-judge\n"
        assert "learn their new PINs" in done("pins", "--new", "--data", here)
        assert "checked" in done("backup", copy, "--data", here)
        assert "lines, digest" in done("export", "open-2026", export, "--data", here)
        assert "Everything is whole" in done("doctor", "--data", here)


@pytest.mark.usefixtures("environment")
def test_a_provisioning_file_names_all_stations(tmp_path: Path, shared: Database) -> None:
    for name, address in (("a", "192.0.2.1:7373"), ("b", "192.0.2.2:7373")):
        StationLease(shared, name, name).renew([address], (), tell=True)
    out = tmp_path / "table.toml"
    done("enrol", "--out", out, "--data", tmp_path / "data")
    assert read_provisioning(out).station.addresses == ("192.0.2.2:7373", "192.0.2.1:7373")
    # Another folder, the same station: terminals believe both.
    with (folder := DataFolder(tmp_path / "other")).exclusive_lock():
        files = load_station_identity(folder, Settings(shared))
    assert files[1].read_text().strip() == read_provisioning(out).station.certificate.strip()


def test_a_backup_is_the_same_tournament_on_one_station_and_back_on_several(
    tmp_path: Path, postgresql_url: str, station_at: Make
) -> None:
    several = played(station_at(tmp_path, postgresql_url))
    copy = copied(several, tmp_path)
    alone_at = tmp_path / "alone"
    alone_at.mkdir()
    restore(copy, alone_at / "station.sqlite", force=False)
    alone = station_at(alone_at, "")
    assert folds(alone.context.projections) == folds(several.context.projections)
    assert list(alone.store.entries_after()) == list(several.store.entries_after())
    alone.does(UndoSteps(1, "look again"))


def test_a_tournament_that_began_on_one_station_goes_on_with_several(
    tmp_path: Path, postgresql_url: str, station_at: Make, shared: Database
) -> None:
    alone = played(station_at(tmp_path, ""))
    terminal = alone.terminal(None)
    copy = copied(alone, tmp_path)
    restore_shared(copy, shared, force=False)
    pair = [station_at(tmp_path, postgresql_url) for _ in range(2)]
    assert folds(pair[0].context.projections) == folds(alone.context.projections)
    # Numbers go on, and the own streams have a new epoch.
    assert pair[1].store.own_epoch() != alone.store.own_epoch()
    pair[1].does(UndoSteps(1, "look again"))
    games = tuple(drawn.game for drawn in alone.service.tournament(OPEN).rounds[-1].tables)
    pair[0].does(UndoSteps(1, "and again", confirmed=games))
    assert len(pair[0].service.history(OPEN)) == len(alone.service.history(OPEN)) + 2
    assert pair[0].orders(terminal.id) == []
    assert not terminal.ordered(SeatGame)
    with pytest.raises(BadData, match="holds a tournament already"):
        restore_shared(copy, shared, force=True)


@pytest.mark.usefixtures("environment")
def test_a_restored_audit_is_continued(tmp_path: Path, station_at: Make, shared: Database) -> None:
    alone = station_at(tmp_path, "")
    for name in ("ada", "bert", "carl"):
        AuditLog(alone.database).add_command("saloon-station judge add", 0, name=name)
    copy = copied(alone, tmp_path)
    done("restore", copy, "--data", tmp_path / "several")
    commands_written = [line.route for line in AuditLog(shared).lines(AuditFilter())]
    assert commands_written == ["saloon-station restore", *["saloon-station judge add"] * 3]


def test_nothing_is_put_in_place_under_a_running_station(
    tmp_path: Path, shared: Database, station_at: Make
) -> None:
    copy = copied(played(station_at(tmp_path, "")), tmp_path)
    with shared.reading() as connection:
        query = f"SELECT pg_try_advisory_lock_shared({lock_key_sql(AdvisoryLock.RUNNING)})"
        assert connection.exec_driver_sql(query).scalar_one()
        with pytest.raises(Unavailable, match="stop all of them first"):
            restore_shared(copy, shared, force=False)
        # Let go by word: the server hears of a closed connection when it comes to it.
        connection.exec_driver_sql(
            f"SELECT pg_advisory_unlock_shared({lock_key_sql(AdvisoryLock.RUNNING)})"
        ).scalar_one()
    restore_shared(copy, shared, force=False)


def test_a_shared_backup_is_whole_while_others_write(
    tmp_path: Path, postgresql_url: str, station_at: Make
) -> None:
    station = played(station_at(tmp_path, postgresql_url))
    whole = len(list(station.store.entries_after()))
    copy = copied(station, tmp_path)
    check(copy)
    station.does(UndoSteps(1, "look again"))
    with contextlib.closing(sqlite3.connect(copy)) as inside:
        assert inside.execute("SELECT count(*) FROM entries").fetchone() == (whole,)


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("postgresql://roy:high-noon@host/saloon", "PGPASSWORD"),
        ("sqlite:///station.sqlite", "needs only --data"),
        ("somewhere", "postgresql://user@host/name"),
        ("postgresql://nobody@127.0.0.1:port/saloon", "postgresql://user@host/name"),
        ("postgresql://nobody@127.0.0.1:1/saloon", "127.0.0.1"),
        ("postgres://nobody@127.0.0.1:1/saloon", "127.0.0.1"),
        ("postgresql://nobody@127.0.0.1:1/saloon?sslmod=require", "sslmod"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_its_password(
    tmp_path: Path, url: str, problem: str
) -> None:
    said = call("judge", "list", "--database", url, "--data", tmp_path, status=2)
    assert problem in " ".join(said.split())
    shows(said, never=("high-noon", "Traceback"))


@pytest.mark.usefixtures("environment")
def test_a_user_who_may_not_write_is_named_in_one_line(
    tmp_path: Path, shared: Database, postgresql_url: str
) -> None:
    done("judge", "add", "ada", "--data", tmp_path / "one", text=PASSWORD)
    with shared.transaction() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS saloon_reader")
        connection.exec_driver_sql("CREATE ROLE saloon_reader LOGIN IN ROLE pg_read_all_data")
    url = make_url(postgresql_url)._replace(username="saloon_reader", password=None)
    reader = ["--database", url.render_as_string(), "--data", tmp_path / "reader"]
    said = call("judge", "add", "bert", *reader, text=PASSWORD, status=2)
    shows(said, "permission denied", never="Traceback")


@pytest.mark.usefixtures("environment")
def test_the_doctor_looks_at_a_shared_database_from_a_computer_without_a_station(tmp_path: Path) -> None:
    done("judge", "add", "ada", "--data", tmp_path / "one", text=PASSWORD)
    said = done("doctor", "--data", tmp_path / "none")
    assert "Everything is whole." in said


def test_a_server_that_is_frozen_is_given_up_after_seconds(
    shared: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen server keeps its connections, and the kernel still answers: only its silence shows it."""
    monkeypatch.setattr(database_module, "_SILENCE_S", 0.2)
    with shared.reading() as connection:
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    os.kill(server, signal.SIGSTOP)
    try:
        with shared.reading() as connection:
            other = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    finally:
        os.kill(server, signal.SIGCONT)
    assert other != server
