"""The enrolled terminals, and the one-time tokens and join codes that enrol new ones.

A join code is shown on the judge's page for three minutes and allows one try by one terminal.

Organisers, who may be playing themselves, can enrol terminals too. Until a floor or head judge trusts such a
terminal, it gets no PIN and no steps of other terminals, its record sheets need confirmation at the station,
and it cannot be put at a table that is playing.
"""

import enum
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from base.errors import BadData, Refused
from core.terms import TableNo
from station.sd_cards.card_files import SdCardFiles, hash_of
from station.store import schema
from station.store.database import Database
from station.store.settings import Settings
from sync.protocol.entry import TerminalId
from sync.tls.certificates import check_certificate, fingerprint_of_pem, subject_of

LAST_TABLE = 999
_t = schema.terminals.c
_k = schema.tokens.c
_VALID_MS = 3 * 60 * 1000
_REPEAT_MS = 10 * 60 * 1000
"""The time in which an enrolled terminal may repeat its request, in case the response was lost."""
_REPEATS = 8
_NAME = "join-code"


class JoinCode(msgspec.Struct, frozen=True):
    """The current join code, or the last one.

    by, trusted: the person who shows it, and whether that is a floor or head judge.
    tried_by, was_right: the terminal that used the try, and its outcome once known.
    repeats: how often that terminal has repeated its request.
    """

    code: str
    table: TableNo | None
    made_ms: int
    tried_by: TerminalId | None = None
    was_right: bool | None = None
    repeats: int = 0
    by: str = ""
    trusted: bool = False


class JoinCodes:
    """The station's join code, in the database so that several stations share it. Calls block."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._settings = Settings(database)
        self._now_ms = now_ms

    def show(self, code: str, table: TableNo | None, *, by: str = "", trusted: bool = True) -> JoinCode:
        """Store a new code to show, replacing the previous one."""
        made = JoinCode(code, table, self._now_ms(), by=by, trusted=trusted)
        self._settings.set(_NAME, _text(made))
        return made

    def last(self) -> JoinCode | None:
        """Return the last code shown, tried or not, or None if it is too old to matter."""
        code = self._read_code()[1]
        return code if code is not None and self._age_ms(code) < _REPEAT_MS else None

    def remaining_ms(self, code: JoinCode) -> int:
        """Return the milliseconds left to try a code, or 0 if it is used or expired."""
        return max(0, _VALID_MS - self._age_ms(code)) if code.tried_by is None else 0

    def claim(self, terminal: TerminalId) -> JoinCode | None:
        """Use up the code's only attempt, or return None if used. Enrolled terminals may repeat theirs."""
        text, code = self._read_code()
        if code is None:
            return None
        if self.remaining_ms(code):
            claimed = msgspec.structs.replace(code, tried_by=terminal)
        elif self._may_repeat(code, terminal):
            claimed = msgspec.structs.replace(code, repeats=code.repeats + 1)
        else:
            return None
        # Of two simultaneous tries, even at two stations, only one finds the value unchanged.
        return claimed if self._settings.compare_and_set(_NAME, text, _text(claimed)) else None

    def record_outcome(self, code: JoinCode, *, was_right: bool) -> None:
        """Record the outcome of a try allowed by ``claim``, unless there is a newer code."""
        self._settings.compare_and_set(
            _NAME, _text(code), _text(msgspec.structs.replace(code, was_right=was_right))
        )

    def _read_code(self) -> tuple[str, JoinCode | None]:
        text = self._settings.get(_NAME) or ""
        return text, msgspec.json.decode(text, type=JoinCode) if text else None

    def _may_repeat(self, code: JoinCode, terminal: TerminalId) -> bool:
        was_let_in = code.tried_by == terminal and code.was_right is True
        return was_let_in and code.repeats < _REPEATS and self._age_ms(code) < _REPEAT_MS

    def _age_ms(self, code: JoinCode) -> int:
        """Return a code's age. If the clock was set back, the code counts as old."""
        age = self._now_ms() - code.made_ms
        return age if age >= 0 else _REPEAT_MS


def _text(code: JoinCode) -> str:
    return msgspec.json.encode(code).decode()


