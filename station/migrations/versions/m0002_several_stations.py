"""Several stations: tables of running stations and their terminals, and change notifications."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_WATCHED = ("entries", "quarantine", "terminals", "settings")


def upgrade() -> None:
    """Create the tables and, on PostgreSQL, which several stations can share, the notification triggers."""
    op.create_table(
        "stations",
        sa.Column("station", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("addresses", sa.Text, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("lease_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column("station", sa.Text, primary_key=True),
        sa.Column("terminal", sa.Text, primary_key=True),
        sa.Column("wire", sa.Text, nullable=False),
        sa.Column("heard_ms", sa.BigInteger, nullable=False),
        sa.Column("owes", sa.BigInteger),
        sa.Column("alarm", sa.Text, nullable=False),
    )
    if op.get_context().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION saloon_tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " PERFORM pg_notify('saloon_' || TG_TABLE_SCHEMA, TG_TABLE_NAME); RETURN NULL; END $$"
        )
        for name in _WATCHED:
            op.execute(
                f"CREATE TRIGGER saloon_tell AFTER INSERT OR UPDATE OR DELETE ON {name}"
                " FOR EACH STATEMENT EXECUTE FUNCTION saloon_tell()"
            )
