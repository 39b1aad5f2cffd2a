"""Actions recorded in the audit log, by subject. Each page declares its own."""

import enum
from collections.abc import Mapping
from typing import Final

import msgspec

from station.accounts.permissions import Permission

_P = Permission


class AuditKind(enum.Enum):
    """The subject of an action, used as a filter."""

    ACCOUNTS = "Accounts and logins"
    TOURNAMENT = "Tournaments"
    PLAYERS = "Players and penalties"
    DRAWS = "Draws and standings"
    TABLES = "Tables and calls"
    SHEETS = "Record sheets"
    TERMINALS = "Terminals and messages"
    STATION = "Station and backups"


class Audit(msgspec.Struct, frozen=True):
    """A recorded action.

    action: a message for translation.
    keeps: the names of the form fields that are kept, none of them secret, with spaces between.
    kind: None on a page whose permission has a usual subject.
    """

    action: str
    keeps: str = ""
    kind: AuditKind | None = None


class Unrecorded(msgspec.Struct, frozen=True):
    """The reason why a form is not recorded."""

    reason: str


PREVIEW: Final = Unrecorded("a preview")

USUAL_KINDS: Final[Mapping[_P, AuditKind]] = {
    permission: kind
    for kind, permissions in {
        AuditKind.ACCOUNTS: (_P.OWN_ACCOUNT, _P.ACCOUNTS),
        AuditKind.TOURNAMENT: (_P.TOURNAMENTS, _P.SET_UP, _P.PROJECTORS, _P.HISTORY),
        AuditKind.PLAYERS: (_P.PLAYERS, _P.CHECK_IN, _P.WARNINGS, _P.EJECTIONS),
        AuditKind.DRAWS: (_P.DRAWS, _P.STANDINGS),
        AuditKind.TABLES: (_P.FLOOR,),
        AuditKind.SHEETS: (_P.SHEETS,),
        AuditKind.TERMINALS: (_P.MESSAGES, _P.REMOTE_CONTROL, _P.ENROLMENT, _P.PIN),
        AuditKind.STATION: (_P.REHEARSALS, _P.STATION, _P.ENCRYPTED_BACKUPS, _P.BACKUPS),
    }.items()
    for permission in permissions
}
"""The subject of a page by its permission, unless it declares another."""

COMMANDS: Final[Mapping[str, Audit]] = {
    "saloon-station judge add": Audit("Added an account", kind=AuditKind.ACCOUNTS),
    "saloon-station judge role": Audit("Changed an account's role", kind=AuditKind.ACCOUNTS),
    "saloon-station judge invite": Audit("Created an invitation", kind=AuditKind.ACCOUNTS),
    "saloon-station judge remove": Audit("Deleted an account", kind=AuditKind.ACCOUNTS),
    "saloon-station pins": Audit("Gave all terminals new PINs", kind=AuditKind.TERMINALS),
    "saloon-station enrol": Audit("Created a provisioning file", kind=AuditKind.TERMINALS),
    "saloon-station restore": Audit("Restored a backup", kind=AuditKind.STATION),
    "saloon-station take": Audit("Imported offline results", kind=AuditKind.SHEETS),
}
"""Recorded commands. `backup` and `export` only read, and can run beside the station."""
