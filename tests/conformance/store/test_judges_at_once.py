"""Two judges who remove each other at the same moment: one of them is left, on every database."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.engine import URL

from saloon.core.errors import Refused
from saloon.station.database import Database
from saloon.station.judges import Judges, NotRemoved

ROUNDS = 6
NAMES = ("Belle", "Roy", "Zoe")
HASHED = "no password of anybody"


@pytest.mark.parametrize("count", [2, 3])
def test_judges_who_remove_each_other_at_once_leave_one(database_url: URL | str, count: int) -> None:
    databases = [Database(database_url) for _ in range(count)]
    judges = [Judges(database, lambda: 0) for database in databases]
    names = NAMES[:count]
    at_once = threading.Barrier(count)

    def removes(number: int) -> NotRemoved | None:
        at_once.wait(10)
        try:
            judges[number].remove(names[(number + 1) % count])
        except Refused as refused:
            return NotRemoved(refused.reason)
        return None

    with ThreadPoolExecutor(count) as threads:
        for _ in range(ROUNDS):
            for name in names:
                judges[0].put(name, HASHED)
            refusals = list(threads.map(removes, range(count)))
            assert [found for found in refusals if found] == [NotRemoved.ONLY_JUDGE]
            assert len(judges[0].all()) == 1
    for database in databases:
        database.close()
