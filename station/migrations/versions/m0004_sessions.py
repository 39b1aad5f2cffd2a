"""Login sessions stored in the database, so that they can be ended from the station."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table; all judges have to log in again."""
    op.create_table(
        "sessions",
        sa.Column("number", _number, primary_key=True, autoincrement=True),
        sa.Column("key_hash", sa.Text, nullable=False),
        sa.Column("judge", sa.Text, nullable=False),
        sa.UniqueConstraint("key_hash", name="sessions_key"),
    )
