"""A frozen PostgreSQL, whose connections stay open and silent, keeps nobody waiting again and again."""

import contextlib
import signal
import time
from pathlib import Path

import pytest

from base.errors import Unavailable
from station.store.database import Database
from station.store.settings import Settings
from tests.postgresql import running_postgresql

pytestmark = [pytest.mark.conformance, pytest.mark.slow]


def waited_s(settings: Settings) -> float:
    begun = time.monotonic()
    with pytest.raises(Unavailable):
        settings.get("name")
    return time.monotonic() - begun


@pytest.mark.nightly
def test_after_the_first_wait_all_are_answered_at_once_until_it_goes_on(tmp_path: Path) -> None:
    with running_postgresql(tmp_path) as server, contextlib.closing(Database(server.url)) as database:
        settings = Settings(database)
        settings.set("name", "value")
        process = server._server.get_postmaster_info().process
        assert process is not None
        frozen = [process, *process.children(recursive=True)]
        for one in frozen:
            one.send_signal(signal.SIGSTOP)
        try:
            assert waited_s(settings) < 20
            assert max(waited_s(settings) for _ in range(5)) < 0.5
        finally:
            for one in frozen:
                one.send_signal(signal.SIGCONT)
        end = time.monotonic() + 30
        while True:
            try:
                assert settings.get("name") == "value"
                break
            except Unavailable:
                assert time.monotonic() < end
                time.sleep(0.1)
