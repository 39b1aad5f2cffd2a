"""Let people open their own accounts: the first judge with a code, everybody else with an invitation.

While there is no account, the station shows a code on its screen, or on the console from which it was
started. The code opens the first account and is invalid afterwards. Wrong attempts do not change it: 50 bits
cannot be guessed, and a stranger's attempts must not invalidate the code that the organiser is typing.

The link of an invitation contains a key, of which only the hash is stored. It becomes invalid when it is
used, withdrawn or expired, when a newer one is made for the same name, and when the judge who made it is no
longer a head judge.
"""

import enum
import hmac
import secrets
import threading
from typing import Final

import msgspec
from sqlalchemy import Connection, Row, select

from base.errors import BadData, Refused
from station.accounts.judges import (
    Judge,
    Judges,
    check_may_be_added,
    checked_name,
    hash_key,
    hash_password,
    insert_account,
    matching_names,
    new_key,
)
from station.accounts.permissions import AccountRole
from station.store import schema
from sync.enrolment.agreement import RANDOM_BYTES, code_of, code_typed, in_groups

LIFETIME_MS: Final = 48 * 3600 * 1000
_i = schema.invitations.c


class InvitationRefusal(enum.Enum):
    """The reasons for refusing an invitation, as English sentences."""

    ENDED = (
        "This invitation isn't valid any more. If you have used it, log in with your name and "
        "password. Otherwise ask a head judge for a new one."
    )


class AccountInvitation(msgspec.Struct, frozen=True):
    """An invitation that has not been used yet."""

    number: int
    name: str
    role: AccountRole
    invited_by: str
    expires_ms: int
    is_expired: bool


class Invitations:
    """The invitations in the database. Calls block."""

    def __init__(self, judges: Judges) -> None:
        self._database = judges.database
        self._now_ms = judges.now_ms

    def make(self, name: str, role: AccountRole, by: str) -> str:
        """Invite a person and return the key for the link; it cannot be read again later.

        Raises Refused if the name has an account, BadData for an invalid name.
        """
        key, now_ms, guest = new_key(), self._now_ms(), Judge(checked_name(name), role)
        with self._database.transaction(alone_with=schema.judges) as connection:
            check_may_be_added(connection, guest)
            same = matching_names(guest.name, connection.execute(select(_i.name)).scalars())
            connection.execute(schema.invitations.delete().where(_i.name.in_(same)))
            made = {"name": guest.name, "role": role.value, "invited_by": by, "made_ms": now_ms}
            made |= {"key_hash": hash_key(key), "expires_ms": now_ms + LIFETIME_MS}
            connection.execute(schema.invitations.insert().values(**made))
        return key

    def all(self) -> tuple[AccountInvitation, ...]:
        """Return all unused invitations, newest first, including expired ones."""
        with self._database.transaction() as connection:
            rows = connection.execute(select(schema.invitations).order_by(_i.number.desc())).all()
        return tuple(self._invitation(row) for row in rows)

    def find(self, key: str) -> AccountInvitation:
        """Return the invitation of a link. Raises Refused if it is no longer valid."""
        with self._database.transaction() as connection:
            return self._find(connection, key)

    def accept(self, key: str, password: str) -> Judge:
        """Open the invited person's account with the chosen password, and use up the invitation.

        Raises Refused if it is no longer valid or the name is taken, BadData if the password is too short.
        """
        self.find(key)  # Check first: hashing a password takes time.
        hashed = hash_password(password)
        with self._database.transaction(alone_with=schema.judges) as connection:
            invitation = self._find(connection, key)
            judge = Judge(invitation.name, invitation.role)
            check_may_be_added(connection, judge)
            # If two people open it at the same time, the second one finds nothing to delete.
            used = schema.invitations.delete().where(_i.number == invitation.number)
            if connection.execute(used).rowcount != 1:
                raise Refused(InvitationRefusal.ENDED)
            insert_account(connection, judge, hashed, self._now_ms())
        return judge

    def withdraw(self, number: int) -> None:
        """End an invitation. Does nothing if it has already ended."""
        with self._database.transaction() as connection:
            connection.execute(schema.invitations.delete().where(_i.number == number))

    def _find(self, connection: Connection, key: str) -> AccountInvitation:
        query = select(schema.invitations).where(_i.key_hash == hash_key(key))
        row = connection.execute(query).one_or_none()
        invitation = None if row is None else self._invitation(row)
        if invitation is None or invitation.is_expired:
            raise Refused(InvitationRefusal.ENDED)
        return invitation

    def _invitation(self, row: Row[tuple[object, ...]]) -> AccountInvitation:
        is_expired = row.expires_ms <= self._now_ms()
        role = AccountRole(row.role)
        return AccountInvitation(row.number, row.name, role, row.invited_by, row.expires_ms, is_expired)


class FirstJudgeRefusal(enum.Enum):
    """The reasons for refusing to open the first account, as English sentences."""

    WRONG_CODE = "That code is wrong. Check it where the station shows it, then try again."
    TAKEN = "There's already an account: log in, or ask that judge to create one for you."


class FirstJudge:
    """The code that opens the first account. Calls block and are thread-safe."""

    def __init__(self, judges: Judges) -> None:
        self._judges = judges
        self._lock = threading.Lock()
        self._code = code_of(secrets.token_bytes(RANDOM_BYTES))

    def code(self) -> str:
        """Return the code in groups of characters, or "" once there is an account. Raises Unavailable."""
        with self._lock:
            return in_groups(self._valid())

    def check(self, typed: str) -> None:
        """Check a typed code. Raises Refused if it is wrong or no longer valid."""
        with self._lock:
            self._check(typed)

    def open(self, typed: str, name: str, password: str) -> Judge:
        """Open the first account. Raises Refused, Unavailable, or BadData for an invalid name or password."""
        with self._lock:
            self._check(typed)
            judge = self._judges.add_first(name, password)
        if judge is None:
            raise Refused(FirstJudgeRefusal.TAKEN)
        return judge

    def _check(self, typed: str) -> None:
        code = self._valid()
        if not code:
            raise Refused(FirstJudgeRefusal.TAKEN)
        try:
            is_right = hmac.compare_digest(code_typed(typed), code)
        except BadData:
            is_right = False
        if not is_right:
            raise Refused(FirstJudgeRefusal.WRONG_CODE)

    def _valid(self) -> str:
        return "" if self._judges.all() else self._code
