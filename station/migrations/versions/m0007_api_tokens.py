"""API tokens for programs."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TEXTS = ("key_hash", "name", "role", "made_by")


def upgrade() -> None:
    """Create the empty table."""
    op.create_table(
        "api_tokens",
        sa.Column("number", _number, primary_key=True, autoincrement=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in _TEXTS),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("key_hash", name="api_tokens_key"),
    )
