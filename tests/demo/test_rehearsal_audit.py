"""The audit of a rehearsal finds inconsistencies, and nothing else."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from demo.rehearsal.report import AuditedJournal, JournalAudit, compare_journals

WRITTEN = (b"one", b"two", b"three")
HELD = tuple(enumerate(WRITTEN, 1))


def hall(
    folder: Path, held: tuple[tuple[int, bytes], ...], *, quarantined: bool = False
) -> tuple[Path, Path]:
    station, journal = folder / "station.sqlite", folder / "journal.db"
    with closing(sqlite3.connect(station)) as database:
        database.execute("CREATE TABLE entries (arrival INTEGER PRIMARY KEY, stream TEXT, seq INT, raw BLOB)")
        database.execute("CREATE TABLE quarantine (number INT)")
        rows = [("table/ab", seq, raw) for seq, raw in held]
        database.executemany("INSERT INTO entries (stream, seq, raw) VALUES (?, ?, ?)", rows)
        if quarantined:
            database.execute("INSERT INTO quarantine VALUES (1)")
        database.commit()
    with closing(sqlite3.connect(journal)) as database:
        database.execute("CREATE TABLE own (seq INTEGER PRIMARY KEY, raw BLOB)")
        database.executemany("INSERT INTO own VALUES (?, ?)", HELD)
        database.commit()
    return station, journal


def audited(folder: Path, held: tuple[tuple[int, bytes], ...], *, destroyed: bool = False) -> JournalAudit:
    station, journal = hall(folder, held)
    return compare_journals(station, {"ab": AuditedJournal(journal, destroyed)})


def test_all_of_it_once_in_order_and_unaltered_is_well(tmp_path: Path) -> None:
    assert audited(tmp_path, HELD) == JournalAudit(entries=3)


def test_what_has_not_come_yet_is_owed_and_what_went_down_is_lost(tmp_path: Path) -> None:
    assert audited(tmp_path, HELD[:2]) == JournalAudit(entries=2, missing=1)
    (tmp_path / "other").mkdir()
    assert audited(tmp_path / "other", HELD[:1], destroyed=True) == JournalAudit(entries=1, lost=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "held",
    [
        (HELD[0], HELD[0], HELD[1]),
        (HELD[1], HELD[0]),
        (HELD[0], (2, b"twp")),
        (HELD[0], HELD[2]),
        (*HELD, (4, b"four")),
    ],
    ids=["doubled", "order", "altered", "gap", "invented"],
)
def test_anything_else_is_wrong(tmp_path: Path, held: tuple[tuple[int, bytes], ...]) -> None:
    assert audited(tmp_path, held).wrong


def test_entries_in_quarantine_are_wrong(tmp_path: Path) -> None:
    station, journal = hall(tmp_path, HELD, quarantined=True)
    assert compare_journals(station, {"ab": AuditedJournal(journal, destroyed=False)}).wrong
