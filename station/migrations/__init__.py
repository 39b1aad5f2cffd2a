"""The migrations of a database to this program's version, one module each in ``versions``.

Alembic is imported only for a database of another version, so that the station starts faster.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from base.errors import BadData
from station.store.schema import entries, metadata

NEWEST: Final = "0008"
"""The revision of the last module in ``versions``."""
_TABLE: Final = "alembic_version"


def upgrade(connection: Connection, where: str) -> None:
    """Migrate a database to this version, within the connection's transaction.

    Raises BadData for a database of a newer Saloon or of another program. ``where`` names it.
    """
    tables = set(inspect(connection).get_table_names())
    version = connection.exec_driver_sql(f"SELECT * FROM {_TABLE}").scalar() if _TABLE in tables else None  # noqa: S608
    # A migration is committed as a whole, and the table of entries exists since the first one.
    expected = metadata.tables.keys() if version == NEWEST else {entries.name} if version else set[str]()
    wrong = sorted(expected - tables if version else metadata.tables.keys() & tables)
    if wrong:
        problem = f"{'lacks' if version else 'another program has made'} the tables {', '.join(wrong)}"
        raise BadData(
            where, f"no database of Saloon, or damaged: {problem}; name another, or restore a backup"
        )
    if version == NEWEST:
        return

    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    known = {revision.revision for revision in script.walk_revisions()}
    if version is not None and version not in known:
        raise BadData(where, f"made by a newer Saloon (version {version} of the tables); update this program")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
