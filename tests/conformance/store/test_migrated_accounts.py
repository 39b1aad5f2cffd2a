"""Accounts and sessions of a station from before roles, on every database."""

from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.engine import URL, make_url

from station import migrations
from station.accounts.judges import Judge, Judges, hash_key
from station.accounts.permissions import AccountRole
from station.store.database import Database


def test_accounts_from_before_roles_are_head_judges_and_stay_logged_in(database_url: URL | str) -> None:
    before_roles(database_url)
    with closing(Database(database_url)) as database:
        judges = Judges(database, lambda: 1_000_000)
        assert judges.all() == (Judge("Belle"), Judge("Roy"))
        session = judges.sessions.find("key")
        assert session is not None
        assert (session.judge, session.role) == ("Roy", AccountRole.HEAD_JUDGE)
        assert (session.begun_ms, session.used_ms, session.agent, session.address) == (0, 0, "", "")
        [used] = judges.sessions.all()
        assert used.used_ms == 1_000_000
        judges.set_role("Belle", AccountRole.ORGANISER)
        assert judges.find("Belle") == Judge("Belle", AccountRole.ORGANISER)


def before_roles(url: URL | str) -> None:
    """Create the tables of the fourth migration, with two accounts and a session of that time."""
    address = make_url(url)
    if address.get_backend_name() == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    engine = create_engine(address)
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        for name in ("Roy", "Belle"):
            connection.exec_driver_sql(f"INSERT INTO judges VALUES ('{name}', 'hash', 'judge', 0)")
        made = f"INSERT INTO sessions (key_hash, judge) VALUES ('{hash_key('key')}', 'Roy')"
        connection.exec_driver_sql(made)
    engine.dispose()
