"""API tokens, with which programs read the data that their role may see.

A token is shown once; only its hash is stored. It becomes invalid when it is removed, when the judge who made
it is no longer a head judge, and when a backup of the database is restored.
"""

import enum
import time
from typing import Final

import msgspec
from sqlalchemy import Row, func, select

from base.errors import Refused
from station.accounts.judges import Judges, checked_name, hash_key, new_key
from station.accounts.permissions import AccountRole
from station.store import schema

_MOST: Final = 50
_NOTED_EACH_MS: Final = 60_000
_MOST_READS: Final = 20
_BEARER: Final = "bearer "
_t = schema.api_tokens.c


class ApiTokenRefusal(enum.Enum):
    """The reasons for refusing a new token, as English sentences."""

    TOO_MANY = "There are {count} tokens already. Remove one first."


class ApiToken(msgspec.Struct, frozen=True):
    """The record of an API token. ``used_ms`` is its last use to the minute, or 0 if it was never used."""

    number: int
    name: str
    role: AccountRole
    made_by: str
    made_ms: int
    used_ms: int


class ApiTokens:
    """The API tokens in the database. Calls block."""

    def __init__(self, judges: Judges) -> None:
        self._database = judges.database
        self._now_ms = judges.now_ms
        self._known = frozenset[str]()
        self._reads = float(_MOST_READS)
        self._counted_s = time.monotonic()

    def make(self, name: str, role: AccountRole, by: str) -> str:
        """Make a token and return it; it cannot be read again later.

        Raises Refused if there are too many tokens, BadData for an invalid name.
        """
        token, made = new_key(), {"name": checked_name(name), "role": role.value, "made_by": by}
        made_ms = self._now_ms()
        with self._database.transaction(alone_with=schema.api_tokens) as connection:
            known = connection.execute(select(func.count()).select_from(schema.api_tokens)).scalar_one()
            if known >= _MOST:
                raise Refused(ApiTokenRefusal.TOO_MANY, count=_MOST)
            row = {"key_hash": hash_key(token), "made_ms": made_ms, "used_ms": 0}
            connection.execute(schema.api_tokens.insert().values(**made, **row))
        self._known |= {hash_key(token)}
        return token

    def all(self) -> tuple[ApiToken, ...]:
        """Return all tokens, newest first."""
        with self._database.transaction() as connection:
            rows = connection.execute(select(schema.api_tokens).order_by(_t.number.desc())).all()
        return tuple(map(_token, rows))

    def find(self, token: str) -> ApiToken | None:
        """Return the record of a token and update its last use, or return None if the token is invalid.

        Wrong tokens cause at most about one database query per second, however many arrive.
        """
        if not self._is_known(hash_key(token)):
            return None
        with self._database.transaction() as connection:
            row = connection.execute(
                select(schema.api_tokens).where(_t.key_hash == hash_key(token))
            ).one_or_none()
            if row is None:
                return None
            record, now_ms = _token(row), self._now_ms()
            if abs(now_ms - record.used_ms) >= _NOTED_EACH_MS:
                used = schema.api_tokens.update().where(_t.number == record.number)
                connection.execute(used.values(used_ms=now_ms))
        return record

    def _is_known(self, hashed: str) -> bool:
        if hashed not in self._known and self._may_read():
            with self._database.transaction() as connection:
                self._known = frozenset(connection.execute(select(_t.key_hash)).scalars())
        return hashed in self._known

    def _may_read(self) -> bool:
        now_s = time.monotonic()
        self._reads = min(_MOST_READS, self._reads + now_s - self._counted_s)
        self._counted_s = now_s
        if self._reads < 1:
            return False
        self._reads -= 1
        return True

    def remove(self, number: int) -> None:
        """Remove a token, which makes it invalid at once. Does nothing if there is none."""
        with self._database.transaction() as connection:
            connection.execute(schema.api_tokens.delete().where(_t.number == number))


def sent_token(authorization: str) -> str:
    """Return the bearer token in an ``Authorization`` header, or an empty string if there is none."""
    return authorization[len(_BEARER) :].strip() if authorization.lower().startswith(_BEARER) else ""


def _token(row: Row[tuple[object, ...]]) -> ApiToken:
    return ApiToken(row.number, row.name, AccountRole(row.role), row.made_by, row.made_ms, row.used_ms)
