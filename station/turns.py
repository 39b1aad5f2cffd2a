"""Turns that stations on one PostgreSQL take: one at a time holds each, until its transaction ends.

A turn falls when its holder commits, gives up, is killed or is cut off. On SQLite every
transaction has the whole database to itself already, and a turn costs nothing.
"""

import enum

from sqlalchemy import Connection

_SALOON = 0x5A10
"""Sets our locks apart from those of other programs in the same database."""


class Turn(enum.Enum):
    """What only one at a time may do."""

    ARRIVAL = 0
    """Store entries. So the numbers of arrival become visible in their order, and heads stand still."""
    TABLES = 1
    """Bring the tables to this program's version."""
    RUNNING = 2
    """Run: every station shares it; who puts a backup in place needs it alone."""


def take(connection: Connection, turn: Turn) -> None:
    """Wait for a turn and hold it until the transaction ends. Raises Unavailable when it takes too long."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({key_of(turn)})")


def key_of(turn: Turn) -> str:
    """The key of a turn, in SQL. Databases of several tournaments may be schemas of one PostgreSQL."""
    return f"{_SALOON + turn.value}, hashtext(current_schema())"
