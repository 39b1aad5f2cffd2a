"""Withdrawal of unused provisioning files."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the time at which a one-time token was withdrawn; null if it was not."""
    op.add_column("tokens", sa.Column("withdrawn_ms", sa.BigInteger))
