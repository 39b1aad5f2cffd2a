"""A terminal of today starts on an earlier one's folder, shows its game, and plays it to the end."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from core.game.state.game import Phase
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen
from tests.kiosk.rig.games import play
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable

PIN = "2468"


@contextlib.contextmanager
def started(folder: Path, place: Path) -> Iterator[VirtualTable]:
    """Start a terminal on a copy of a folder, as on the board that wrote it."""
    shutil.copytree(folder, place)
    with contextlib.closing(sqlite3.connect(place / "journal.db")) as journal:
        ((board,),) = journal.execute("SELECT value FROM facts WHERE name = 'board'")
    table = VirtualTable(place, Rigging(paints=False, board=board))
    yield table
    table.close()


def seen_before(earlier: Path, number: int) -> Seen:
    return msgspec.json.decode((earlier / f"expected/terminal-{number}.json").read_bytes(), type=Seen)


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 7, 8, 9, 10])
def test_a_terminal_shows_the_scene_that_it_showed(number: int, earlier: Path, tmp_path: Path) -> None:
    with started(earlier / f"terminal-{number}", tmp_path / "terminal") as table:
        before = seen_before(earlier, number)
        assert table.scene() == before.scene
        seats = {target.id for target in before.targets if target.id.startswith("seat-")}
        assert seats - {target.id for target in table.see().targets} == set()


@pytest.mark.slow
@pytest.mark.parametrize("number", [pytest.param(7, marks=pytest.mark.nightly), 8])
def test_a_game_in_the_middle_goes_on_to_its_end(number: int, earlier: Path, tmp_path: Path) -> None:
    with started(earlier / f"terminal-{number}", tmp_path / "terminal") as table:
        assert table.game.phase is Phase.PLAYING
        entries, turns = table.entries(), table.game.turns
        play(table, Brain(number, PIN), until=lambda game: game.phase is Phase.CONFIRMED)
        assert table.entries()[: len(entries)] == entries
        assert table.game.turns > turns
