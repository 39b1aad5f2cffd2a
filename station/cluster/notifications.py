"""Change notifications between stations that share a PostgreSQL database.

A notification names a table, and its receivers read that table again. As notifications are lost while
disconnected, everything is read again after each connection, and from time to time.
"""

import asyncio
from collections.abc import AsyncGenerator

import psycopg
import structlog
from psycopg import sql

from base.errors import Unavailable
from station.cluster.presence import EVERYTHING
from station.store.database import AdvisoryLock, Database, lock_key_sql

_log = structlog.get_logger()
_LOOK_S = 2.0
_AGAIN_S = 1.0


class NotificationListener:
    """A listener on a separate connection.

    ``problem`` is the current connection error, or empty if there is none.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.problem = ""

    async def messages(self) -> AsyncGenerator[str]:
        """Yield names of changed tables, ``EVERYTHING`` now and then, and messages from other stations.

        Never ends. While the database is unreachable, it yields EVERYTHING once.
        """
        while True:
            try:
                async for word in self._listen():
                    self.problem = ""
                    yield word
            except (psycopg.Error, OSError) as error:
                is_new, self.problem = not self.problem, str(error).strip() or "it does not answer"
                if is_new:
                    _log.warning("the database is away", problem=self.problem)
                    yield EVERYTHING
            await asyncio.sleep(_AGAIN_S)

    async def _listen(self) -> AsyncGenerator[str]:
        async with await psycopg.AsyncConnection.connect(
            **self._database.connect_arguments(), autocommit=True
        ) as connection:
            await self._run_beside_others(connection)
            channel = await (await connection.execute("SELECT 'saloon_' || current_schema()")).fetchone()
            assert channel is not None
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(str(channel[0]))))
            while True:
                yield EVERYTHING
                async for notification in connection.notifies(timeout=_LOOK_S):
                    yield notification.payload

    async def _run_beside_others(self, connection: "psycopg.AsyncConnection[tuple[object, ...]]") -> None:
        """Hold a shared lock as long as the connection lasts, so that no backup is restored meanwhile."""
        query = f"SELECT pg_try_advisory_lock_shared({lock_key_sql(AdvisoryLock.RUNNING)})"
        taken = await (await connection.execute(query.encode())).fetchone()
        if taken != (True,):
            raise Unavailable("a backup is being put in place; start again afterwards")
