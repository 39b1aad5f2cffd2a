"""Nothing that people and programs reached in an earlier version has disappeared."""

import pytest

from tests.earlier.inventory import inventory, kept


@pytest.mark.slow
def test_nothing_of_the_inventory_has_disappeared() -> None:
    here = set(inventory())
    assert sorted(kept() - here) == []
