"""Decisions are made one at a time, and are stored so that they can be read back, or refused."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from base import __version__
from base.errors import BadData, Refused, Unavailable
from core.terms import GameId
from core.tournament.registration import RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from station.hall import tournaments
from station.store.database import Database, DatabaseDamaged
from station.terminals.admission import EnrolmentDirectory
from station.terminals.service import Terminals
from station.text.i18n import Words
from sync.protocol.entry import Entry, Quarantined, TerminalId
from sync.terminal.agent_contract import LinkChanged
from sync.tls.certificates import generate_certificate
from tests.rigs.ends import MemoryStore, Terminal
from tests.rigs.ends import Station as HubStation
from tests.station.browser import Browser
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won, players


def test_what_a_browser_began_is_finished_when_it_goes_away(station: Station) -> None:
    station.opens(10)

    async def _gone() -> None:
        work = station.service.decide(OPEN, RegisterPlayers(players(11)[10:]), JUDGE)
        asking = asyncio.create_task(work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    station.run(_gone())
    station.settle()
    assert len(station.service.tournament(OPEN).entrants) == 11
    assert len(list(station.store.entries_after())) == 3


def test_decisions_at_the_same_moment_follow_one_another(station: Station) -> None:
    station.opens(10)
    newcomer = RegisterPlayers(players(11)[10:])

    async def _both() -> list[object]:
        decisions = [station.service.decide(OPEN, newcomer, judge) for judge in ("Roy", "Belle")]
        return list(await asyncio.gather(*decisions, return_exceptions=True))

    outcomes = station.run(_both())
    assert [isinstance(outcome, Refused) for outcome in outcomes] == [False, True]
    assert len(station.service.tournament(OPEN).entrants) == 11


def fills_disk(station: Station) -> None:
    with station.database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_refuses_the_judge_and_loses_nothing(station: Station) -> None:
    station.opens(10)
    fills_disk(station)
    many = RegisterPlayers(players(3000)[10:])
    with pytest.raises(Unavailable, match="full"):
        station.does(many)
    assert len(station.service.tournament(OPEN).entrants) == 10
    # With room again the same command works, on folds that were read anew.
    assert len(station.does(many).entrants) == 3000
    assert len(station.service.history(OPEN)) == 3


def test_the_log_keeps_secrets_of_what_was_done(station: Station, capsys: pytest.CaptureFixture[str]) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.run(station.service.of(Terminals).renew_pins(JUDGE))
    station.publishes("a seed that nobody knows yet")
    terminal.plays()
    said = capsys.readouterr().out
    assert "PublishDraw" in said
    state = station.service.tournament(OPEN)
    for secret in (
        station.service.pin(terminal.id),
        state.rounds[0].seed,
        "argon2",
        "1800",
        'token = "',
        "score",
    ):
        assert secret not in said


class Post:
    """Records the terminals whose orders were sent."""

    def __init__(self) -> None:
        self.travelled: list[TerminalId] = []

    async def orders_appended(self, terminal: TerminalId) -> None:
        self.travelled.append(terminal)

    async def import_entries(self, entries: tuple[Entry, ...]) -> bool:
        return not entries

    def hang_up(self, terminal: TerminalId, reason: str) -> None:
        raise AssertionError(terminal, reason)

    def counters(self, terminal: TerminalId) -> None:
        raise AssertionError(terminal)


def test_after_a_commit_that_failed_all_orders_travel_it_may_be_there(station: Station) -> None:
    terminal = station.terminal(1)
    station.opens(10)
    post = Post()
    station.context.connect(post)
    fills_disk(station)
    with pytest.raises(Unavailable, match="full"):
        station.does(RegisterPlayers(players(3000)[10:]))
    assert post.travelled == []
    station.does(RegisterPlayers(players(11)[10:]))
    assert terminal.id in post.travelled


def test_closing_ends_though_tasks_are_done_whose_callbacks_have_not_run(station: Station) -> None:
    """Since Python 3.12, gathering finished tasks does not yield, so the loop must not spin."""

    async def _close_with_a_task_that_is_done() -> None:
        async def _nothing() -> None:
            return

        task = asyncio.get_running_loop().create_task(_nothing())
        await task
        # As it is between a task's end and its callback.
        station.context._tasks.add(task)
        async with asyncio.timeout(5):
            await station.context.close()

    station.run(_close_with_a_task_that_is_done())


def test_a_step_that_could_not_be_read_back_is_neither_stored_nor_confirmed(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.opens(10)
    result = outlaws_won(station.publishes(), 1)
    stored = list(station.context.parts.store.entries_after())
    of_nobody = GameId("of nobody")
    wrong = AcceptSheet(of_nobody, result, Source.PAPER, "Judge Roy")
    monkeypatch.setattr(tournaments, "core_decide", lambda *_: (wrong,))
    with pytest.raises(BadData, match="not drawn"):
        station.does(AcceptSheet(of_nobody, result, Source.PAPER))
    assert list(station.context.parts.store.entries_after()) == stored
    assert not station.service.tournament(OPEN).rounds[0].sheets


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


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_damaged_database_is_told_without_its_address(language: str) -> None:
    words = Words(language).error(DatabaseDamaged("PostgreSQL ledger at 127.0.0.1", "damaged (port 1)"))
    assert words
    assert not [word for word in HIDDEN if word in words]


def test_strangers_hear_of_no_damaged_database(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
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
