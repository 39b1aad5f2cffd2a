"""The judges' accounts, and their browsers' login sessions, which the station can end."""

import enum
import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, Row, Select, select

from base.errors import BadData, Refused
from station.accounts.permissions import AccountRole
from station.store import schema
from station.store.database import Database

SHORTEST_PASSWORD = 8
LONGEST_NAME = 60
_LONGEST_PASSWORD = 1_000
_KEY_BYTES: Final = 32
_MOST_OF_ONE_JUDGE: Final = 32
"""Otherwise, browsers that drop their cookies without logging out would fill the table."""
_LONGEST_AGENT: Final = 300
_NOTED_EACH_MS: Final = 60_000
"""The interval for storing a session's last use; storing every request would wear out the disk."""
_j = schema.judges.c
_s = schema.sessions.c


class JudgeSession(msgspec.Struct, frozen=True):
    """A browser's login session, with the name and role of its account. Unknown times are 0."""

    number: int
    judge: str
    role: AccountRole
    begun_ms: int = 0
    used_ms: int = 0
    agent: str = ""
    address: str = ""


class Sessions:
    """The login sessions in the database. Calls block.

    Sessions do not expire, so setting the clock logs nobody out. The cookie has its own lifetime.
    """

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms

    def begin(self, judge: str, agent: str = "", address: str = "") -> str:
        """Log a browser in and return the key for its cookie. Only the judge's newest 32 sessions remain."""
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
        """Return the session of a key and update its last use, or return None if it has ended."""
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
        """Log one browser out. Does nothing if the session has already ended."""
        with self._database.transaction() as connection:
            connection.execute(schema.sessions.delete().where(_s.key_hash == hash_key(key)))

    def end_one_of(self, judge: str, number: int) -> None:
        """End one of a judge's sessions. Does nothing if it is another judge's or has ended."""
        with self._database.transaction() as connection:
            theirs = schema.sessions.delete().where(_s.number == number, _s.judge == judge)
            connection.execute(theirs)

    def end_all_of(self, judge: str) -> None:
        with self._database.transaction() as connection:
            end_sessions_of(connection, judge)


def end_sessions_of(connection: Connection, judge: str) -> None:
    """End all of a judge's sessions, within a transaction."""
    connection.execute(schema.sessions.delete().where(_s.judge == judge))


def new_key() -> str:
    """Return a random key for a cookie or a link."""
    return secrets.token_hex(_KEY_BYTES)


def hash_key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _with_role() -> Select[tuple[object, ...]]:
    judges = schema.judges.c
    return select(schema.sessions, judges.role).join(schema.judges, judges.name == _s.judge)


def _session(row: Row[tuple[object, ...]]) -> JudgeSession:
    return msgspec.convert(row, JudgeSession, from_attributes=True)


class AccountRefusal(enum.Enum):
    """The reasons for refusing a change to an account, as English sentences."""

    SAME_NAME = "There's already a judge called {name}. Capitals and spaces don't make a different name."
    ONLY_HEAD_JUDGE = "{name} is the only head judge. Make somebody else a head judge first."
    FIRST_IS_HEAD = "The first account must be a head judge's."
    WRONG_PASSWORD = "The current password is wrong."  # noqa: S105 (a sentence)


class Judge(msgspec.Struct, frozen=True):
    """A judge's account."""

    name: str
    role: AccountRole = AccountRole.HEAD_JUDGE


