"""The roles of accounts and their permissions.

docs/reference/security.md has the same table, and a test compares the two. Each page declares the permission
that it needs.
"""

import enum
from collections.abc import Mapping
from typing import Final


class AccountRole(enum.Enum):
    """The role of an account."""

    HEAD_JUDGE = "head-judge"
    FLOOR_JUDGE = "floor-judge"
    ORGANISER = "organiser"
    """An organiser, who may also be playing, and therefore sees no secrets of the tournament."""
    DISPLAY = "display"
    """A screen in the hall."""


class Permission(enum.Enum):
    """A permission to see or do something; the value is its row in the table of security.md."""

    PUBLIC_PAGES = "public pages (everybody)"
    OWN_ACCOUNT = "their own account"
    TOURNAMENTS = "tournaments, players"
    SET_UP = "open tournaments, tables, waivers"
    PLAYERS = "register, rename, withdraw"
    CHECK_IN = "check players in"
    PROJECTORS = "screens in the hall"
    WARNINGS = "warn"
    EJECTIONS = "eject"
    FLOOR = "floor, tables, calls, clocks, swaps, phones, journals"
    HEAD_CALLS = "calls for the head judge"
    SHEETS = "record sheets, offline results"
    DRAWS = "draws"
    STANDINGS = "standings, consequences, finals, ranking"
    HISTORY = "history, undo, proof pack"
    MESSAGES = "messages to tables, identify"
    REMOTE_CONTROL = "lock, unlock, restart terminals"
    TERMINALS = "terminals, links"
    ENROLMENT = "enrolment, cards, versions, phone sign-in"
    PIN = "new PINs"
    REHEARSALS = "rehearsals"
    STATION = "station's computer"
    ENCRYPTED_BACKUPS = "encrypted backups"
    BACKUPS = "readable backups, passphrase"
    ACCOUNTS = "accounts, invitations, tokens, all sessions"
    AUDIT = "audit"


_P = Permission
_EVERYBODYS: Final = frozenset({_P.PUBLIC_PAGES, _P.OWN_ACCOUNT})

STRANGERS: Final = frozenset({_P.PUBLIC_PAGES})
"""The permissions without an account."""

PERMISSIONS: Final[Mapping[AccountRole, frozenset[Permission]]] = {
    AccountRole.HEAD_JUDGE: frozenset(Permission),
    AccountRole.FLOOR_JUDGE: _EVERYBODYS
    | {_P.TOURNAMENTS, _P.CHECK_IN, _P.PROJECTORS, _P.WARNINGS, _P.FLOOR, _P.SHEETS, _P.MESSAGES}
    | {_P.REMOTE_CONTROL, _P.TERMINALS},
    AccountRole.ORGANISER: _EVERYBODYS
    | {_P.TOURNAMENTS, _P.SET_UP, _P.PLAYERS, _P.CHECK_IN, _P.PROJECTORS, _P.MESSAGES, _P.TERMINALS}
    | {_P.ENROLMENT, _P.REHEARSALS, _P.STATION, _P.ENCRYPTED_BACKUPS},
    AccountRole.DISPLAY: _EVERYBODYS,
}


def permissions_of(role: AccountRole | None) -> frozenset[Permission]:
    """Return the permissions of a role; None stands for people without an account."""
    return STRANGERS if role is None else PERMISSIONS[role]


def roles_with(permission: Permission) -> tuple[AccountRole, ...]:
    """Return the roles that have a permission, head judge first."""
    return tuple(role for role in AccountRole if permission in PERMISSIONS[role])
