"""The same games, entered by careful fingers at a real terminal: the ones in which most happens."""

from pathlib import Path
from typing import Final

import pytest

from core.rule_set import RecordMode
from tests.true_games.by_fingers import disagreements, enter, sample
from tests.true_games.record import files, read_games

pytestmark = pytest.mark.slow

_EACH_DAY: Final = {
    "championship-2010-7": (RecordMode.LIGHT,),
    "championship-2022-7": (RecordMode.LIGHT,),
    "championship-2022-5": (RecordMode.FULL,),
    "official-2003-6": (RecordMode.LIGHT,),
    "official-2003+cash-rewards-6": (RecordMode.LIGHT,),
    "official-2003+rebel-8": (RecordMode.LIGHT,),
    "simplified-2003-7": (RecordMode.FULL,),
}
"""The files and modes of which a game is entered in each run; the others follow at night."""


def _name(file: Path) -> str:
    return file.name.removesuffix(".jsonl.gz")


@pytest.mark.parametrize(
    ("file", "mode"),
    [
        pytest.param(
            file,
            mode,
            id=f"{_name(file)}-{mode.value}",
            marks=[] if mode in _EACH_DAY.get(_name(file), ()) else pytest.mark.nightly,
        )
        for file in files()
        for mode in RecordMode
    ],
)
def test_a_game_entered_at_the_table_comes_out_as_it_was_played(file: Path, mode: RecordMode) -> None:
    (game,) = sample(read_games(file), 1)
    assert disagreements(game, mode, enter(game, mode)) == []
