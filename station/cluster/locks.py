"""PostgreSQL advisory locks shared by all stations, each held until its transaction ends.

A lock is released when its holder commits, rolls back, is killed or is disconnected. On SQLite every
transaction has the whole database to itself, and a lock costs nothing.
"""

import enum

from sqlalchemy import Connection

_SALOON = 0x5A10
"""Distinguishes Saloon's locks from those of other programs in the same database."""


class AdvisoryLock(enum.Enum):
    """An operation that takes a lock."""

    ARRIVAL = 0
    """Store entries, so that arrival numbers become visible in order and heads do not move."""
    TABLES = 1
    """Migrate the tables to this program's version."""
    RUNNING = 2
    """Run a station: every station shares the lock; restoring a backup needs it exclusively."""


def acquire_lock(connection: Connection, turn: AdvisoryLock) -> None:
    """Wait for a lock and hold it until the transaction ends. Raises Unavailable after a timeout."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock_key_sql(turn)})")


def lock_key_sql(turn: AdvisoryLock) -> str:
    """Return a lock's key in SQL. It includes the schema, as one PostgreSQL may have several databases."""
    return f"{_SALOON + turn.value}, hashtext(current_schema())"
