"""The withdrawal of provisioning files that were never used."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the time when a one-time word was withdrawn; null for all others."""
    op.add_column("tokens", sa.Column("withdrawn_ms", sa.BigInteger))
