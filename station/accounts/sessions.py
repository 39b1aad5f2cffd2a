"""Login sessions, stored in the database so that they can be ended from the station."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Final

import msgspec
from sqlalchemy import Connection, Row, Select, select

from station.accounts.permissions import AccountRole
from station.store import schema
from station.store.database import Database

_KEY_BYTES: Final = 32
_MOST_OF_ONE_JUDGE: Final = 32
"""The most sessions of one judge; browsers that drop cookies without logging out would fill the table."""
_LONGEST_AGENT: Final = 300
_NOTED_EACH_MS: Final = 60_000
"""The interval of storing a session's last use; writing it for every request would wear out the disk."""
_s = schema.sessions.c


class JudgeSession(msgspec.Struct, frozen=True):
    """A login session of a browser, with the name and role of its account.

    begun_ms, used_ms: wall clock, 0 if unknown.
    agent: the browser's User-Agent.
    """

    number: int
    judge: str
    role: AccountRole
    begun_ms: int = 0
    used_ms: int = 0
    agent: str = ""
    address: str = ""


class Sessions:
    """The login sessions in the database. Calls block.

    Sessions do not expire by the clock, so setting it logs nobody out. The cookie has its own lifetime.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms

    def begin(self, judge: str, agent: str = "", address: str = "") -> str:
        """Log a browser in and return the key for its cookie. Ends the judge's oldest sessions beyond 32."""
        key, now_ms = new_key(), self._now_ms()
        known = {"agent": agent[:_LONGEST_AGENT], "address": address, "begun_ms": now_ms, "used_ms": now_ms}
        of_judge = select(_s.number).where(_s.judge == judge).order_by(_s.number.desc())
        with self._database.transaction(alone_with=schema.sessions) as connection:
            connection.execute(schema.sessions.insert().values(key_hash=hash_key(key), judge=judge, **known))
            old = connection.execute(of_judge.offset(_MOST_OF_ONE_JUDGE)).scalars().all()
            if old:
                connection.execute(schema.sessions.delete().where(_s.number.in_(old)))
        return key

    def find(self, key: str, address: str = "") -> JudgeSession | None:
        """Return the session of a key and note its use, or None if it has ended.

        ``address`` is the browser's.
        """
        with self._database.transaction() as connection:
            row = connection.execute(_with_role().where(_s.key_hash == hash_key(key))).one_or_none()
            if row is None:
                return None
            session, now_ms = _session(row), self._now_ms()
            if abs(now_ms - session.used_ms) >= _NOTED_EACH_MS:
                used = schema.sessions.update().where(_s.number == session.number)
                connection.execute(used.values(used_ms=now_ms, address=address or session.address))
        return session

    def all(self) -> tuple[JudgeSession, ...]:
        """Return all sessions, the most recently used first."""
        with self._database.transaction() as connection:
            rows = connection.execute(_with_role().order_by(_s.used_ms.desc(), _s.number.desc())).all()
        return tuple(_session(row) for row in rows)

    def end(self, key: str) -> None:
        """Log one browser out. Does nothing if the session has ended."""
        with self._database.transaction() as connection:
            connection.execute(schema.sessions.delete().where(_s.key_hash == hash_key(key)))

    def end_one_of(self, judge: str, number: int) -> None:
        """End one of a judge's sessions by its number. Does nothing if it is somebody else's or has ended."""
        with self._database.transaction() as connection:
            theirs = schema.sessions.delete().where(_s.number == number, _s.judge == judge)
            connection.execute(theirs)

    def end_all_of(self, judge: str) -> None:
        """Log a judge out everywhere."""
        with self._database.transaction() as connection:
            end_sessions_of(connection, judge)


def end_sessions_of(connection: Connection, judge: str) -> None:
    """Log a judge out everywhere, within a transaction."""
    connection.execute(schema.sessions.delete().where(_s.judge == judge))


def end_all_sessions(connection: Connection) -> None:
    """Log everybody out, so that a restored backup does not revive sessions that have ended since."""
    connection.execute(schema.sessions.delete())


def new_key() -> str:
    """Return a random key for a cookie or a link."""
    return secrets.token_hex(_KEY_BYTES)


def hash_key(key: str) -> str:
    """Return the hash under which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def _with_role() -> Select[tuple[object, ...]]:
    judges = schema.judges.c
    return select(schema.sessions, judges.role).join(schema.judges, judges.name == _s.judge)


def _session(row: Row[tuple[object, ...]]) -> JudgeSession:
    return JudgeSession(
        number=row.number,
        judge=row.judge,
        role=AccountRole(row.role),
        begun_ms=row.begun_ms,
        used_ms=row.used_ms,
        agent=row.agent,
        address=row.address,
    )
