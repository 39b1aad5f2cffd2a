"""The station's addresses, those that ``serve`` prints, and databases that nobody verifies."""

import json
import socket
import ssl
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from demo.processes import Processes, free_port, poll_until_timeout, program
from station.cli.main import commands
from station.cli.serve import warn_of_exposed_database
from station.server.addresses import Address, exposed_hosts, order_hosts, pages_for_phones
from station.store.data_folder import DataFolder
from station.store.database import Database
from station.web.page_certificate import format_fingerprint
from tests.station.conftest import Station

HALL = ("10.0.0.7:7373", "192.168.1.7:7373", "127.0.0.1:7373")


@pytest.mark.parametrize(
    ("scheme", "http", "addresses", "pages"),
    [
        ("https", Address("0.0.0.0", 8443), HALL, "https://10.0.0.7:8443"),
        ("https", Address("::", 443), HALL, "https://10.0.0.7"),
        ("http", Address("0.0.0.0", 80), HALL, "http://10.0.0.7"),
        ("http", Address("0.0.0.0", 443), HALL, "http://10.0.0.7:443"),
        ("https", Address("192.168.1.7", 8443), HALL, "https://192.168.1.7:8443"),
        ("https", Address("2001:db8::7", 8443), HALL, "https://[2001:db8::7]:8443"),
        ("https", Address("0.0.0.0", 8443), ("127.0.0.1:7373",), ""),
        ("http", Address("127.0.0.1", 8080), HALL, ""),
        ("http", Address("localhost", 8080), HALL, ""),
        ("http", Address("::1", 8080), HALL, ""),
    ],
)
def test_phones_are_sent_to_an_address_that_they_can_reach(
    scheme: str, http: Address, addresses: tuple[str, ...], pages: str
) -> None:
    assert pages_for_phones(scheme, http, lambda: addresses)() == pages


def test_the_address_follows_the_computer_to_another_network() -> None:
    here = ["10.0.0.7:7373"]
    find = pages_for_phones("https", Address("0.0.0.0", 8443), lambda: here)
    here[0] = "172.16.0.9:7373"
    assert find() == "https://172.16.0.9:8443"


LO, DOCKER, CABLE, WIFI, TUNNEL = (
    ("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("eth0", "10.0.0.5"), ("wlan0", "192.168.1.20"),
    ("tun0", "10.8.0.2"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("interfaces", "routed", "hosts"),
    [
        ((LO, DOCKER, WIFI), "192.168.1.20", ("192.168.1.20",)),
        ((LO, DOCKER, WIFI), None, ("192.168.1.20",)),
        ((LO, DOCKER, CABLE, WIFI), "192.168.1.20", ("192.168.1.20", "10.0.0.5")),
        ((LO, DOCKER, CABLE, WIFI), None, ("10.0.0.5", "192.168.1.20")),
        ((LO, WIFI, TUNNEL), "10.8.0.2", ("192.168.1.20", "10.8.0.2")),
        ((LO, DOCKER), "172.17.0.1", ("172.17.0.1",)),
        ((LO, DOCKER, TUNNEL), None, ("172.17.0.1", "10.8.0.2")),
        ((LO,), None, ()),
    ],
)
def test_real_interfaces_come_first_and_bridges_only_where_nothing_else_is(
    tmp_path: Path, interfaces: tuple[tuple[str, str], ...], routed: str | None, hosts: tuple[str, ...]
) -> None:
    for name in ("lo", "docker0", "tun0"):
        (tmp_path / name).mkdir()
    for name in ("eth0", "wlan0"):
        (tmp_path / name / "device").mkdir(parents=True)
    assert order_hosts(interfaces, routed, tmp_path) == hosts


def printed(tmp_path: Path, *more: str) -> str:
    """Start a station, and return what it prints until it serves."""
    data, words = tmp_path / "data", ""
    with Processes(tmp_path / "logs") as processes:
        processes.start(
            "station", program("saloon-station"), "serve", "--data", str(data), "--tls-port", "0",
            "--no-announce", *more,
        )  # fmt: skip
        for _ in poll_until_timeout(30):
            processes.check()
            words = processes.last_words("station", 40)
            if "The first account" in words:
                break
        for line in words.splitlines():
            if line.startswith("Saloon station: "):
                trusting = (
                    ssl.create_default_context(cafile=str(data / "pages-certificate.pem"))
                    if "https" in line
                    else None
                )
                with urllib.request.urlopen(f"{line.split(': ')[1]}/login", context=trusting) as answer:
                    assert answer.status == 200
    return words


@pytest.mark.slow
def test_with_https_an_address_that_opens_is_printed_and_the_fingerprint(tmp_path: Path) -> None:
    words = printed(tmp_path, "--http", f"0.0.0.0:{free_port()}", "--https")
    assert "0.0.0.0" not in words.partition("Terminals:")[0]
    assert format_fingerprint(tmp_path / "data" / "pages-certificate.pem") in words


@pytest.mark.nightly
@pytest.mark.slow
def test_on_the_loopback_the_address_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    port = free_port()
    words = printed(tmp_path, "--http", f"127.0.0.1:{port}")
    assert f"Saloon station: http://127.0.0.1:{port}\n" in words
    assert "certificate" not in words.partition("Terminals:")[0]


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
