"""Database failures, and that only the station's log reveals where the database is."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from base import __version__
from base.errors import Unavailable
from station.store.database import Database, DatabaseDamaged
from station.terminals.admission import EnrolmentDirectory
from station.text.i18n import Words
from sync.protocol.entry import Entry, Quarantined
from sync.terminal.agent_contract import LinkChanged
from sync.tls.certificates import generate_certificate
from tests.rigs.ends import MemoryStore, Terminal
from tests.rigs.ends import Station as HubStation
from tests.station.browser import Browser
from tests.station.conftest import Station

NOBODY = "postgresql://keeper:s3cret@127.0.0.1:1/ledger"
"""An address at which no database answers."""
HIDDEN = ("127.0.0.1", "port 1", "ledger", "keeper", "s3cret", "PostgreSQL", "postgresql")


class StoreOnAnotherComputer(MemoryStore):
    """A store whose database is away for the first commit."""

    def insert_remote(self, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
        if self.refuses:
            self.refuses -= 1
            with Database(NOBODY).transaction():
                pass
        return super().insert_remote(entries)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubStation]:
    station = HubStation(tmp_path)
    station.store.__class__ = StoreOnAnotherComputer
    station.start()
    yield station
    station.stop()


@pytest.fixture
def moved(station: Station) -> Iterator[Station]:
    """Start a station whose database is gone."""
    there = station.database._url
    yield station
    station.database._url = there


@pytest.mark.slow
def test_a_terminal_is_told_in_plain_words_and_the_log_has_the_rest(hub: HubStation, tmp_path: Path) -> None:
    with capture_logs() as logs:
        terminal = Terminal(tmp_path / "t", hub)
        terminal.agent.start()
        try:
            hub.store.refuses = 1
            terminal.agent.append(b"\x01")
            terminal.wait_received(1)
        finally:
            terminal.agent.stop()
    details = [news.detail for news in terminal.seen if isinstance(news, LinkChanged)]
    assert any("the station cannot store anything right now" in detail for detail in details)
    assert not [word for word in HIDDEN[1:] for detail in details if word in detail]
    (line,) = [line for line in logs if line["event"] == "the station's disk refuses"]
    assert "PostgreSQL ledger at 127.0.0.1" in line["problem"]
    assert "Connection refused" in line["problem"]
    assert "s3cret" not in str(logs)


def test_a_page_says_nothing_of_the_database(moved: Station) -> None:
    judge = Browser(moved)
    judge.log_in()
    moved.database.close()
    moved.database._url = Database(NOBODY)._url
    moved.database._where = Database(NOBODY)._where
    with capture_logs() as logs:
        answer = judge.status("/judge")
    assert answer.status_code == 503
    assert "database isn&#39;t responding" in answer.text
    assert not [word for word in HIDDEN if word in answer.text]
    (line,) = [line for line in logs if line["event"] == "page unavailable"]
    assert "PostgreSQL ledger at 127.0.0.1" in line["problem"]
    judge.close()


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_damaged_database_is_told_without_its_address(language: str) -> None:
    words = Words(language).error(DatabaseDamaged("PostgreSQL ledger at 127.0.0.1", "damaged (port 1)"))
    assert words
    assert not [word for word in HIDDEN if word in words]


def test_a_stranger_is_told_nothing_of_a_damaged_database(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    def _damaged(token: str, certificate: str, _playing: object) -> None:
        raise DatabaseDamaged("PostgreSQL ledger at 127.0.0.1", f"damaged {len(token + certificate)}")

    monkeypatch.setattr(station.enrolments, "enrol", _damaged)
    context = EnrolmentDirectory(station.enrolments, station.context, station.runner.get_loop())
    with pytest.raises(Unavailable):
        context.enrol("token", generate_certificate("table 1")[1])


def test_a_monitor_learns_whether_the_station_is_well(moved: Station) -> None:
    visitor = Browser(moved)
    answer = visitor.status("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__}
    moved.database._url = Database(NOBODY)._url
    moved.database.close()
    answer = visitor.status("/health")
    assert answer.status_code == 503
    assert answer.json()["status"] == "database unreachable"
    assert not any(word in answer.text for word in HIDDEN)
    visitor.close()
