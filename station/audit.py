"""The audit log in the station's database: the actions that people take on pages and by commands.

Lines are only added, never changed. Each page declares the action that it records.
"""

import enum
import json
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Row, and_, or_, select

from base.system import user_name
from station.accounts.permissions import Permission
from station.store import schema
from station.store.database import Database

LONGEST_FACT: Final = 200
_a = schema.audit.c
_MOST_AT_ONCE: Final = 500


class AuditLine(msgspec.Struct, frozen=True):
    """A recorded action.

    wall_ms: the station's clock, since 1970.
    judge, role: empty for people without an account.
    route: method and path, with the parameters in braces.
    facts: the path's parameters and the form's fields, without secrets.
    before: the former value, if the action replaced one.
    """

    wall_ms: int
    judge: str
    role: str
    address: str
    route: str
    facts: Mapping[str, str]
    before: str = ""
    refused: bool = False
    number: int = 0


class AuditFilter(msgspec.Struct, frozen=True):
    """A filter for lines. Empty fields match everything, as does None for ``routes``.

    players: ids of players whose names match ``text``, each with the tournament.
    """

    judge: str = ""
    routes: tuple[str, ...] | None = None
    tournament: str = ""
    text: str = ""
    players: tuple[tuple[str, str], ...] = ()
    from_ms: int | None = None
    to_ms: int | None = None


COMMAND_LINE: Final = "command-line"
"""The role in lines about commands."""


class AuditLog:
    """The audit log in the database. Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, line: AuditLine) -> None:
        """Store a line, truncating long facts."""
        facts = {name: value[:LONGEST_FACT] for name, value in line.facts.items() if value}
        values = {
            "wall_ms": line.wall_ms, "role": line.role, "address": line.address, "route": line.route,
            "judge": line.judge[:LONGEST_FACT], "before": line.before[:LONGEST_FACT],
            "facts": json.dumps(facts, ensure_ascii=False, sort_keys=True),
            "refused": int(line.refused), "tournament": facts.get("tournament", ""),
        }  # fmt: skip
        with self._database.transaction() as connection:
            connection.execute(schema.audit.insert().values(values))

    def add_command(self, command: str, wall_ms: int, **facts: str) -> None:
        """Record a command run by the user of this computer. ``command`` is one of `COMMANDS`."""
        self.add(AuditLine(wall_ms, user_name(), COMMAND_LINE, "", command, facts))

    def people(self) -> tuple[str, ...]:
        """Return the names of all people in the log, sorted."""
        with self._database.transaction() as connection:
            names = connection.execute(select(_a.judge).distinct().where(_a.judge != "")).scalars()
            return tuple(sorted(names))

    def page(self, wanted: AuditFilter, skip: int, most: int) -> tuple[AuditLine, ...]:
        """Return one page of matching lines, newest first."""
        query = select(schema.audit).where(_condition(wanted)).order_by(_a.number.desc())
        with self._database.transaction() as connection:
            return tuple(map(_line, connection.execute(query.offset(skip).limit(most))))

    def lines(self, wanted: AuditFilter) -> Iterator[AuditLine]:
        """Yield all matching lines, newest first."""
        before: int | None = None
        while True:
            older = _condition(wanted) if before is None else and_(_condition(wanted), _a.number < before)
            query = select(schema.audit).where(older).order_by(_a.number.desc()).limit(_MOST_AT_ONCE)
            with self._database.transaction() as connection:
                batch = tuple(map(_line, connection.execute(query)))
            if not batch:
                return
            yield from batch
            before = batch[-1].number


def _condition(wanted: AuditFilter) -> ColumnElement[bool]:
    parts: list[ColumnElement[bool]] = [_a.number > 0]
    if wanted.judge:
        parts.append(_a.judge == wanted.judge)
    if wanted.routes is not None:
        parts.append(_a.route.in_(wanted.routes))
    if wanted.tournament:
        parts.append(_a.tournament == wanted.tournament)
    if wanted.text:
        columns = (_a.facts, _a.before, _a.judge)
        named = (
            and_(_a.tournament == tournament, _a.facts.contains(f'"{player}"', autoescape=True))
            for tournament, player in wanted.players
        )
        parts.append(or_(*(column.icontains(wanted.text, autoescape=True) for column in columns), *named))
    if wanted.from_ms is not None:
        parts.append(_a.wall_ms >= wanted.from_ms)
    if wanted.to_ms is not None:
        parts.append(_a.wall_ms < wanted.to_ms)
    return and_(*parts)


def _line(row: Row[tuple[object, ...]]) -> AuditLine:
    return AuditLine(
        wall_ms=row.wall_ms,
        judge=row.judge,
        role=row.role,
        address=row.address,
        route=row.route,
        facts=msgspec.json.decode(row.facts, type=dict[str, str]),
        before=row.before,
        refused=bool(row.refused),
        number=row.number,
    )


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
    """The action that a page records.

    keeps: the names of the form fields to record, separated by spaces; never secret ones.
    kind: needed only if the page's permission has no usual kind.
    """

    action: str
    keeps: str = ""
    kind: AuditKind | None = None


class Unrecorded(msgspec.Struct, frozen=True):
    """The reason why a page does not record its form."""

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
"""The kind of actions on pages by their permission, unless a page declares another kind."""

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
"""The recorded commands. Others, such as `backup` and `export`, only read."""
