"""Games that another program played card by card come out of the core as that program says.

Those in which most happens are entered by careful fingers at a real terminal too.
"""

from pathlib import Path
from typing import Final

import pytest

from base.errors import Refused
from core.editions.loader import with_readings
from core.editions.readings import SimplifiedMultiplier
from core.game.ending.finished_game import finished_game
from core.game.ending.winnings import winnings
from core.rule_set import RecordMode
from tests.true_games.agreement import differences, dollars_under
from tests.true_games.by_fingers import disagreements, enter, sample
from tests.true_games.careful import play
from tests.true_games.record import files, read_games

OTHER_READINGS = {
    "simplified:law-by-players": SimplifiedMultiplier.PLAYERS,
    "simplified:outlaw-by-outlaws": SimplifiedMultiplier.RENEGADE_PLAYERS,
    None: SimplifiedMultiplier.PRINTED,
}
"""By the names of the games; None: as the simulator reads the table."""

pytestmark = pytest.mark.slow


def _name(file: Path) -> str:
    return file.name.removesuffix(".jsonl.gz")


@pytest.mark.by_day(13)
@pytest.mark.parametrize("mode", RecordMode)
@pytest.mark.parametrize("file", files(), ids=_name)
def test_every_game_comes_out_of_the_core_as_it_was_played(file: Path, mode: RecordMode) -> None:
    wrong: list[str] = []
    for game in read_games(file):
        try:
            table = play(game, mode)
            true = table.true_game()
            wrong += differences(game, true.final, true.rules, table.high_noon)
        except (Refused, AssertionError) as error:
            wrong.append(f"{game.name}: {error} {sorted(game.open_points)}")
    assert wrong == []


@pytest.mark.by_day(3)
@pytest.mark.parametrize(("name", "reading"), OTHER_READINGS.items())
@pytest.mark.parametrize("file", [file for file in files() if file.name.startswith("simplified")])
def test_another_reading_of_the_simplified_table_pays_what_the_games_say(
    file: Path, name: str | None, reading: SimplifiedMultiplier
) -> None:
    wrong: list[str] = []
    for game in read_games(file):
        true = play(game, RecordMode.LIGHT).true_game()
        rules = with_readings(true.rules, {"simplified_multiplier": reading.value}, "test")
        if winnings(finished_game(true.final), rules) != dollars_under(game, name):
            wrong.append(game.name)
    assert wrong == []


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
