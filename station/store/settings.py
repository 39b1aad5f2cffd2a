"""Settings in the station's database, by name."""

import secrets
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from station.store import schema
from station.store.database import Database
from sync.protocol.entry import Epoch

_T = TypeVar("_T")
EPOCH = "epoch"
STARTS = "starts"
PIN_SECRET = "pin-secret"  # noqa: S105 (the name of a setting)
SIGN_IN = "sign-in"
SIGN_IN_SECRET = "sign-in-secret"  # noqa: S105 (the name of a setting)
BACKUP_RECIPIENT = "backup-recipient"
ARCHIVED = "archived"
"""The setting with the ids of archived tournaments, separated by spaces."""
KEY = "station-key"
CERTIFICATE = "station-certificate"


class Settings:
    """The settings. Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> str | None:
        with self._database.transaction() as connection:
            return get_setting(connection, name)

    def set(self, name: str, value: str) -> None:
        with self._database.transaction() as connection:
            set_setting(connection, name, value)

    def compare_and_set(self, name: str, former: str, value: str) -> bool:
        """Replace a setting's value if it is still ``former``, and return whether it was."""
        fact = schema.settings
        with self._database.transaction() as connection:
            update = fact.update().where(fact.c.name == name, fact.c.value == former).values(value=value)
            return connection.execute(update).rowcount == 1

    def change(self, name: str, empty: str, change: Callable[[str], str]) -> str:
        """Change a setting, and return its value.

        empty: its value if it is not set.
        change: called again if another station has changed the setting meanwhile.
        """
        former = self.set_defaults({name: empty})[name]
        while True:
            value = change(former)
            if value == former or self.compare_and_set(name, former, value):
                return value
            former = self.get(name) or empty

    def read(self, name: str, kind: type[_T], empty: str) -> _T:
        """Return the value of a setting stored as JSON, by default that of ``empty``."""
        return msgspec.json.decode(self.get(name) or empty, type=kind)

    def edit(self, name: str, kind: type[_T], empty: str, change: Callable[[_T], _T]) -> _T:
        """Change a setting stored as JSON; see ``change``."""

        def _text(former: str) -> str:
            return msgspec.json.encode(change(msgspec.json.decode(former, type=kind))).decode()

        return msgspec.json.decode(self.change(name, empty, _text), type=kind)

    def set_defaults(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Store those settings that are not set, in one transaction, and return the values of all."""
        with self._database.transaction() as connection:
            return {name: set_default(connection, name, value) for name, value in facts.items()}

    def count_start(self) -> int:
        """Count a start of a station on this database, and return the number of starts so far."""
        with self._database.transaction() as connection:
            set_default(connection, STARTS, "0")
            query = select(schema.settings.c.value).where(schema.settings.c.name == STARTS)
            starts = int(connection.execute(query.with_for_update()).scalar_one()) + 1
            set_setting(connection, STARTS, str(starts))
        return starts


def get_setting(connection: Connection, name: str) -> str | None:
    query = select(schema.settings.c.value).where(schema.settings.c.name == name)
    return connection.execute(query).scalar_one_or_none()


def set_setting(connection: Connection, name: str, value: str) -> None:
    statement = _insert(connection, name, value)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def set_default(connection: Connection, name: str, value: str) -> str:
    """Store a setting unless it is set, and return the stored value."""
    connection.execute(_insert(connection, name, value).on_conflict_do_nothing())
    known = get_setting(connection, name)
    return value if known is None else known


def epoch_of(connection: Connection) -> Epoch:
    """Return the epoch of the station's own streams, creating it on first use."""
    return Epoch(get_setting(connection, EPOCH) or set_default(connection, EPOCH, secrets.token_hex(8)))


def begin_epoch(connection: Connection) -> Epoch:
    """Begin a new epoch of the station's own streams, as after restoring a backup."""
    epoch = Epoch(secrets.token_hex(8))
    set_setting(connection, EPOCH, epoch)
    return epoch


def _insert(connection: Connection, name: str, value: str) -> postgresql.Insert | sqlite.Insert:
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(schema.settings).values({"name": name, "value": value})
