"""Invitations: one-time links with which people open their own accounts.

The link contains a key, of which only the hash is stored. An invitation becomes invalid when it is used,
withdrawn or expired, when a newer one is made for the same name, and when the judge who made it is no longer
a head judge.
"""

import enum
from typing import Final

import msgspec
from sqlalchemy import Connection, Row, select

from base.errors import Refused
from station.accounts.judges import (
    Judge,
    Judges,
    check_may_be_added,
    checked_name,
    hash_password,
    insert_account,
    matching_names,
)
from station.accounts.permissions import AccountRole
from station.accounts.sessions import hash_key, new_key
from station.store import schema

LIFETIME_MS: Final = 48 * 3600 * 1000
_i = schema.invitations.c


class InvitationRefusal(enum.Enum):
    """The reasons for refusing an invitation, as sentences for people."""

    ENDED = (
        "This invitation isn't valid any more. If you have used it, log in with your name and "
        "password. Otherwise ask a head judge for a new one."
    )


class AccountInvitation(msgspec.Struct, frozen=True):
    """An unused invitation."""

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
        """Invite somebody and return the key for the link; it cannot be read again later.

        Raises Refused if the name has an account, BadData for an unsuitable name.
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
        """Open the account with a password chosen by the invited person, and end the invitation.

        Raises Refused if it is no longer valid or the name is taken, BadData if the password is too short.
        """
        self.find(key)  # Check first: hashing a password takes time.
        hashed = hash_password(password)
        with self._database.transaction(alone_with=schema.judges) as connection:
            invitation = self._find(connection, key)
            judge = Judge(invitation.name, invitation.role)
            check_may_be_added(connection, judge)
            # Only if it still exists: if two people open it at the same time, the second one is refused.
            used = schema.invitations.delete().where(_i.number == invitation.number)
            if connection.execute(used).rowcount != 1:
                raise Refused(InvitationRefusal.ENDED)
            insert_account(connection, judge, hashed, self._now_ms())
        return judge

    def withdraw(self, number: int) -> None:
        """End an invitation. Does nothing if it has ended."""
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


def end_all_invitations(connection: Connection) -> None:
    """End all invitations, so that a restored backup does not revive links that have ended since."""
    connection.execute(schema.invitations.delete())