class Judges:
    """The accounts in the database. Calls block; checking a password takes about 50 ms on purpose."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self.database = database
        self.now_ms = now_ms
        self.sessions = Sessions(database, now_ms)

    def add(self, name: str, password: str, role: AccountRole = AccountRole.HEAD_JUDGE) -> Judge:
        """Add an account. The first account must be a head judge's, as only they can add others.

        Raises Refused if the name is taken, BadData for an invalid name or a short password.
        """
        judge = Judge(checked_name(name), role)
        hashed = hash_password(password)
        with self.database.transaction(alone_with=schema.judges) as connection:
            check_may_be_added(connection, judge)
            insert_account(connection, judge, hashed, self.now_ms())
        return judge

    def add_first(self, name: str, password: str) -> Judge | None:
        """Add and return a head judge's account, or return None if there is an account already.

        Raises BadData as ``add`` does.
        """
        judge, hashed = Judge(checked_name(name)), hash_password(password)
        with self.database.transaction(alone_with=schema.judges) as connection:
            if _all_names(connection):
                return None
            insert_account(connection, judge, hashed, self.now_ms())
        return judge

    def set_password_hash(self, name: str, hashed: str) -> None:
        """Set an account's argon2 password hash, creating a head judge's account if there is none."""
        name = " ".join(name.split())
        with self.database.transaction(alone_with=schema.judges) as connection:
            taken = matching_names(name, _all_names(connection))
            if taken:
                changed = schema.judges.update().where(_j.name == taken[0]).values(password_hash=hashed)
                connection.execute(changed)
                end_sessions_of(connection, taken[0])
            else:
                insert_account(connection, Judge(name), hashed, self.now_ms())

    def change_password(self, name: str, old: str, new: str) -> None:
        """Change a password and log the judge out everywhere.

        Raises Refused if the account or the old password is wrong, BadData if the new password is too short.
        """
        hashed = hash_password(new)
        current = select(_j.password_hash).where(_j.name == name)
        with self.database.transaction() as connection:
            known = connection.execute(current).scalar_one_or_none()
        if known is None or not is_password(old, known):
            raise Refused(AccountRefusal.WRONG_PASSWORD)
        with self.database.transaction() as connection:
            # Of two simultaneous changes, the second one finds another hash.
            unchanged = schema.judges.update().where(_j.name == name, _j.password_hash == known)
            if connection.execute(unchanged.values(password_hash=hashed)).rowcount != 1:
                raise Refused(AccountRefusal.WRONG_PASSWORD)
            end_sessions_of(connection, name)

    def set_role(self, name: str, role: AccountRole) -> None:
        """Change an account's role, from the next request on.

        Raises BadData for an unknown account, Refused for the last head judge's.
        """
        with self.database.transaction(alone_with=schema.judges) as connection:
            if role is not AccountRole.HEAD_JUDGE:
                _check_is_not_last(connection, name)
                _end_keys_by(connection, name)
            changed = schema.judges.update().where(_j.name == name).values(role=role.value)
            if connection.execute(changed).rowcount != 1:
                raise _unknown(name)

    def remove(self, name: str) -> None:
        """Delete an account. Raises BadData for an unknown one, Refused for the last head judge's."""
        with self.database.transaction(alone_with=schema.judges) as connection:
            _check_is_not_last(connection, name)
            _end_keys_by(connection, name)
            connection.execute(schema.judges.delete().where(_j.name == name))
            end_sessions_of(connection, name)

    def all(self) -> tuple[Judge, ...]:
        """Return all accounts, by name."""
        with self.database.transaction() as connection:
            rows = connection.execute(select(schema.judges).order_by(_j.name)).all()
        return tuple(Judge(row.name, AccountRole(row.role)) for row in rows)

    def find(self, name: str) -> Judge | None:
        """Return the account with exactly this name, or None if there is none."""
        with self.database.transaction() as connection:
            row = connection.execute(select(schema.judges).where(_j.name == name)).one_or_none()
        return None if row is None else Judge(row.name, AccountRole(row.role))

    def check(self, name: str, password: str) -> Judge | None:
        """Return the account with this name and password, or None. Takes equally long for unknown names.

        Case and spacing of the name are ignored. Older stations allowed names that differ only in these; the
        password then decides between them.
        """
        with self.database.transaction() as connection:
            rows = {row.name: row for row in connection.execute(select(schema.judges))}
        meant = matching_names(name, rows)
        if not meant:
            is_password(password, _nobody())
        for row in (rows[each] for each in meant):
            if is_password(password, row.password_hash):
                return Judge(row.name, AccountRole(row.role))
        return None


