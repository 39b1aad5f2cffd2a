"""Fixtures of the virtual table for all tests of the terminal."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def make_table(tmp_path: Path) -> Iterator[MakeTable]:
    made: list[VirtualTable] = []

    def make(rigging: Rigging | None = None) -> VirtualTable:
        folder = tmp_path / f"table-{len(made) + 1}"
        folder.mkdir()
        made.append(VirtualTable(folder, rigging))
        return made[-1]

    yield make
    for table in made:
        table.close()


@pytest.fixture
def table(make_table: MakeTable) -> VirtualTable:
    """A virtual table of the default size, used only by touches."""
    return make_table()


@pytest.fixture
def five(table: VirtualTable) -> VirtualTable:
    """A table of five in its first turn."""
    seated(table)
    return table


@pytest.fixture
def seven(table: VirtualTable) -> VirtualTable:
    """A table of seven in its first turn."""
    seated(table, seat_game(players=7))
    return table


@pytest.fixture
def painted(make_table: MakeTable) -> VirtualTable:
    return make_table(Rigging(paints=True))
