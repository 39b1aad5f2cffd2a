import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import pytest

from base.clock import SystemClock
from base.durable_file import DurableFile
from base.errors import BadData, OurFault, Unavailable
from station.store.database import Database, sqlite_url
from sync.protocol.entry import LONGEST_ENTRY, Epoch, StreamId, content_of
from sync.protocol.journal import Journal, OtherBoard
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import JournalFailed, Saved
from sync.terminal.agent_steps import AgentSteps
from tests.rigs.ends import hashes_of
from tests.soak.flipped import make_journal, read_journal

STREAM, ORDERS = StreamId("table/1"), StreamId("orders/1")

WRITER = """
import pathlib, sys
from sync.protocol.entry import StreamId
from sync.protocol.journal import Journal
journal = Journal(pathlib.Path(sys.argv[1]), StreamId("table/1"), StreamId("orders/1"), "board")
journal.open()
while True:
    number = journal.head().seq + 1
    last = journal.append(tuple(f"entry {number + i}".encode() for i in range(3)))
    print(last, flush=True)
"""


@contextmanager
def writing(path: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """Run a program that writes to the journal, and says how many entries it has."""
    command = [sys.executable, "-c", WRITER, str(path / "journal.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        yield writer, writer.stdout


def at(path: Path, board: str = "board") -> Journal:
    return Journal(path / "journal.db", STREAM, ORDERS, board)


@contextmanager
def tampered(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path / "journal.db")) as db:
        yield db
        db.commit()


@pytest.mark.faults
@pytest.mark.parametrize("lines", [1, 5, 20])
def test_what_append_returned_from_survives_a_kill(tmp_path: Path, lines: int) -> None:
    with writing(tmp_path) as (writer, said):
        acknowledged = 0
        for _ in range(lines):
            acknowledged = int(said.readline())
        os.kill(writer.pid, signal.SIGKILL)
        for line in said:
            acknowledged = int(line)
    with at(tmp_path) as journal:
        own = journal.own()
        assert len(own) >= acknowledged
        assert len(own) % 3 == 0
        assert own == tuple(f"entry {i + 1}".encode() for i in range(len(own)))


@pytest.mark.faults
def test_a_journal_that_another_program_writes_is_not_touched(tmp_path: Path) -> None:
    with writing(tmp_path) as (writer, said):
        said.readline()
        with pytest.raises(Unavailable, match="another program has it open"):
            at(tmp_path).open()
        writer.kill()
    with at(tmp_path) as journal:
        assert len(journal.own()) % 3 == 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE own SET raw = x'6263' WHERE seq = 2", "entry 2"),
        ("UPDATE own SET hash = zeroblob(32) WHERE seq = 3", "entry 3"),
        ("DELETE FROM own WHERE seq = 1", "entry 1"),
        ("UPDATE orders SET raw = x'00' WHERE seq = 1", "order 1"),
        ("DELETE FROM orders WHERE seq = 1", "order 1"),
    ],
)
def test_a_changed_byte_is_noticed_and_named(tmp_path: Path, change: str, named: str) -> None:
    with at(tmp_path) as journal:
        journal.append((b"a", b"b", b"c"))
        journal.keep_orders(Epoch("e"), 1, (b"x", b"y"), hashes_of(b"x", b"y"))
    with tampered(tmp_path) as db:
        db.execute(change)
    with pytest.raises(BadData, match=f"{named}: the journal is damaged here"):
        at(tmp_path).open()


def test_a_file_that_is_no_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"holiday pictures" * 1000)
    with pytest.raises(BadData, match=r"journal\.db.*not a journal, or damaged"):
        at(tmp_path).open()


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="file"):
        Journal(tmp_path / "file" / "journal.db", STREAM, ORDERS, "board").open()


def full(journal: Journal) -> None:
    db = journal._file._connection()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages + 1}")


