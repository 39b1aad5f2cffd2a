"""A short recording on a disk that writes in any order, and the detection of stores that do not flush."""

from collections.abc import Callable

import pytest

from tests.soak.cuts import every_cut
from tests.soak.part_reorder import ORDERS
from tests.soak.recorded_disk import Call

pytestmark = pytest.mark.faults

SEED, STEPS = 3, 4


@pytest.mark.parametrize(("every", "least"), [(17, 5), pytest.param(5, 20, marks=pytest.mark.nightly)])
def test_whatever_order_the_disk_writes_in_the_store_is_whole(every: int, least: int) -> None:
    done = every_cut("checkpoints", SEED, STEPS, lefts=ORDERS[:2], every=every)
    assert done.failures == ()
    assert done.cuts > least


def of_the_log(call: Call) -> bool:
    """Return whether a call flushes the write-ahead log."""
    return call.name == "flush" and call.path.endswith("-wal")


def of_the_database(call: Call) -> bool:
    """Return whether a call makes the database durable, before a checkpoint empties the log."""
    return call.name == "flush" and call.path.endswith(".sqlite")


@pytest.mark.parametrize("lost", [of_the_log, pytest.param(of_the_database, marks=pytest.mark.nightly)])
def test_a_store_that_does_not_flush_is_found(lost: Callable[[Call], bool]) -> None:
    assert every_cut("checkpoints", SEED, STEPS, lefts=ORDERS[:1], every=7, lost=lost).failures
