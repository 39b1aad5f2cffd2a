"""Backups made while the station works, restored, or sealed with a passphrase."""

import sqlite3
from pathlib import Path

import pytest

from base.errors import BadData
from core.game.orders import AssignTable, SeatGame
from station.backups.backup import backup_of_file, check, restore
from station.backups.sealed_backup import is_sealed, open_sealed_backup, recipient_of, seal_backup
from station.store.data_folder import DataFolder, load_station_identity
from station.store.database import Database, sqlite_url
from station.store.settings import Settings
from station.store.store import Store
from tests.station.conftest import Station, present


def test_a_backup_while_it_runs_holds_all_entries(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    content = station.run(station.service.backup())
    station.publishes()
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(content)
    database = Database(sqlite_url(copy))
    copied = [arrived.entry for arrived in Store(database, lambda: 0).entries_after()]
    database.close()
    assert copied == [arrived.entry for arrived in station.store.entries_after()][: len(copied)]
    assert len(copied) == 2


def test_another_program_can_back_up_a_running_station(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    content = backup_of_file(tmp_path / "station.sqlite")
    station.publishes()
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(content)
    with sqlite3.connect(copy) as database:
        assert database.execute("SELECT count(*) FROM entries").fetchone() == (2,)
    database.close()


def test_a_restored_station_goes_on_and_gets_what_terminals_have(station: Station) -> None:
    station.opens(10)
    first, second = station.terminal(1), station.terminal(2)
    round_ = station.publishes()
    content = station.run(station.service.backup())
    first.plays()
    second.starts()
    again = station.restores(content)
    assert again.latest_round.sheets == ()
    assert again.orders(first.id) == []
    # The terminals say what they have; nothing is seated again, nothing doubled.
    for terminal in (first, second):
        again.connects(terminal.id, owes=len(terminal.entries))
        assert again.orders(terminal.id) == []
        terminal.station, terminal.unsent = again, list(terminal.entries)
        terminal.sends()
        again.connects(terminal.id)
    (sheet,) = again.latest_round.sheets
    assert sheet.game == round_.tables[0].game
    assert [type(order) for order in again.orders(first.id)] == []
    stored = [
        arrived.entry for arrived in again.store.entries_after() if arrived.entry.stream == first.stream
    ]
    assert stored == first.entries


def test_a_restored_station_writes_an_unmistakable_new_epoch(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    content = station.run(station.service.backup())
    before = station.store.own_epoch()
    station.publishes()
    assert len(terminal.ordered(SeatGame)) == 1
    again = station.restores(content)
    assert again.store.own_epoch() != before
    again.connects(terminal.id)
    again.publishes("another draw")
    # Orders of the lost station and of this one carry the same numbers, but not the same epoch.
    assert [type(order) for order in again.orders(terminal.id)] == [SeatGame]
    assert AssignTable not in {type(order) for order in again.orders(terminal.id)}


def test_a_database_that_is_there_is_put_aside_only_by_force(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    file = tmp_path / "backup"
    file.write_bytes(station.run(station.service.backup()))
    station.close()
    target = tmp_path / "station.sqlite"
    before = target.read_bytes()
    with pytest.raises(BadData, match="--force"):
        restore(file, target, force=False)
    assert target.read_bytes() == before
    aside = present(restore(file, target, force=True).aside)
    assert aside.read_bytes() == before


def test_the_log_of_the_database_before_never_meets_the_restored(station: Station, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_bytes(station.run(station.service.backup()))
    target = tmp_path / "elsewhere/station.sqlite"
    target.parent.mkdir()
    log = target.with_name("station.sqlite-wal")
    log.write_bytes(b"of the one before")
    restore(file, target, force=True)
    assert not log.exists() or log.read_bytes() != b"of the one before"


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"", "not a SQLite database"), (b"name,club\nAda,Torino\n", "not a SQLite database")],
)
def test_what_is_no_backup_is_refused_and_left(tmp_path: Path, content: bytes, problem: str) -> None:
    file = tmp_path / "backup"
    file.write_bytes(content)
    with pytest.raises(BadData, match=problem):
        restore(file, tmp_path / "station.sqlite", force=True)
    assert not (tmp_path / "station.sqlite").exists()


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "music.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    database.close()
    with pytest.raises(BadData, match="not of a station"):
        restore(file, tmp_path / "station.sqlite", force=False)


def test_a_damaged_backup_is_refused(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    content = bytearray(station.run(station.service.backup()))
    content[5000:9000] = bytes(4000)
    file = tmp_path / "backup"
    file.write_bytes(content)
    with pytest.raises(BadData, match="damaged"):
        restore(file, tmp_path / "other.sqlite", force=False)


def test_a_restored_station_is_the_one_that_its_terminals_believe(tmp_path: Path) -> None:
    here, there = DataFolder(tmp_path / "here"), DataFolder(tmp_path / "there")
    pairs = []
    for folder in (here, there):
        with folder.exclusive_lock():
            if folder is there:
                file = tmp_path / "backup"
                file.write_bytes(backup_of_file(here.database))
                restore(file, there.database, force=False)
            database = Database(folder.url)
            files = load_station_identity(folder, Settings(database))
            pairs.append([file.read_text() for file in files])
            assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o600]
            database.close()
    assert pairs[0] == pairs[1]


def test_a_copy_with_a_changed_entry_of_the_station_is_refused(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    station.publishes()
    copy = tmp_path / "copy"
    copy.write_bytes(station.run(station.service.backup()))
    assert check(copy) == ()
    with sqlite3.connect(copy) as database:
        database.execute("UPDATE entries SET raw = x'00' WHERE stream NOT LIKE 'table/%' AND seq = 1")
    database.close()
    with pytest.raises(BadData, match="the stored bytes have changed"):
        check(copy)


PASSPHRASE = "nobody reads this, partner"
CONTENT = b"SQLite format 3\x00" + bytes(range(256)) * 20


def opened(sealed: bytes, passphrase: str = PASSPHRASE) -> bytes:
    return open_sealed_backup(sealed, passphrase, "copy.sealed")


@pytest.mark.slow
def test_what_is_sealed_is_opened_by_the_passphrase() -> None:
    recipient = recipient_of(PASSPHRASE)
    sealed = seal_backup(CONTENT, recipient)
    assert is_sealed(sealed)
    assert not is_sealed(CONTENT)
    assert opened(sealed) == CONTENT
    assert CONTENT[:16] not in sealed
    assert len(sealed) == 96 + len(CONTENT) + 16


@pytest.mark.slow
def test_the_station_keeps_nothing_that_opens_a_backup_and_no_two_are_alike() -> None:
    recipient = recipient_of(PASSPHRASE)
    first, second = seal_backup(CONTENT, recipient), seal_backup(CONTENT, recipient)
    assert first[:64] == second[:64]
    assert first[64:96] != second[64:96]
    assert first[96:] != second[96:]
    with pytest.raises(BadData, match="not its passphrase"):
        opened(first, recipient.public.hex())


@pytest.mark.slow
def test_a_wrong_passphrase_and_a_short_one_are_named() -> None:
    sealed = seal_backup(CONTENT, recipient_of(PASSPHRASE))
    with pytest.raises(BadData, match="not its passphrase"):
        opened(sealed, PASSPHRASE + "!")
    with pytest.raises(BadData, match="12 characters"):
        recipient_of("too short")


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("place", [70, 100, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(seal_backup(CONTENT, recipient_of(PASSPHRASE)))
    sealed[place] ^= 1
    with pytest.raises(BadData, match="damaged"):
        opened(bytes(sealed))


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("length", [16, 95, 96, 110, 500])
def test_a_file_that_was_cut_short_is_noticed(length: int) -> None:
    sealed = seal_backup(CONTENT, recipient_of(PASSPHRASE))
    with pytest.raises(BadData, match=r"incomplete"):
        opened(sealed[:length])


@pytest.mark.slow
def test_a_passphrase_is_the_same_from_every_keyboard() -> None:
    sealed = seal_backup(CONTENT, recipient_of("nobody reads this, p\u00e4rtner"))
    assert opened(sealed, "nobody reads this, pa\u0308rtner") == CONTENT
