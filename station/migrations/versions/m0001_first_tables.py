"""The first tables: entries, quarantine, terminals, tokens, judges and settings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "entries",
        sa.Column("arrival", _number, primary_key=True, autoincrement=True),
        *_entry_columns(),
        sa.Column("received_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("stream", "epoch", "seq", name="entries_key"),
    )
    op.create_table(
        "quarantine",
        sa.Column("number", _number, primary_key=True, autoincrement=True),
        *_entry_columns(),
        sa.Column("problem", sa.Text, nullable=False),
        sa.Column("noticed_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "terminals",
        sa.Column("terminal", sa.Text, primary_key=True),
        sa.Column("certificate", sa.Text, nullable=False),
        sa.Column("table_no", sa.Integer),
        sa.Column("enrolled_ms", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column("table_no", sa.Integer),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("used_by", sa.Text),
    )
    op.create_table(
        "judges",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("added_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def _entry_columns() -> tuple[sa.Column[str] | sa.Column[int] | sa.Column[bytes], ...]:
    return (
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
