"""PostgreSQL advisory locks shared by all stations, each held until its transaction ends.

A lock is released when its transaction commits, rolls back or loses its connection. SQLite needs no such
locks, as its transactions run one at a time.
"""

import enum

from sqlalchemy import Connection

_SALOON = 0x5A10
"""The first half of each key, which distinguishes Saloon's locks from other programs' in the database."""


class AdvisoryLock(enum.Enum):
    """An operation that takes a lock."""

    ARRIVAL = 0
    """Store entries, one writer at a time, so that arrival numbers become visible in order."""
    TABLES = 1
    """Migrate the tables to this program's version."""
    RUNNING = 2
    """Run a station. Every station shares the lock; restoring a backup needs it exclusively."""


def acquire_lock(connection: Connection, turn: AdvisoryLock) -> None:
    """Wait for a lock and hold it until the transaction ends. Raises Unavailable after a timeout."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock_key_sql(turn)})")


def lock_key_sql(turn: AdvisoryLock) -> str:
    """Return a lock's key as SQL. It includes the schema, as each schema has its own stations."""
    return f"{_SALOON + turn.value}, hashtext(current_schema())"
