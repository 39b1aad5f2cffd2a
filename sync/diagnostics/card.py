"""Diagnosis of the card and its contents: journal, free space, clock; all read only."""

import datetime as dt
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from saloon.base.errors import BadData
from saloon.sync.diagnostics.findings import Finding
from saloon.sync.ports.addresses import address_of
from saloon.sync.protocol.entry import GENESIS, chained_hash

Fields = dict[str, str | int]
_LEAST_FREE_MB: Final = 64
_EARLIEST: Final = 2024
_LATEST: Final = 2100


def look_at_journal(path: Path) -> tuple[Finding, Fields]:
    """Check the terminal's chain of entries and count those that the station has not received."""
    if not path.exists():
        return Finding.JOURNAL_NONE, {}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            entries = _check_number(db, path)
            rows = db.execute("SELECT value FROM facts WHERE name = 'received'").fetchall()
            typed = db.execute("PRAGMA quick_check").fetchone()[0]
    except (sqlite3.Error, BadData) as error:
        return Finding.JOURNAL_DAMAGED, {"problem": str(error)}
    if typed != "ok":
        return Finding.JOURNAL_DAMAGED, {"problem": str(typed)}
    # The number, followed by the journal's checksum of it.
    noted = str(rows[0][0]).partition(" ")[0] if rows else "0"
    received = int(noted) if noted.isdecimal() else 0
    return Finding.JOURNAL_WHOLE, {"entries": entries, "owes": max(0, entries - received)}


def typed_addresses(path: Path) -> tuple[str, ...]:
    """Return the addresses typed at the terminal and the last one that worked; none if unreadable."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            rows = dict(db.execute("SELECT name, value FROM facts WHERE name IN ('typed', 'way')").fetchall())
    except sqlite3.Error:
        return ()
    last = address_of(str(rows.get("way", "")))
    return tuple(dict.fromkeys([*filter(None, [last]), *str(rows.get("typed", "")).split()]))


def look_at_disk(folder: Path) -> tuple[Finding, Fields]:
    """Return whether the card can be written to, and its free space in MB."""
    free = shutil.disk_usage(folder).free // 1_000_000
    if os.statvfs(folder).f_flag & os.ST_RDONLY or not os.access(folder, os.W_OK):
        return Finding.DISK_READ_ONLY, {"free": free}
    return (Finding.DISK_FINE if free >= _LEAST_FREE_MB else Finding.DISK_FULL), {"free": free}


def look_at_clock(now: dt.datetime) -> tuple[Finding, Fields]:
    """Return whether the wall clock can be right."""
    is_plausible = _EARLIEST <= now.year <= _LATEST
    return (Finding.CLOCK_FINE if is_plausible else Finding.CLOCK_OFF), {"year": now.year}


def _check_number(db: sqlite3.Connection, path: Path) -> int:
    digest, expected = GENESIS, 0
    for seq, raw, stored in db.execute("SELECT seq, raw, hash FROM own ORDER BY seq"):
        expected += 1
        digest = chained_hash(digest, raw)
        if seq != expected or stored != digest:
            raise BadData(str(path), f"entry {expected} is not the one that was saved")
    return expected
