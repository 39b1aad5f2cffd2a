"""Roles of accounts, invitations, and details of sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make every account a head judge's, as each could do everything until now; nobody is logged out."""
    op.execute("UPDATE judges SET role = 'head-judge'")
    for name in ("begun_ms", "used_ms"):
        op.add_column("sessions", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
    for name in ("agent", "address"):
        op.add_column("sessions", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.create_table(
        "invitations",
        sa.Column("number", _number, primary_key=True, autoincrement=True),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("invited_by", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("key_hash", name="invitations_key"),
    )
