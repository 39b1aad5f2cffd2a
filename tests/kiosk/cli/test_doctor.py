"""``saloon-terminal doctor`` with real data folders and stations, and with faults caused there."""

import contextlib
import json
import os
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from base.whole_file import write_whole
from kiosk.cli.main import main
from sync.enrolment.provisioning import StationPart, provisioning_text
from sync.ports.findings import Finding
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import LinkChanged, LinkPhase, LinkReport
from sync.terminal.status import TerminalStatus, running_status, status_file
from sync.tls.certificates import own_identity
from tests.rigs.ends import Station, Terminal


def write_status(file: Path, status: TerminalStatus) -> None:
    write_whole(file, msgspec.json.encode(status))


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Station]:
    made = Station(tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def _runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def looked(data: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["doctor", "--data", str(data), "--no-listen", *options])


def findings(data: Path, *options: str) -> tuple[int, dict[str, str]]:
    result = looked(data, "--json", *options)
    report = json.loads(result.output.splitlines()[-1])  # the station logs to it as well
    assert report["fine"] is (result.exit_code == 0)
    return result.exit_code, {check["what"]: check["finding"] for check in report["checks"]}


def provisioned(data: Path, station: Station, certificate: str = "") -> Path:
    data.mkdir(exist_ok=True)
    part = StationPart(certificate or station.identity[1].read_text(), (f"127.0.0.1:{station.port}",))
    (data / "provisioning.toml").write_text(provisioning_text(part, None, ""), encoding="utf-8")
    return data


def enrolled(folder: Path, station: Station) -> Path:
    terminal = Terminal(folder / "t", station)
    terminal.agent.start()
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
    terminal.agent.stop()
    return provisioned(folder / "t", station)


def change_journal(data: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(data / "journal.db")) as db:
        db.executescript(script)


def way(station: Station) -> str:
    return f"tcp 127.0.0.1:{station.port}"


def test_a_terminal_that_is_well_is_told_so(station: Station, tmp_path: Path) -> None:
    data = enrolled(tmp_path, station)
    status, checks = findings(data)
    results = (status, checks["terminal"], checks["journal"], checks[way(station)])
    assert results == (0, "not_running", "journal_whole", "fine")
    said = looked(data).output
    assert "The journal is intact: 1 entries, 0 of them not received." in said
    assert said.index("The station answers.") < said.index("For an engineer:") < said.index("took_ms=")


def test_the_terminals_own_folder_is_looked_at_without_an_option(
    station: Station, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    enrolled(tmp_path, station)
    (tmp_path / "saloon").mkdir()
    data = (tmp_path / "t").rename(tmp_path / "saloon" / "terminal")
    for options in ((), ("--data", str(data))):
        result = CliRunner().invoke(main, [*options, "doctor", "--no-listen"])
        assert result.exit_code == 0, result.output
        assert "1 entries" in result.output


def test_a_terminal_that_runs_is_not_disturbed(station: Station, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "t", station)
    data = provisioned(tmp_path / "t", station)
    agent = JournalAgent(terminal.journal, terminal.agent._uplink, status=status_file(data))
    terminal.agent.stop()
    terminal.agent = agent
    agent.start()
    terminal.wait_for(lambda news: isinstance(news, LinkChanged) and news.phase is LinkPhase.CONNECTED)
    agent.append(b"\x01")
    terminal.wait_received(1)
    before = list(station.links)
    end = time.monotonic() + 5
    while (
        now := running_status(data, int(time.time()))
    ) is None or now.link.phase is not LinkPhase.CONNECTED:
        assert time.monotonic() < end
        time.sleep(0.01)
    status, checks = findings(data)
    assert (status, checks["terminal"], checks[way(station)]) == (0, "running_connected", "fine")
    assert station.links == before
    agent.append(b"\x02")
    terminal.wait_received(2)
    agent.stop()
    assert running_status(data, int(time.time())) is None


def test_another_station_and_one_that_does_not_know_us_are_told_apart(
    station: Station, tmp_path: Path
) -> None:
    other = own_identity(tmp_path / "other", "station")[1].read_text()
    status, checks = findings(provisioned(tmp_path / "a", station, other))
    assert (status, checks[way(station)]) == (1, "wrong_station")
    stranger = provisioned(tmp_path / "b", station)
    own_identity(stranger, "terminal")
    status, checks = findings(stranger)
    assert (status, checks[way(station)]) == (1, "not_enrolled")


def test_addresses_that_lead_nowhere_are_named_and_less_bad_beside_one_that_leads(
    station: Station, tmp_path: Path
) -> None:
    data = enrolled(tmp_path, station)
    with socket.create_server(("127.0.0.1", 0)) as other, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
        unknown = "no-such-host.invalid:7373"
        status, checks = findings(data, "--station", nobody, "--station", unknown)
        assert status == 0
        assert (checks[f"tcp {nobody}"], checks[f"tcp {unknown}"]) == ("no_station", "name_unknown")
        station.call(station.hub.stop())
        other.close()
        status, checks = findings(data)
        assert (status, checks[way(station)]) == (1, "no_station")


def test_what_answers_and_is_no_station_is_told(station: Station, tmp_path: Path) -> None:
    data = provisioned(tmp_path / "t", station)
    with socket.create_server(("127.0.0.1", 0)) as page:
        address = f"127.0.0.1:{page.getsockname()[1]}"

        def answer() -> None:
            one, _ = page.accept()
            with one:
                one.recv(4096)
                one.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        assert findings(data, "--station", address)[1][f"tcp {address}"] == "no_saloon"


@pytest.mark.parametrize(
    "content", ["", "PRAGMA user_version=0; PRAGMA journal_mode=WAL", "CREATE TABLE own (seq)"]
)
def test_a_journal_that_a_power_cut_left_without_its_tables_is_not_called_damaged(
    station: Station, tmp_path: Path, content: str
) -> None:
    data = provisioned(tmp_path / "t", station)
    (data / "journal.db").touch()
    change_journal(data, content)
    assert findings(data)[1]["journal"] == "journal_none"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE own SET raw = x'00' WHERE seq = 1", id="an entry"),
        pytest.param("UPDATE facts SET value = 'x' WHERE name = 'epoch'", id="the epoch"),
        pytest.param("INSERT INTO orders VALUES ('e', 2, x'00', x'00')", id="an order"),
    ],
)
def test_a_journal_that_was_changed_is_noticed_and_left_as_it_is(
    station: Station, tmp_path: Path, change: str
) -> None:
    data = enrolled(tmp_path, station)
    change_journal(data, change)
    before = (data / "journal.db").read_bytes()
    status, checks = findings(data)
    assert (status, checks["journal"]) == (1, "journal_damaged")
    assert (data / "journal.db").read_bytes() == before