class EnrolmentRefusal(enum.Enum):
    """The reasons for refusing to enrol or assign a terminal, as sentences for people."""

    PLAYING = (
        "Table {table} is playing. Only a floor or head judge can put another terminal there or take its "
        "terminal away. Enrol a spare, and ask a judge to swap it in."
    )


class EnrolledTerminal(msgspec.Struct, frozen=True):
    """A terminal that may connect, or that was revoked. A floor or head judge vouches for a trusted one."""

    terminal: TerminalId
    table: TableNo | None
    certificate: str
    enrolled_ms: int
    revoked: bool
    trusted: bool = True
    let_in_by: str = ""


class Enrolments:
    """The enrolled terminals in the database, at most one per table. Calls block."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms
        self.codes = JoinCodes(database, now_ms)
        self.files = SdCardFiles(database, now_ms)

    def terminals(self) -> tuple[EnrolledTerminal, ...]:
        """Return all terminals ever enrolled, oldest first."""
        with self._database.transaction() as connection:
            rows = connection.execute(select(schema.terminals).order_by(_t.enrolled_ms, _t.terminal)).all()
        return tuple(_terminal(row) for row in rows)

    def certificates(self) -> tuple[str, ...]:
        """Return the certificates of all terminals that may connect, PEM."""
        return tuple(known.certificate for known in self.terminals() if not known.revoked)

    def new_token(self, table: TableNo | None, *, by: str = "", trusted: bool = True) -> str:
        """Create a one-time token for a new terminal; only its hash is stored."""
        return self.files.make((table,), replaces=False, by=by, trusted=trusted)[0]

    def enrol(self, token: str, certificate: str, playing: Collection[TableNo] = ()) -> TerminalId | None:
        """Use up a token and enrol its terminal. Return None for an invalid token.

        A terminal may repeat its request, as the first response may be lost. ``playing`` lists the tables
        that only a trusted terminal may get; any other terminal becomes a spare. Raises BadData for an
        invalid certificate, or one with another terminal's name.
        """
        certificate = check_certificate(certificate, "enrolment")
        terminal = fingerprint_of_pem(certificate, "enrolment")
        with self._database.transaction(alone_with=schema.terminals) as connection:
            query = select(schema.tokens).where(_k.token_hash == hash_of(token))
            row = connection.execute(query).one_or_none()
            if row is None or row.withdrawn_ms is not None or row.used_by not in {None, terminal}:
                return None
            if row.used_by is not None:
                return terminal if _is_let_in(connection, terminal) else None
            unused = _k.token_hash == row.token_hash, _k.used_by.is_(None), _k.withdrawn_ms.is_(None)
            use_up = schema.tokens.update().where(*unused).values(used_by=terminal)
            if connection.execute(use_up).rowcount != 1:
                return None  # it has just been withdrawn
            trusted, table, by = bool(row.trusted), row.table_no, row.let_in_by
            self._remember(connection, terminal, certificate, table, playing, by=by, trusted=trusted)
        return terminal

    def add_vouched(
        self,
        certificate: str,
        table: TableNo | None,
        playing: Collection[TableNo] = (),
        *,
        by: str = "",
        trusted: bool = True,
    ) -> TerminalId:
        """Enrol a certificate that a judge or a join code vouches for. Raises BadData as ``enrol`` does.

        playing: see ``enrol``.
        by, trusted: the person responsible, and whether that is a floor or head judge.
        """
        certificate = check_certificate(certificate, "enrolment")
        terminal = fingerprint_of_pem(certificate, "enrolment")
        with self._database.transaction(alone_with=schema.terminals) as connection:
            self._remember(connection, terminal, certificate, table, playing, by=by, trusted=trusted)
        return terminal

    def is_enrolled(self, terminal: TerminalId) -> bool:
        with self._database.transaction() as connection:
            return _is_let_in(connection, terminal)

    def assign(
        self,
        terminal: TerminalId,
        table: TableNo | None,
        playing: Collection[TableNo] = (),
        *,
        trusts: bool = False,
    ) -> None:
        """Assign a terminal to a table, whose former terminal becomes a spare.

        Raises KeyError for an unknown or revoked terminal, Refused if it would change one of the ``playing``
        tables.
        """
        with self._database.transaction(alone_with=schema.terminals) as connection:
            here = _t.terminal == terminal, _t.revoked.is_(False)
            known = connection.execute(select(_t.table_no).where(*here)).one_or_none()
            if known is None:
                raise KeyError(terminal)
            for kept in {known.table_no, table} & {*playing} if known.table_no != table else ():
                raise Refused(EnrolmentRefusal.PLAYING, table=kept)
            _place(connection, terminal, table)
            if trusts:
                connection.execute(schema.terminals.update().where(*here).values(trusted=True))

    def trust(self, terminals: Collection[TerminalId]) -> None:
        """Trust these terminals from now on."""
        with self._database.transaction() as connection:
            chosen = schema.terminals.update().where(_t.terminal.in_(terminals))
            connection.execute(chosen.values(trusted=True))

    def revoke(self, terminal: TerminalId, playing: Collection[TableNo] = ()) -> None:
        """Revoke a terminal and free its table. Raises KeyError, and Refused at a ``playing`` table."""
        here = _t.terminal == terminal
        with self._database.transaction(alone_with=schema.terminals) as connection:
            known = connection.execute(select(_t.table_no).where(here)).one_or_none()
            if known is None:
                raise KeyError(terminal)
            if known.table_no in playing:
                raise Refused(EnrolmentRefusal.PLAYING, table=known.table_no)
            connection.execute(schema.terminals.update().where(here).values(revoked=True, table_no=None))

    def _remember(
        self,
        connection: Connection,
        terminal: TerminalId,
        certificate: str,
        table: int | None,
        playing: Collection[TableNo],
        *,
        by: str,
        trusted: bool,
    ) -> None:
        """Store an enrolled terminal. An untrusted one changes none of the ``playing`` tables."""
        kept = () if trusted else playing
        known = connection.execute(select(_t.table_no).where(_t.terminal == terminal)).one_or_none()
        if known is not None and known.table_no in kept:
            return
        table = None if table in kept else table
        if known is None:
            _refuse_a_taken_name(connection, certificate)
            connection.execute(
                schema.terminals.insert().values(
                    terminal=terminal,
                    certificate=certificate,
                    table_no=None,
                    enrolled_ms=self._now_ms(),
                    revoked=False,
                    trusted=trusted,
                    let_in_by=by,
                )
            )
        else:
            again = schema.terminals.update().where(_t.terminal == terminal)
            connection.execute(again.values(revoked=False, trusted=trusted, let_in_by=by))
        _place(connection, terminal, None if table is None else TableNo(table))


def _refuse_a_taken_name(connection: Connection, certificate: str) -> None:
    """Raise BadData if another terminal's certificate has the same subject.

    OpenSSL looks up pinned certificates by subject, so a second one could lock out the first terminal.
    """
    subject = subject_of(certificate, "enrolment")
    let_in = select(_t.certificate).where(_t.revoked.is_(False))
    if subject in map(_subject_or_nothing, connection.execute(let_in).scalars()):
        raise BadData("enrolment", "another terminal has a certificate of this name; mint a new one")


def _subject_or_nothing(certificate: str) -> bytes:
    try:
        return subject_of(certificate, "enrolled")
    except BadData:
        return b""


def _is_let_in(connection: Connection, terminal: TerminalId) -> bool:
    revoked = connection.execute(select(_t.revoked).where(_t.terminal == terminal)).scalar_one_or_none()
    return revoked is not None and not revoked


def _place(connection: Connection, terminal: TerminalId, table: TableNo | None) -> None:
    if table is not None:
        there = schema.terminals.update().where(_t.table_no == table)
        connection.execute(there.values(table_no=None))
    here = schema.terminals.update().where(_t.terminal == terminal)
    connection.execute(here.values(table_no=table))


def _terminal(row: Row[Any]) -> EnrolledTerminal:
    return EnrolledTerminal(
        terminal=TerminalId(row.terminal),
        table=None if row.table_no is None else TableNo(row.table_no),
        certificate=row.certificate,
        enrolled_ms=row.enrolled_ms,
        revoked=bool(row.revoked),
        trusted=bool(row.trusted),
        let_in_by=row.let_in_by,
    )


def check_table_number(table: int | None) -> TableNo | None:
    """Return a table's number if a terminal can have it. Raises BadData."""
    if table is not None and not 1 <= table <= LAST_TABLE:
        raise BadData("table", f"{table} is no number of a table; 1 to {LAST_TABLE} are")
    return None if table is None else TableNo(table)
