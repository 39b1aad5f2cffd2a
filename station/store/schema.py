"""The tables of the station's database, the same for SQLite and PostgreSQL.

Entries are the source of truth; the other tables contain what can't be an entry. Make every change both here
and as a migration (station/migrations); a test compares the two.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

_number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column of type INTEGER."""


def _texts(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _integers(*names: str) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False) for name in names]


def _entry_columns() -> list[Column[str] | Column[int] | Column[bytes]]:
    hashed = [Column(name, LargeBinary, nullable=False) for name in ("raw", "hash")]
    return [*_texts("stream", "epoch"), *_integers("seq"), *hashed]


entries = Table(
    "entries",
    metadata,
    Column("arrival", _number, primary_key=True, autoincrement=True),
    *_entry_columns(),
    *_integers("received_ms"),
    UniqueConstraint("stream", "epoch", "seq", name="entries_key"),
)
"""All entries, in order of arrival. ``received_ms`` is the wall clock since 1970, for people."""

quarantine = Table(
    "quarantine",
    metadata,
    Column("number", _number, primary_key=True, autoincrement=True),
    *_entry_columns(),
    *_texts("problem"),
    *_integers("noticed_ms"),
)
"""Corrupted entries, and entries whose key belongs to a different stored entry."""

terminals = Table(
    "terminals",
    metadata,
    Column("terminal", Text, primary_key=True),
    *_texts("certificate"),
    Column("table_no", Integer),
    *_integers("enrolled_ms"),
    Column("revoked", Boolean, nullable=False),
    Column("trusted", Boolean, nullable=False, server_default="1"),
    Column("let_in_by", Text, nullable=False, server_default=""),
)
"""The terminals that may connect.

terminal: the certificate's fingerprint.
trusted: a floor or head judge enrolled it or put it at a table.
"""

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("table_no", Integer),
    *_integers("made_ms"),
    Column("used_by", Text),
    Column("withdrawn_ms", BigInteger),
    Column("trusted", Boolean, nullable=False, server_default="0"),
    Column("let_in_by", Text, nullable=False, server_default=""),
)
"""One-time tokens of provisioning files, as SHA-256 (hex). ``used_by`` is the terminal, once used.

trusted, let_in_by: values for the terminal that it enrols.
withdrawn_ms: when a judge, or a newer file for the table, invalidated it.
"""

judges = Table(
    "judges",
    metadata,
    Column("name", Text, primary_key=True),
    *_texts("password_hash", "role"),
    *_integers("added_ms"),
)
"""The judges' accounts. ``password_hash`` is made by argon2."""

sessions = Table(
    "sessions",
    metadata,
    Column("number", _number, primary_key=True, autoincrement=True),
    *_texts("key_hash", "judge"),
    *(Column(name, BigInteger, nullable=False, server_default="0") for name in ("begun_ms", "used_ms")),
    *(Column(name, Text, nullable=False, server_default="") for name in ("agent", "address")),
    UniqueConstraint("key_hash", name="sessions_key"),
)
"""The login sessions. ``key_hash`` is the SHA-256 (hex) of the key in the cookie."""

invitations = Table(
    "invitations",
    metadata,
    Column("number", _number, primary_key=True, autoincrement=True),
    *_texts("key_hash", "name", "role", "invited_by"),
    *_integers("made_ms", "expires_ms"),
    UniqueConstraint("key_hash", name="invitations_key"),
)
"""The unused invitations. ``key_hash`` is the SHA-256 (hex) of the key in the link."""

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("number", _number, primary_key=True, autoincrement=True),
    *_texts("key_hash", "name", "role", "made_by"),
    *_integers("made_ms", "used_ms"),
    UniqueConstraint("key_hash", name="api_tokens_key"),
)
"""The API tokens. ``key_hash`` is the SHA-256 (hex) of the token."""

audit = Table(
    "audit",
    metadata,
    Column("number", _number, primary_key=True, autoincrement=True),
    *_integers("wall_ms"),
    *_texts("judge", "role", "address", "route", "tournament", "facts", "before"),
    *_integers("refused"),
)
"""The actions of people on pages and by commands. ``facts`` is a JSON object of strings."""

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    *_texts("value"),
)
"""Single values: the epoch, the number of starts, the station's key, the judges' PIN (argon2)."""

stations = Table(
    "stations",
    metadata,
    Column("station", Text, primary_key=True),
    *_texts("name", "addresses"),
    *_integers("seen_ms", "lease_ms"),
)
"""The stations that share a PostgreSQL database. ``addresses`` are those for terminals, separated by spaces.

``seen_ms`` is the last renewal of the lease by the database's clock; it is valid for lease_ms.
"""

lines = Table(
    "lines",
    metadata,
    Column("station", Text, primary_key=True),
    Column("terminal", Text, primary_key=True),
    *_texts("wire"),
    *_integers("heard_ms"),
    Column("owes", BigInteger),
    *_texts("alarm"),
)
"""The terminals connected to each station, valid as long as the station's lease."""