def checked_name(name: str) -> str:
    """Return a name with single spaces. Raises BadData if it is too long or has unprintable characters."""
    checked = unicodedata.normalize("NFC", " ".join(name[: 4 * LONGEST_NAME].split()))
    if not 1 <= len(checked) <= LONGEST_NAME or not checked.isprintable():
        raise BadData("judge's name", f"it must have 1 to {LONGEST_NAME} printable characters")
    return checked


def check_may_be_added(connection: Connection, judge: Judge) -> None:
    """Check that an account may be added, within a transaction that has locked the accounts.

    Raises Refused if the name is taken, or if the first account would not be a head judge's.
    """
    names = _all_names(connection)
    taken = matching_names(judge.name, names)
    if taken:
        raise Refused(AccountRefusal.SAME_NAME, name=taken[0])
    if not names and judge.role is not AccountRole.HEAD_JUDGE:
        raise Refused(AccountRefusal.FIRST_IS_HEAD)


def insert_account(connection: Connection, judge: Judge, hashed: str, now_ms: int) -> None:
    """Insert an account within a transaction. The caller has checked that the name is free."""
    made = {"name": judge.name, "password_hash": hashed, "role": judge.role.value, "added_ms": now_ms}
    connection.execute(schema.judges.insert().values(**made))
    # Somebody may have logged in to a former account of this name while it was being deleted.
    end_sessions_of(connection, judge.name)


def hash_password(password: str) -> str:
    """Return the argon2 hash of a password. Raises BadData if it is too short."""
    if not SHORTEST_PASSWORD <= len(password) <= _LONGEST_PASSWORD:
        raise BadData("password", f"it needs at least {SHORTEST_PASSWORD} characters")
    return PasswordHasher().hash(normalise_password(password))


def is_password(password: str, hashed: str) -> bool:
    """Return whether a password matches a hash. Older stations hashed it without normalising it."""
    typed = password[: _LONGEST_PASSWORD + 1]
    return any(_is_hash_of(form, hashed) for form in dict.fromkeys((normalise_password(typed), typed)))


def normalise_password(password: str) -> str:
    """Normalise a password (NFKC), so that it matches from every system's keyboard."""
    return unicodedata.normalize("NFKC", password)


def _is_hash_of(password: str, hashed: str) -> bool:
    try:
        return PasswordHasher().verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


def _all_names(connection: Connection) -> Sequence[str]:
    return connection.execute(select(_j.name).order_by(_j.name)).scalars().all()


def _check_is_not_last(connection: Connection, name: str) -> None:
    if name not in _all_names(connection):
        raise _unknown(name)
    head_judges = select(_j.name).where(_j.role == AccountRole.HEAD_JUDGE.value)
    if connection.execute(head_judges).scalars().all() == [name]:
        raise Refused(AccountRefusal.ONLY_HEAD_JUDGE, name=name)


def _end_keys_by(connection: Connection, name: str) -> None:
    """Remove the invitations and tokens that a former head judge made and could use to return."""
    invited, made = schema.invitations.c.invited_by, schema.api_tokens.c.made_by
    connection.execute(schema.invitations.delete().where(invited == name))
    connection.execute(schema.api_tokens.delete().where(made == name))


def _unknown(name: str) -> BadData:
    return BadData("judge's name", f"there is no judge {name}; `saloon-station judge list` shows all")


def matching_names(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that match a typed name, an exact match first."""
    same = [each for each in names if _normalise_name(each) == _normalise_name(name)]
    return tuple(sorted(same, key=lambda each: (each != name, each)))


def _normalise_name(name: str) -> str:
    # Names are truncated because anybody can send one, and NFKC takes quadratic time.
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold()[: 4 * LONGEST_NAME])


@cache
def _nobody() -> str:
    return PasswordHasher().hash("nobody's password")
