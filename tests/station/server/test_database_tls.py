"""A database on another computer that nobody verifies: named at the start, in the log and by the doctor."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from station.cli.commands import commands
from station.cli.serve import warn_of_exposed_database
from station.server.addresses import exposed_hosts
from station.store.data_folder import DataFolder
from station.store.database import Database
from tests.station.conftest import Station


@pytest.fixture(autouse=True)
def _without_settings_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGSSLROOTCERT"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("url", "exposed"),
    [
        ("postgresql://saloon@db.hall/saloon", ("db.hall",)),
        ("postgresql://saloon@db.hall/saloon?sslmode=require", ("db.hall",)),
        ("postgresql://saloon@db.hall/saloon?sslmode=prefer", ("db.hall",)),
        ("postgresql://saloon@db.hall/saloon?sslmode=disable", ("db.hall",)),
        ("postgresql://saloon@db.hall/saloon?sslmode=verify-ca", ()),
        ("postgresql://saloon@db.hall/saloon?sslmode=verify-full", ()),
        ("postgresql://saloon@db.hall/saloon?sslrootcert=system", ()),
        ("postgresql://saloon@192.0.2.7/saloon", ("192.0.2.7",)),
        ("postgresql://saloon@[2001:db8::7]/saloon", ("2001:db8::7",)),
        ("postgresql://saloon@localhost/saloon?hostaddr=192.0.2.7", ("192.0.2.7",)),
        ("postgresql://saloon@/saloon?host=localhost:5432&host=db.hall:5432", ("db.hall",)),
        ("postgresql://saloon@db.hall/saloon?hostaddr=127.0.0.1", ()),
        ("postgresql://saloon@localhost/saloon", ()),
        ("postgresql://saloon@127.0.0.2/saloon", ()),
        ("postgresql://saloon@[::1]/saloon", ()),
        ("postgresql://saloon@/saloon?host=/var/run/postgresql", ()),
        ("postgresql://saloon@/saloon?host=@saloon", ()),
        ("postgresql://saloon@/saloon", ()),
        (f"postgresql://saloon@{socket.gethostname()}/saloon", ()),
        ("sqlite:///station.sqlite", ()),
    ],
)
def test_a_server_elsewhere_is_exposed_unless_tls_verifies_it(url: str, exposed: tuple[str, ...]) -> None:
    assert exposed_hosts(Database(url)) == exposed


def test_what_the_driver_takes_from_its_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.hall")
    assert exposed_hosts(Database("postgresql://saloon@/saloon")) == ("db.hall",)
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    assert exposed_hosts(Database("postgresql://saloon@/saloon")) == ()
    assert exposed_hosts(Database("postgresql://saloon@/saloon?sslmode=prefer")) == ("db.hall",)


def test_the_station_warns_at_its_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = Database("postgresql://saloon:s3cret@db.hall/saloon")._url
    with capture_logs() as logs:
        warn_of_exposed_database(DataFolder(tmp_path, url))
    assert [(line["log_level"], line["hosts"]) for line in logs] == [("warning", ("db.hall",))]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "db.hall" in said
    assert "?sslmode=verify-full" in said
    assert "s3cret" not in said + str(logs)


def test_a_station_with_a_file_warns_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capture_logs() as logs:
        warn_of_exposed_database(DataFolder(tmp_path))
    assert not logs
    assert not capsys.readouterr().err


def test_serve_warns_before_it_connects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALOON_DATABASE", "postgresql://saloon@db.hall.invalid/saloon")
    result = CliRunner().invoke(commands, ["serve", "--data", str(tmp_path), "--http", "127.0.0.1:0"])
    assert result.exit_code != 0
    assert "?sslmode=verify-full" in result.output


@pytest.mark.conformance
def test_the_doctor_looks_at_a_shared_database(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    station = Station(tmp_path, postgresql_url)
    station.opens(10)
    station.close()
    monkeypatch.setenv("SALOON_DATABASE", postgresql_url)
    finding = _database_look(tmp_path)
    assert finding["finding"] == "database_verified"
    assert finding["wrong"] is False
    # The first host does not answer and is elsewhere; the socket that does comes second.
    monkeypatch.setenv("SALOON_DATABASE", postgresql_url.replace("host=", "host=db.hall.invalid&host="))
    finding = _database_look(tmp_path)
    assert finding["finding"] == "database_exposed"
    assert finding["wrong"] is True
    assert "db.hall.invalid" in str(finding["words"])


def _database_look(folder: Path) -> dict[str, object]:
    result = CliRunner().invoke(commands, ["doctor", "--data", str(folder), "--no-listen", "--json"])
    assert result.output, result.exception
    checks: list[dict[str, object]] = json.loads(result.output.splitlines()[-1])["checks"]
    return next(check for check in checks if check["what"] == "database")
