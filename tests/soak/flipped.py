"""Flipped bits on a disk must be detected or without consequence, and never be believed."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from base.errors import SaloonError
from station.store.database import Database, sqlite_url
from station.store.store import Store
from sync.protocol.entry import GENESIS, Epoch, StreamId, chained_hash
from sync.protocol.journal import Journal
from tests.soak.counts import Counts
from tests.soak.virtual_disk import chained

_STREAM, _ORDERS, _EPOCH = StreamId("table/1"), StreamId("orders/1"), Epoch("e" * 16)
Content = tuple[object, ...]


def flips(
    make: Callable[[Path], str], read: Callable[[Path], Content], *, begin: int = 0, every: int = 1
) -> Iterator[Counts]:
    """Flip one bit in each ``every``-th byte of the file that ``make`` creates, and read it again."""
    with tempfile.TemporaryDirectory(prefix="saloon-flips-") as name:
        folder = Path(name)
        file = folder / make(folder)
        whole = file.read_bytes()
        wanted = read(folder)
        for at in range(begin, len(whole), every):
            for left in folder.iterdir():
                left.unlink()
            changed = bytearray(whole)
            changed[at] ^= 1 << at % 8
            file.write_bytes(changed)
            try:
                value = read(folder)
            except SaloonError:
                value = wanted
            said = f"{file.name}, bit {at % 8} of byte {at}: {value} was believed"
            yield Counts(cuts=1, octets=len(whole), failures=() if value == wanted else (said,))


def make_journal(folder: Path) -> str:
    """Create a journal with some of everything."""
    with _journal(folder) as journal:
        for number in range(6):
            journal.append(tuple(b"entry %d %d" % (number, i) * 9 for i in range(3)))
        raws = (b"first order" * 5, b"second order" * 5)
        hashes = chained_hash(GENESIS, raws[0]), chained_hash(chained_hash(GENESIS, raws[0]), raws[1])
        journal.keep_orders(_EPOCH, 1, raws, hashes)
        journal.note_received(7)
    return "journal.db"


def read_journal(folder: Path) -> Content:
    """Read the journal. Raises SaloonError if it reports damage."""
    with _journal(folder) as journal:
        # That less was received than in truth is said in a moment, when the station is reached.
        return journal.own(), journal.orders(), journal.last_acknowledged() in {0, 7}, journal.facts.epoch


def _journal(folder: Path) -> Journal:
    return Journal(folder / "journal.db", _STREAM, _ORDERS, "board-1")


def make_store(folder: Path) -> str:
    """Create a station's database with its own entries and a terminal's."""
    database = Database(sqlite_url(folder / "station.sqlite"))
    store = Store(database, lambda: 7)
    store.insert_remote(tuple(chained(_STREAM, _EPOCH, (b"entry %d" % seq * 9 for seq in range(1, 9)))))
    store.append_own(_ORDERS, [b"an order" * 9])
    database.close()
    return "station.sqlite"


def read_store(folder: Path) -> Content:
    """Return the number of a terminal's entries that are wrong or missing, which must be 0.

    Raises SaloonError if the store reports damage.
    """
    database = Database(sqlite_url(folder / "station.sqlite"))
    try:
        store = Store(database, lambda: 7)
        noticed = {(bad.entry.stream, bad.entry.epoch) for bad in store.verify()}
        entries = [one.entry for one in store.entries_after()]
    finally:
        database.close()
    whole = [entry.raw for entry in entries if entry.stream == _STREAM and entry.epoch == _EPOCH]
    wanted = [b"entry %d" % seq * 9 for seq in range(1, 9)]
    strays = [entry for entry in entries if entry.stream not in {_STREAM, _ORDERS}]
    if noticed:
        return whole == wanted[: len(whole)], len(strays)
    return whole == wanted, len(strays)
