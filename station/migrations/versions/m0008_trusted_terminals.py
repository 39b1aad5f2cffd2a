"""Trusted terminals, and the names of the people who enrolled them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Trust all enrolled terminals as before, but no unused provisioning file."""
    op.add_column("terminals", sa.Column("trusted", sa.Boolean, nullable=False, server_default="1"))
    op.add_column("tokens", sa.Column("trusted", sa.Boolean, nullable=False, server_default="0"))
    for table in ("terminals", "tokens"):
        op.add_column(table, sa.Column("let_in_by", sa.Text, nullable=False, server_default=""))
