"""The simulated store passes all tests of the real ones that need no database."""

import inspect
import random
from collections.abc import Callable

import pytest

from sync.protocol.entry import Epoch
from tests.conformance.store import test_entry_store as suite
from tests.soak.virtual_disk import Faults, VirtualStore

pytestmark = pytest.mark.conformance

NEEDS_BYTES = {"test_nothing_has_changed_in_a_healthy_database"}
"""The tests that look for changed bytes on a disk."""


def _suite() -> list[Callable[..., None]]:
    checks = [value for name, value in vars(suite).items() if name.startswith("test_")]
    return [one for one in checks if set(inspect.signature(one).parameters) == {"store"}]


@pytest.mark.parametrize("check", [one for one in _suite() if one.__name__ not in NEEDS_BYTES])
def test_the_simulated_store_does_what_a_store_must(check: Callable[..., None]) -> None:
    check(store=VirtualStore(Epoch("5" * 16), Faults(random.Random(1))))


def test_the_suite_is_there() -> None:
    assert len(_suite()) > 14