def test_a_terminal_without_enrolment_and_one_without_a_folder(tmp_path: Path) -> None:
    status, checks = findings(tmp_path)
    assert (status, checks["enrolment"], checks["journal"]) == (1, "not_provisioned", "journal_none")
    result = looked(tmp_path / "none")
    assert result.exit_code == 2
    assert "there is no such data folder" in result.stderr


def test_a_cable_that_is_not_there_is_named(station: Station, tmp_path: Path) -> None:
    data = enrolled(tmp_path, station)
    status, checks = findings(data, "--serial", str(tmp_path / "ttyUSB0"))
    assert (status, checks[f"serial {tmp_path / 'ttyUSB0'}"]) == (0, "no_device")


def test_a_status_of_a_dead_or_silent_terminal_counts_for_nothing(tmp_path: Path) -> None:
    now = int(time.time())
    file = status_file(tmp_path)
    alive = TerminalStatus(os.getpid(), now, 4, 2, LinkReport(LinkPhase.SEARCHING, figures=None))
    write_status(file, alive)
    assert running_status(tmp_path, now) == alive
    assert running_status(tmp_path, now + 60) is None
    write_status(file, msgspec.structs.replace(alive, pid=2**22 - 3))
    assert running_status(tmp_path, now) is None


def test_what_the_card_has_not_noted_as_received_is_known_from_the_running_terminal(
    station: Station, tmp_path: Path
) -> None:
    data = enrolled(tmp_path, station)
    change_journal(data, "DELETE FROM facts WHERE name = 'received'")
    assert "1 entries, 1 of them not received" in looked(data).output
    now, link = int(time.time()), LinkReport(LinkPhase.CONNECTED, figures=None)
    write_status(status_file(data), TerminalStatus(os.getpid(), now, 1, 1, link))
    assert "1 entries, 0 of them not received" in looked(data).output


def test_a_status_of_another_version_with_a_sentence_we_do_not_have_is_read(tmp_path: Path) -> None:
    now, file = int(time.time()), status_file(tmp_path)
    link = LinkReport(LinkPhase.SEARCHING, finding=Finding.NO_ANSWER, tries=3)
    write_status(file, TerminalStatus(os.getpid(), now, 4, 2, link))
    file.write_bytes(file.read_bytes().replace(b"No answer from", b"Nobody answers at"))
    status = running_status(tmp_path, now)
    assert status is not None
    assert (status.link.finding, status.link.tries) == (Finding.RUNNING_ALONE, 3)


@pytest.mark.parametrize("language", ["en", "it"])
def test_it_speaks_the_languages_of_the_terminal(
    tmp_path: Path, language: str, station: Callable[..., object]
) -> None:
    result = looked(provisioned(tmp_path / "t", station), "--language", language)  # type: ignore[arg-type]
    assert result.exit_code == 0
    assert "✓" in result.output
