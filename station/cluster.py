"""Coordinate several stations on one PostgreSQL database: their leases, connections and notifications.

Each station renews its lease every few seconds and lists its connected terminals. It counts as running until
the lease expires by the database's clock. None of this is durable, and calls block.

A notification names a table, and every station that receives it reads that table again. As notifications are
lost while disconnected, everything is read again after each connection, and from time to time.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, delete, func, literal_column, select, text
from sqlalchemy.dialects import postgresql

from base.errors import Unavailable
from station.store import schema
from station.store.database import AdvisoryLock, Database, lock_key_sql
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_LOOK_S = 2.0
_AGAIN_S = 1.0
LEASE_MS = 6_000
_REMEMBERED_MS = 24 * 3600 * 1000
_s = schema.stations.c
_l = schema.lines.c
_NOW: ColumnElement[int] = literal_column("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
_INSERT_LINES = text(
    "INSERT INTO lines (station, terminal, wire, owes, alarm, heard_ms) SELECT :station, terminal, wire,"
    " owes, alarm, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) - heard_ago_ms"
    " FROM unnest(CAST(:terminals AS text[]), CAST(:wires AS text[]), CAST(:owes AS bigint[]),"
    " CAST(:alarms AS text[]), CAST(:heard_ago_ms AS bigint[]))"
    " AS given(terminal, wire, owes, alarm, heard_ago_ms)"
)
"""A statement that inserts all connected terminals at once, as it runs every few seconds."""
CONNECTIONS_CHANGED = "lines"
"""The notification that terminals have connected or disconnected."""
EVERYTHING = "everything"
"""The notification to read all tables again."""


class ConnectedTerminal(msgspec.Struct, frozen=True):
    """A connected terminal. ``station`` is the name of its station."""

    terminal: TerminalId
    wire: str
    heard_ago_ms: int
    owes: int | None = None
    alarm: str = ""
    station: str = ""


class OtherStations(msgspec.Struct, frozen=True):
    """The other stations: names of those running, and addresses of all that ran within a day."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    lines: tuple[ConnectedTerminal, ...] = ()


class StationLease:
    """The lease of one of several stations. ``station`` is the id of this run of the station."""

    def __init__(self, database: Database, station: str, name: str) -> None:
        self._database = database
        self._station = station
        self.name = name

    def renew(
        self, addresses: Sequence[str], lines: Sequence[ConnectedTerminal], *, tell: bool
    ) -> OtherStations:
        """Renew the lease and list of connections, and return the other stations. Raises Unavailable."""
        with self._database.transaction() as connection:
            # Losing a lease in a crash does no harm.
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            self._write(connection, addresses, lines)
            if tell:
                notify_stations(connection, CONNECTIONS_CHANGED)
            return self._others(connection)

    def leave(self) -> None:
        """End this station's lease at once; its addresses remain known. Raises Unavailable."""
        with self._database.transaction() as connection:
            connection.execute(delete(schema.lines).where(_l.station == self._station))
            gone = schema.stations.update().where(_s.station == self._station)
            connection.execute(gone.values(lease_ms=0))
            notify_stations(connection, CONNECTIONS_CHANGED)

    def _write(
        self, connection: Connection, addresses: Sequence[str], lines: Sequence[ConnectedTerminal]
    ) -> None:
        said = {"name": self.name, "addresses": " ".join(addresses), "seen_ms": _NOW, "lease_ms": LEASE_MS}
        insert = postgresql.insert(schema.stations).values(station=self._station, **said)
        connection.execute(insert.on_conflict_do_update(index_elements=["station"], set_=said))
        connection.execute(delete(schema.lines).where(_l.station == self._station))
        if lines:
            connection.execute(
                _INSERT_LINES,
                {
                    "station": self._station,
                    "terminals": [line.terminal for line in lines],
                    "wires": [line.wire for line in lines],
                    "owes": [line.owes for line in lines],
                    "alarms": [line.alarm for line in lines],
                    "heard_ago_ms": [line.heard_ago_ms for line in lines],
                },
            )
        # Expired so long ago that terminals no longer look for a station there.
        connection.execute(delete(schema.stations).where(_s.seen_ms < _NOW - _REMEMBERED_MS))

    def _others(self, connection: Connection) -> OtherStations:
        others = _s.station != self._station
        runs = _s.seen_ms + _s.lease_ms > _NOW
        stations = connection.execute(
            select(_s.name, _s.addresses, runs.label("runs")).where(others).order_by(_s.seen_ms.desc())
        ).all()
        query = select(schema.lines, _s.name, (_NOW - _l.heard_ms).label("ago"))
        rows = connection.execute(query.join(schema.stations, _s.station == _l.station).where(others, runs))
        return OtherStations(
            names=tuple(row.name for row in stations if row.runs),
            addresses=tuple(dict.fromkeys(one for row in stations for one in row.addresses.split())),
            lines=tuple(
                ConnectedTerminal(
                    TerminalId(row.terminal), row.wire, max(0, row.ago), row.owes, row.alarm, row.name
                )
                for row in rows
            ),
        )


def notify_stations(connection: Connection, word: str) -> None:
    """Notify all stations once the transaction is committed."""
    connection.execute(select(func.pg_notify(text("'saloon_' || current_schema()"), word)))


def addresses_of_all(database: Database) -> tuple[str, ...]:
    """Return the addresses of all stations that ran within a day, the latest first. Raises Unavailable."""
    with database.transaction() as connection:
        by_station = connection.execute(select(_s.addresses).order_by(_s.seen_ms.desc())).scalars().all()
    return tuple(dict.fromkeys(one for addresses in by_station for one in addresses.split()))


class NotificationListener:
    """A listener on a separate connection. ``problem`` is its current error, or empty."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.problem = ""

    async def messages(self) -> AsyncGenerator[str]:
        """Yield names of changed tables, messages from other stations, and ``EVERYTHING`` now and then."""
        # Imported here, as only PostgreSQL needs the driver.
        import psycopg

        while True:
            try:
                async for word in self._listen():
                    self.problem = ""
                    yield word
            except (psycopg.Error, OSError) as error:
                is_new, self.problem = not self.problem, str(error).strip() or "it does not answer"
                if is_new:
                    _log.warning("the database is away", problem=self.problem)
                    yield EVERYTHING
            await asyncio.sleep(_AGAIN_S)

    async def _listen(self) -> AsyncGenerator[str]:
        import psycopg
        from psycopg import sql

        # A shared lock, held as long as the connection lasts, so that no backup is restored meanwhile.
        lock = f"SELECT pg_try_advisory_lock_shared({lock_key_sql(AdvisoryLock.RUNNING)})"
        async with await psycopg.AsyncConnection.connect(
            **self._database.connect_arguments(), autocommit=True
        ) as connection:
            if await (await connection.execute(lock.encode())).fetchone() != (True,):
                raise Unavailable("a backup is being put in place; start again afterwards")
            channel = await (await connection.execute("SELECT 'saloon_' || current_schema()")).fetchone()
            assert channel is not None
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(str(channel[0]))))
            while True:
                yield EVERYTHING
                async for notification in connection.notifies(timeout=_LOOK_S):
                    yield notification.payload