def test_a_full_disk_is_said_and_nothing_is_half_done(tmp_path: Path) -> None:
    with at(tmp_path) as journal:
        journal.append((b"a",))
        full(journal)
        with pytest.raises(Unavailable, match="full"):
            journal.append((b"b", bytes(100_000)))
        journal.open()
        full(journal)
        with pytest.raises(Unavailable, match="full"):
            journal.keep_orders(Epoch("e"), 1, (bytes(100_000),), (bytes(32),))
        journal.open()
        assert journal.own() == (b"a",)
        assert journal.head().seq == 1
        assert journal.orders() == ()
        assert journal.append((b"b",)) == 2
        assert journal.facts.boot == 1
    with at(tmp_path) as journal:
        assert journal.own() == (b"a", b"b")


def test_after_an_error_of_the_disk_nothing_is_believed_until_all_was_read_again(tmp_path: Path) -> None:
    with at(tmp_path) as journal:
        journal.append((b"a", b"b"))
        full(journal)
        with pytest.raises(Unavailable, match="full"):
            journal.append((bytes(100_000),))
        assert not journal.is_open
        for use in (journal.own, journal.orders_head, lambda: journal.append((b"c",))):
            with pytest.raises(Unavailable, match="not open"):
                use()
        with tampered(tmp_path) as db:
            db.execute("UPDATE own SET raw = x'00' WHERE seq = 2")
        with pytest.raises(BadData, match="entry 2: the journal is damaged here"):
            journal.open()
        assert not journal.is_open


def test_a_page_that_forgot_its_rows_is_damage_and_not_an_earlier_journal(tmp_path: Path) -> None:
    file = tmp_path / make_journal(tmp_path)
    changed = bytearray(file.read_bytes())
    # The number of rows of the table's page: 18 entries become 2.
    changed[4100] ^= 1 << 4
    file.write_bytes(changed)
    with pytest.raises(BadData, match="damaged"):
        read_journal(tmp_path)


def test_a_journal_of_another_board_goes_on_here_when_told_so(tmp_path: Path) -> None:
    with at(tmp_path) as journal:
        journal.append((b"a", b"b"))
        epoch = journal.facts.epoch
    with Journal(tmp_path / "journal.db", STREAM, ORDERS, "other", adopts=True) as moved:
        assert moved.own() == (b"a", b"b")
        assert moved.facts.epoch == epoch
        moved.append((b"c",))
    with Journal(tmp_path / "journal.db", STREAM, ORDERS, "other") as again:
        assert again.own() == (b"a", b"b", b"c")
    with pytest.raises(OtherBoard) as refused, at(tmp_path):
        pass
    assert refused.value.board == "other"


class Failing(Journal):
    """A journal whose next commit reports an error, even if the entries are ``stored``."""

    fails: list[bool]

    def append(self, raws: tuple[bytes, ...]) -> int:
        if not self.fails:
            return super().append(raws)
        if self.fails.pop(0):
            super().append(raws)
        raise Unavailable("disk I/O error")


@pytest.mark.faults
@pytest.mark.parametrize("stored", [[False], [True], [False, True], [True, False, False]])
def test_what_waits_while_the_disk_fails_is_saved_once_in_the_end(tmp_path: Path, stored: list[bool]) -> None:
    journal = Failing(tmp_path / "journal.db", STREAM, ORDERS, "board")
    journal.fails = list(stored)
    agent = by_hand(journal)
    bodies = tuple(bytes([i]) for i in range(8))
    assert [agent.append(body) for body in bodies[:3]] == [1, 2, 3]
    for _ in stored:
        agent.save()
    assert [agent.append(body) for body in bodies[3:]] == [4, 5, 6, 7, 8]
    agent.save()
    news = tuple(agent._news)
    assert [type(item) for item in news] == [JournalFailed, Saved]
    assert news[-1] == Saved(8)
    assert tuple(bytes(content_of(raw).body) for raw in journal.own()) == bodies
    journal.close()


def by_hand(journal: Journal) -> AgentSteps:
    """Return an agent that has no thread, so that the test runs its steps."""
    agent = AgentSteps(journal, None, SystemClock(), trusted_clock=lambda: False, on_news=lambda: None)
    agent.begin()
    return agent


