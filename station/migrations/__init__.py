"""The migrations of a database to this program's version, one module each in ``versions``.

Alembic is imported only for a database that isn't at this version: a station's start is shorter without it.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from saloon.base.errors import BadData

NEWEST: Final = "0007"
"""The revision of the last module in ``versions``."""
_TABLE: Final = "alembic_version"


def upgrade(connection: Connection, where: str) -> None:
    """Migrate a database to this version, within the connection's transaction.

    Raises BadData for a database that a newer Saloon made. where: names it.
    """
    found = _revision_of(connection)
    if found == NEWEST:
        return

    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = {revision.revision for revision in script.walk_revisions()}
    if found is not None and found not in known:
        raise BadData(where, f"made by a newer Saloon (version {found} of the tables); update this program")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision_of(connection: Connection) -> str | None:
    """Return the revision of a database's tables; None if it has none of ours."""
    if not inspect(connection).has_table(_TABLE):
        return None
    revision: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {_TABLE}").scalar()  # noqa: S608
    return revision
