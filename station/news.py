"""What stations on one PostgreSQL tell one another: that something has changed, never what.

Whoever hears it looks at the tables. News may be lost with a connection; so everything is looked at
after each connection, and now and then without any news.
"""

import asyncio
from collections.abc import AsyncGenerator

import psycopg
import structlog
from psycopg import sql

from saloon.core.errors import Unavailable
from saloon.station.database import Database
from saloon.station.presence import EVERYTHING
from saloon.station.turns import Turn, key_of

_log = structlog.get_logger()
_LOOK_S = 2.0
_AGAIN_S = 1.0


class News:
    """Listens on a connection of its own. problem: why nothing is heard now; empty while it is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.problem = ""

    async def told(self) -> AsyncGenerator[str]:
        """Names of tables that have changed, ``EVERYTHING`` from time to time, and words of stations.

        Never ends; while the database is away nothing comes but EVERYTHING, once.
        """
        while True:
            try:
                async for word in self._heard():
                    self.problem = ""
                    yield word
            except (psycopg.Error, OSError) as error:
                is_new, self.problem = not self.problem, str(error).strip() or "it does not answer"
                if is_new:
                    _log.warning("the database is away", problem=self.problem)
                    yield EVERYTHING
            await asyncio.sleep(_AGAIN_S)

    async def _heard(self) -> AsyncGenerator[str]:
        async with await psycopg.AsyncConnection.connect(
            **self._database.connect_arguments(), autocommit=True
        ) as connection:
            await self._run_beside_others(connection)
            channel = await (await connection.execute("SELECT 'saloon_' || current_schema()")).fetchone()
            assert channel is not None
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(str(channel[0]))))
            while True:
                yield EVERYTHING
                async for heard in connection.notifies(timeout=_LOOK_S):
                    yield heard.payload

    async def _run_beside_others(self, connection: "psycopg.AsyncConnection[tuple[object, ...]]") -> None:
        """Held as long as the connection: nobody puts a backup in place meanwhile."""
        query = f"SELECT pg_try_advisory_lock_shared({key_of(Turn.RUNNING)})"
        taken = await (await connection.execute(query.encode())).fetchone()
        if taken != (True,):
            raise Unavailable("a backup is being put in place; start again afterwards")
