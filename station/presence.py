"""Who runs beside this station, and which terminals are connected there. Nothing of it is durable.

Each station says every few seconds that it is there, and what is connected to it; it counts as
long as its lease lasts, by the database's clock. Calls block.
"""

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, literal_column, select, text
from sqlalchemy.dialects import postgresql

from saloon.station import schema
from saloon.station.database import Database
from saloon.sync.entry import TerminalId

LEASE_MS = 6_000
_REMEMBERED_MS = 24 * 3600 * 1000
_s = schema.stations.c
_l = schema.lines.c
_NOW: ColumnElement[int] = literal_column("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
CHANGED = "lines"
"""What is told when a line has come or gone."""
EVERYTHING = "everything"
"""The word that means: read all tables again."""


class Connected(msgspec.Struct, frozen=True):
    """A terminal's line. heard_ago_ms: since its last word. station: the name of the one that has it."""

    terminal: TerminalId
    wire: str
    heard_ago_ms: int
    owes: int | None = None
    alarm: str = ""
    station: str = ""


class Beside(msgspec.Struct, frozen=True):
    """What other stations say. names: of those that run. addresses: of all that ran within a day."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    lines: tuple[Connected, ...] = ()


class Presence:
    """One station among others. station: tells this run of it from all others. name: for people."""

    def __init__(self, database: Database, station: str, name: str) -> None:
        self._database = database
        self._station = station
        self.name = name

    def beat(self, addresses: Sequence[str], lines: Sequence[Connected], *, tell: bool) -> Beside:
        """Say that this station is there, with its lines; what the others say. tell: them, at once.

        Raises Unavailable.
        """
        with self._database.transaction() as connection:
            # A lease is worth no wait for the disk.
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            self._say(connection, addresses, lines)
            if tell:
                say(connection, CHANGED)
            return self._others(connection)

    def leave(self) -> None:
        """This station ends: it need not be waited for. Its addresses stay known. Raises Unavailable."""
        with self._database.transaction() as connection:
            connection.execute(delete(schema.lines).where(_l.station == self._station))
            gone = schema.stations.update().where(_s.station == self._station)
            connection.execute(gone.values(lease_ms=0))
            say(connection, CHANGED)

    def tell(self, word: str) -> None:
        """Tell all stations that run, this one too. Raises Unavailable."""
        with self._database.transaction() as connection:
            say(connection, word)

    def _say(self, connection: Connection, addresses: Sequence[str], lines: Sequence[Connected]) -> None:
        said = {"name": self.name, "addresses": " ".join(addresses), "seen_ms": _NOW, "lease_ms": LEASE_MS}
        insert = postgresql.insert(schema.stations).values(station=self._station, **said)
        connection.execute(insert.on_conflict_do_update(index_elements=["station"], set_=said))
        connection.execute(delete(schema.lines).where(_l.station == self._station))
        if lines:
            values = schema.lines.insert().values(
                station=self._station, heard_ms=_NOW - bindparam("heard_ago_ms")
            )
            rows = [
                {
                    "terminal": line.terminal,
                    "wire": line.wire,
                    "owes": line.owes,
                    "alarm": line.alarm,
                    "heard_ago_ms": line.heard_ago_ms,
                }
                for line in lines
            ]
            connection.execute(values, rows)
        # Long gone, and nobody looks there for a station any more.
        connection.execute(delete(schema.stations).where(_s.seen_ms < _NOW - _REMEMBERED_MS))

    def _others(self, connection: Connection) -> Beside:
        others = _s.station != self._station
        runs = _s.seen_ms + _s.lease_ms > _NOW
        stations = connection.execute(
            select(_s.name, _s.addresses, runs.label("runs")).where(others).order_by(_s.seen_ms.desc())
        ).all()
        query = select(schema.lines, _s.name, (_NOW - _l.heard_ms).label("ago"))
        found = connection.execute(query.join(schema.stations, _s.station == _l.station).where(others, runs))
        return Beside(
            names=tuple(row.name for row in stations if row.runs),
            addresses=tuple(dict.fromkeys(one for row in stations for one in row.addresses.split())),
            lines=tuple(
                Connected(TerminalId(row.terminal), row.wire, max(0, row.ago), row.owes, row.alarm, row.name)
                for row in found
            ),
        )


def say(connection: Connection, word: str) -> None:
    """Tell all stations something when the transaction is durable."""
    connection.execute(select(func.pg_notify(text("'saloon_' || current_schema()"), word)))


def addresses_of_all(database: Database) -> tuple[str, ...]:
    """Where terminals find the stations that ran within a day, the last heard first. Raises Unavailable."""
    with database.transaction() as connection:
        found = connection.execute(select(_s.addresses).order_by(_s.seen_ms.desc())).scalars().all()
    return tuple(dict.fromkeys(one for addresses in found for one in addresses.split()))
