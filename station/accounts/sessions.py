"""Login sessions of judges, stored in the database so that every login can be ended there."""

import hashlib
import secrets

from sqlalchemy import Connection, select

from saloon.station.store import schema
from saloon.station.store.database import Database

_KEY_BYTES = 32
_MOST_OF_ONE_JUDGE = 32
"""The limit, as browsers that drop cookies without logging out would fill the table."""
_s = schema.sessions.c


class Sessions:
    """The logins in the database. Calls block.

    Sessions do not depend on the clock: setting it logs nobody out. The cookie has its own lifetime.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, judge: str) -> str:
        """Log a browser in and return the key for its cookie. The judge's oldest sessions end above 32."""
        key = secrets.token_hex(_KEY_BYTES)
        of_judge = select(_s.number).where(_s.judge == judge).order_by(_s.number.desc())
        with self._database.transaction() as connection:
            connection.execute(schema.sessions.insert().values(key_hash=_hash_of(key), judge=judge))
            old = connection.execute(of_judge.offset(_MOST_OF_ONE_JUDGE)).scalars().all()
            if old:
                connection.execute(schema.sessions.delete().where(_s.number.in_(old)))
        return key

    def judge_of(self, key: str) -> str | None:
        """Return the name of the judge that this key belongs to; None once the session has ended."""
        found = select(_s.judge).join(schema.judges, schema.judges.c.name == _s.judge)
        with self._database.transaction() as connection:
            name = connection.execute(found.where(_s.key_hash == _hash_of(key))).scalar_one_or_none()
        return None if name is None else str(name)

    def end(self, key: str) -> None:
        """Log one browser out. Does nothing if the session has ended."""
        with self._database.transaction() as connection:
            connection.execute(schema.sessions.delete().where(_s.key_hash == _hash_of(key)))

    def end_all_of(self, judge: str) -> None:
        """Log a judge out everywhere."""
        with self._database.transaction() as connection:
            end_sessions_of(connection, judge)


def end_sessions_of(connection: Connection, judge: str) -> None:
    """Log a judge out everywhere, within a transaction."""
    connection.execute(schema.sessions.delete().where(_s.judge == judge))


def end_all_sessions(connection: Connection) -> None:
    """Log everybody out: a restored copy must not revive sessions that have ended since."""
    connection.execute(schema.sessions.delete())


def _hash_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
