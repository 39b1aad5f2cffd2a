from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.hall import running_hall
from tests.rigs.small_hall import SmallHall


@pytest.fixture
def small_hall(tmp_path: Path) -> Iterator[SmallHall]:
    with running_hall(tmp_path, frozenset({2})) as (hall, processes):
        small = SmallHall(hall, processes, tmp_path)
        small.open()
        yield small
