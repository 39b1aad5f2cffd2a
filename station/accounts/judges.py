"""The judges' accounts for the station's pages, and the sessions in which they are logged in."""

import enum
import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, select

from saloon.base.errors import BadData, Refused
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


SHORTEST_PASSWORD = 8
LONGEST_NAME = 60
_LONGEST_PASSWORD = 1_000
_j = schema.judges.c


class AccountRefusal(enum.Enum):
    """Reasons for refusing a change of accounts, as sentences for people."""

    SAME_NAME = "There's already a judge called {name}. Capitals and spaces don't make a different name."
    ONLY_JUDGE = "This is the only account: create another one first."
    WRONG_PASSWORD = "The current password is wrong."  # noqa: S105 (a sentence)


class AccountRole(enum.Enum):
    """The role of an account."""

    JUDGE = "judge"


class Judge(msgspec.Struct, frozen=True):
    """A judge's account."""

    name: str
    role: AccountRole = AccountRole.JUDGE


class Judges:
    """The accounts in the database. Calls block (checking a password takes some 50 ms on purpose)."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self.sessions = Sessions(database)

    def add(self, name: str, password: str, role: AccountRole = AccountRole.JUDGE) -> Judge:
        """Add an account. Raises Refused if the name is taken, BadData for a bad name or short password."""
        judge = Judge(" ".join(name.split()), role)
        if not 1 <= len(judge.name) <= LONGEST_NAME or not judge.name.isprintable():
            raise BadData("judge's name", f"it must have 1 to {LONGEST_NAME} printable characters")
        hashed = hash_password(password)
        with self._database.transaction() as connection:
            taken = _matching_names(judge.name, _all_names_alone(connection))
            if taken:
                raise Refused(AccountRefusal.SAME_NAME, name=taken[0])
            connection.execute(
                schema.judges.insert().values(
                    name=judge.name, password_hash=hashed, role=role.value, added_ms=self._now_ms()
                )
            )
            # A login may have been in progress while a former account of this name was deleted.
            end_sessions_of(connection, judge.name)
        return judge

    def set_password_hash(self, name: str, hashed: str) -> None:
        """Set an account's password hash (argon2); add the account if there is none of this name."""
        name = " ".join(name.split())
        with self._database.transaction() as connection:
            taken = _matching_names(name, _all_names_alone(connection))
            if taken:
                changed = schema.judges.update().where(_j.name == taken[0]).values(password_hash=hashed)
                connection.execute(changed)
                end_sessions_of(connection, taken[0])
            else:
                made = {"name": name, "password_hash": hashed, "role": AccountRole.JUDGE.value}
                connection.execute(schema.judges.insert().values(**made, added_ms=self._now_ms()))

    def change_password(self, name: str, old: str, new: str) -> None:
        """Change a password and log the judge out everywhere.

        Raises Refused if the old one is wrong or the account is gone, BadData if the new one is too short.
        """
        hashed = hash_password(new)
        current = select(_j.password_hash).where(_j.name == name)
        with self._database.transaction() as connection:
            known = connection.execute(current).scalar_one_or_none()
        if known is None or not is_password(old, known):
            raise Refused(AccountRefusal.WRONG_PASSWORD)
        with self._database.transaction() as connection:
            # Only if it is still the same: of two changes at once, the second one is refused.
            unchanged = schema.judges.update().where(_j.name == name, _j.password_hash == known)
            if connection.execute(unchanged.values(password_hash=hashed)).rowcount != 1:
                raise Refused(AccountRefusal.WRONG_PASSWORD)
            end_sessions_of(connection, name)

    def remove(self, name: str) -> None:
        """Delete an account. Raises BadData for an unknown one, Refused for the last one."""
        with self._database.transaction() as connection:
            # Locked in order: two judges who delete each other at once are handled one after the other.
            every = select(_j.name).order_by(_j.name).with_for_update()
            names = connection.execute(every).scalars().all()
            if name not in names:
                raise BadData(
                    "judge's name", f"there is no judge {name}; `saloon-station judge list` shows all"
                )
            if len(names) == 1:
                raise Refused(AccountRefusal.ONLY_JUDGE)
            connection.execute(schema.judges.delete().where(_j.name == name))
            end_sessions_of(connection, name)

    def all(self) -> tuple[Judge, ...]:
        """Return all accounts, by name."""
        with self._database.transaction() as connection:
            rows = connection.execute(select(schema.judges).order_by(_j.name)).all()
        return tuple(Judge(row.name, AccountRole(row.role)) for row in rows)

    def find(self, name: str) -> Judge | None:
        """Return the account of a name, for a session that is open already; None if it was deleted."""
        with self._database.transaction() as connection:
            row = connection.execute(select(schema.judges).where(_j.name == name)).one_or_none()
        return None if row is None else Judge(row.name, AccountRole(row.role))

    def check(self, name: str, password: str) -> Judge | None:
        """Return the account with this name and password, or None. Unknown names take equally long.

        Capitals and spaces do not matter. Older stations allowed accounts that differ in nothing else; of
        these, the password decides.
        """
        with self._database.transaction() as connection:
            rows = {row.name: row for row in connection.execute(select(schema.judges))}
        meant = _matching_names(name, rows)
        if not meant:
            is_password(password, _nobody())
        for row in (rows[each] for each in meant):
            if is_password(password, row.password_hash):
                return Judge(row.name, AccountRole(row.role))
        return None


def hash_password(password: str) -> str:
    """Return the argon2 hash of a password. Raises BadData if it is too short."""
    if not SHORTEST_PASSWORD <= len(password) <= _LONGEST_PASSWORD:
        raise BadData("password", f"it needs at least {SHORTEST_PASSWORD} characters")
    return PasswordHasher().hash(password)


def is_password(password: str, hashed: str) -> bool:
    """Return whether a password matches a hash."""
    try:
        return PasswordHasher().verify(hashed, password[: _LONGEST_PASSWORD + 1])
    except (VerificationError, InvalidHashError):
        return False


def _all_names_alone(connection: Connection) -> Sequence[str]:
    """Return all names, sorted, and block others from adding one until this transaction ends."""
    # Two queries: after waiting for the locks, only the second sees rows added in the meantime.
    connection.execute(select(_j.name).order_by(_j.name).with_for_update())
    return connection.execute(select(_j.name).order_by(_j.name)).scalars().all()


def _matching_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that match a typed name, an exact match first."""
    same = [each for each in names if _normalise_name(each) == _normalise_name(name)]
    return tuple(sorted(same, key=lambda each: (each != name, each)))


def _normalise_name(name: str) -> str:
    """Normalise a name for comparison: without capitals, and single spaces only between words."""
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold())


@cache
def _nobody() -> str:
    return PasswordHasher().hash("nobody's password")