@pytest.mark.faults
def test_a_card_that_lost_what_it_had_saved_is_named_and_no_number_is_given_twice(tmp_path: Path) -> None:
    journal = at(tmp_path)
    agent = by_hand(journal)
    for body in (b"\x01", b"\x02", b"\x03"):
        agent.append(body)
    agent.save()
    journal._file._connection().execute("DELETE FROM own WHERE seq > 1")
    journal.close()
    assert agent.append(b"\x04") == 4
    agent.save()
    failed = agent._news[-1]
    assert isinstance(failed, JournalFailed)
    assert "has lost entries 2 to 3 after saving them" in failed.problem
    agent.save()
    assert [type(item) for item in agent._news] == [Saved, JournalFailed]
    assert journal.head().seq == 1
    journal.close()


@pytest.mark.faults
def test_a_bug_in_the_journal_loses_nothing_and_does_not_end_the_thread(tmp_path: Path) -> None:
    journal = at(tmp_path)
    agent = by_hand(journal)
    append = journal.append

    def broken(raws: tuple[bytes, ...]) -> int:
        raise ZeroDivisionError(len(raws))

    journal.append = broken  # type: ignore[method-assign]  # a bug, where it would be
    agent.append(b"\x01")
    agent.save()
    journal.append = append  # type: ignore[method-assign]
    agent.save()
    assert [type(item) for item in agent._news] == [JournalFailed, Saved]
    assert len(journal.own()) == 1
    journal.close()


class ToldClock:
    """A clock whose wall time jumps by years while the monotonic time continues."""

    def __init__(self, *walls_ms: int) -> None:
        self._walls_ms = iter(walls_ms)
        self._now_ms = 0

    def monotonic_ms(self) -> int:
        self._now_ms += 1
        return self._now_ms

    def wall_ms(self) -> int:
        return next(self._walls_ms)


def test_a_clock_that_jumps_by_ten_years_changes_no_order(tmp_path: Path) -> None:
    now, ten_years = 1_790_000_000_000, 315_576_000_000
    agent = JournalAgent(at(tmp_path), None, clock=ToldClock(now, now - ten_years, 0, now + ten_years))
    agent.start()
    assert [agent.append(bytes([i])) for i in range(4)] == [1, 2, 3, 4]
    agent.stop()
    with at(tmp_path) as journal:
        contents = [content_of(raw) for raw in journal.own()]
    assert [bytes(content.body) for content in contents] == [b"\0", b"\x01", b"\x02", b"\x03"]
    assert [content.clock.monotonic_ms for content in contents] == [1, 2, 3, 4]
    assert contents[1].clock.wall_ms < contents[0].clock.wall_ms < contents[3].clock.wall_ms


def test_the_log_beside_the_journal_goes_round_and_does_not_grow(tmp_path: Path) -> None:
    """A commit to a growing log costs a card two flushes, as the file system stores its size."""
    log = tmp_path / "journal.db-wal"
    with at(tmp_path) as journal:
        sizes = []
        for number in range(300):
            journal.append((number.to_bytes(2, "big") * 60,))
            sizes.append(log.stat().st_size)
    assert max(sizes) < 400_000
    with at(tmp_path) as journal:
        assert journal.head().seq == 300


def test_an_entry_that_no_message_could_hold_is_refused_at_once(tmp_path: Path) -> None:
    agent = JournalAgent(at(tmp_path), None)
    agent.start()
    with pytest.raises(OurFault, match="are allowed"):
        agent.append(bytes(LONGEST_ENTRY))
    assert agent.append(b"\x01") == 1
    agent.stop()


def modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.iterdir() if path.is_file()}


def test_a_terminals_journal_is_read_by_nobody_else_also_one_of_an_earlier_version(tmp_path: Path) -> None:
    file, again = (DurableFile(tmp_path / "journal.db", "CREATE TABLE IF NOT EXISTS t (a)") for _ in range(2))
    with closing(file), closing(again):
        file.open()
        with file.transaction() as db:
            db.execute("INSERT INTO t VALUES (1)")
        assert modes(tmp_path) == {0o600}
        for path in tmp_path.iterdir():
            path.chmod(0o644)
        again.open()
        assert again.rows("SELECT a FROM t") == [(1,)]
        assert modes(tmp_path) == {0o600}


def test_a_stations_database_is_read_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "station.sqlite"
    for _ in range(2):
        with closing(Database(sqlite_url(path))) as database:
            database.open()
            assert modes(tmp_path) == {0o600}
        path.chmod(0o644)
