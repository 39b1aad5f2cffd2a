"""The settings of provisioning files, and their one-time tokens."""

import enum
import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from base.errors import BadData
from core.terms import TableNo
from station.store import schema
from station.store.database import Database
from station.store.settings import Settings
from sync.enrolment.provisioning import (
    Provisioning,
    ServicePart,
    StationPart,
    TerminalPart,
    WifiPart,
    provisioning_of,
    text_of,
)
from sync.protocol.entry import TerminalId

_FACT = "card-settings"


class CardSettings(msgspec.Struct, frozen=True):
    """The settings of all cards. ``terminal`` has no table or token; empty ``addresses`` are detected."""

    wifi: WifiPart | None = None
    service: ServicePart = ServicePart()
    terminal: TerminalPart = TerminalPart()
    addresses: tuple[str, ...] = ()


def card_settings(settings: Settings) -> CardSettings:
    """Return the stored card settings, or the defaults. Raises BadData if they are damaged."""
    known = settings.get(_FACT)
    try:
        return CardSettings() if known is None else msgspec.json.decode(known, type=CardSettings)
    except msgspec.DecodeError as error:
        raise BadData(_FACT, str(error)) from error


def keep_card_settings(settings: Settings, chosen: CardSettings, certificate: str) -> None:
    """Store card settings. Raises WrongFile for settings that terminals could not read."""
    provisioning_of(card_text(chosen, StationPart(certificate), None, ""), "saloon.toml")
    settings.set(_FACT, msgspec.json.encode(chosen).decode())


def card_text(chosen: CardSettings, station: StationPart, table: TableNo | None, token: str) -> str:
    """Return a card's provisioning file. ``station`` contains the addresses that were detected."""
    terminal = msgspec.structs.replace(chosen.terminal, table=table, token=token)
    if chosen.addresses:
        station = msgspec.structs.replace(station, addresses=chosen.addresses)
    return text_of(Provisioning(station, terminal, chosen.wifi, chosen.service))


class CardMade(msgspec.Struct, frozen=True):
    """A new provisioning file, for a spare if it has no table. ``mark`` identifies its card."""

    table: TableNo | None
    mark: str
    toml: str


_k = schema.tokens.c
_TOKEN_BYTES = 24
_MARK_DIGITS = 6


class CardState(enum.Enum):
    """The state of a provisioning file's token."""

    UNUSED = "unused"
    USED = "used"
    WITHDRAWN = "withdrawn"


class CardFile(msgspec.Struct, frozen=True):
    """An issued provisioning file. ``key`` is the SHA-256 of its token."""

    key: str
    table: TableNo | None
    made_ms: int
    used_by: TerminalId | None
    withdrawn_ms: int | None

    @property
    def mark(self) -> str:
        """The short code that identifies the card on labels and in lists."""
        return self.key[:_MARK_DIGITS].upper()

    @property
    def state(self) -> CardState:
        """The current state of the token."""
        if self.used_by is not None:
            return CardState.USED
        return CardState.UNUSED if self.withdrawn_ms is None else CardState.WITHDRAWN


class SdCardFiles:
    """The enrolment tokens in the database, stored only as hashes. Calls block."""

    def __init__(self, database: Database, now_ms: Callable[[], int]) -> None:
        self._database = database
        self._now_ms = now_ms

    def list_files(self) -> tuple[CardFile, ...]:
        """Return all files ever issued, newest first."""
        with self._database.transaction() as connection:
            order = _k.made_ms.desc(), _k.withdrawn_ms.is_not(None), _k.token_hash
            rows = connection.execute(select(schema.tokens).order_by(*order)).all()
        return tuple(map(_file, rows))

    def make(
        self, tables: Sequence[TableNo | None], *, replaces: bool, by: str = "", trusted: bool = True
    ) -> tuple[str, ...]:
        """Create tokens, one for each table (None: a spare), all of them or none.

        replaces: also withdraw these tables' earlier unused tokens.
        by, trusted: the person who creates them, and whether that is a floor or head judge.
        """
        words = tuple(secrets.token_urlsafe(_TOKEN_BYTES) for _ in tables)
        now_ms, made_by = self._now_ms(), {"let_in_by": by, "trusted": trusted}
        with self._database.transaction() as connection:
            if replaces:
                _withdraw(connection, _k.table_no.in_({t for t in tables if t is not None}), now_ms)
            rows = [
                {"token_hash": hash_of(word), "table_no": table, "made_ms": now_ms, **made_by}
                for word, table in zip(words, tables, strict=True)
            ]
            if rows:
                connection.execute(schema.tokens.insert(), rows)
        return words

    def withdraw(self, key: str) -> None:
        """Withdraw an unused token. Raises KeyError if it is unknown, used or already withdrawn."""
        with self._database.transaction() as connection:
            if not _withdraw(connection, _k.token_hash == key, self._now_ms()):
                raise KeyError(key)

    def withdraw_all(self) -> int:
        """Withdraw all unused tokens; return their number."""
        with self._database.transaction() as connection:
            return _withdraw(connection, _k.token_hash != "", self._now_ms())


def hash_of(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def mark_of(word: str) -> str:
    return hash_of(word)[:_MARK_DIGITS].upper()


def _withdraw(connection: Connection, which: Any, now_ms: int) -> int:
    unused = schema.tokens.update().where(which, _k.used_by.is_(None), _k.withdrawn_ms.is_(None))
    return int(connection.execute(unused.values(withdrawn_ms=now_ms)).rowcount)


def _file(row: Row[Any]) -> CardFile:
    return CardFile(
        key=row.token_hash,
        table=None if row.table_no is None else TableNo(row.table_no),
        made_ms=row.made_ms,
        used_by=None if row.used_by is None else TerminalId(row.used_by),
        withdrawn_ms=row.withdrawn_ms,
    )
