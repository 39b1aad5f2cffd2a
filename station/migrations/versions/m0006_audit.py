"""The audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TEXTS = ("judge", "role", "address", "route", "tournament", "facts", "before")


def upgrade() -> None:
    """Create the empty audit log; earlier actions are only in the histories of the tournaments."""
    op.create_table(
        "audit",
        sa.Column("number", _number, primary_key=True, autoincrement=True),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in _TEXTS),
        sa.Column("refused", sa.BigInteger, nullable=False),
    )
