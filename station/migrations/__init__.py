"""The migrations of a database to this program's version, one module each in ``versions``."""

import io
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from saloon.base.errors import BadData


def upgrade(connection: Connection, where: str) -> None:
    """Migrate a database to this version, within the connection's transaction.

    Raises BadData for a database that a newer Saloon made. where: names it.
    """
    config = _config()
    script = ScriptDirectory.from_config(config)
    found = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in script.walk_revisions()}
    if found is not None and found not in known:
        raise BadData(where, f"made by a newer Saloon (version {found} of the tables); update this program")
    if found == script.get_current_head():
        return
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def upgrade_sql(dialect: str) -> str:
    """Return the statements that make all tables in an empty database. dialect: such as ``postgresql``."""
    out = io.StringIO()
    config = _config(out)
    config.attributes["dialect"] = dialect
    command.upgrade(config, "head", sql=True)
    return out.getvalue()


def _config(out: io.StringIO | None = None) -> Config:
    config = Config(output_buffer=out) if out is not None else Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    return config
