"""Provisioning files that were never used can be withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """When a one-time word was withdrawn; nothing for all others."""
    op.add_column("tokens", sa.Column("withdrawn_ms", sa.BigInteger))
