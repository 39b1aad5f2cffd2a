"""Games that another program played card by card come out of the core as that program says."""

from pathlib import Path

import pytest

from base.errors import Refused
from core.editions.loader import with_readings
from core.editions.readings import SimplifiedMultiplier
from core.game.ending.finished_game import finished_game
from core.game.ending.winnings import winnings
from core.rule_set import RecordMode
from tests.true_games.agreement import differences, dollars_under
from tests.true_games.careful import play
from tests.true_games.record import files, read_games

OTHER_READINGS = {
    "simplified:law-by-players": SimplifiedMultiplier.PLAYERS,
    "simplified:outlaw-by-outlaws": SimplifiedMultiplier.RENEGADE_PLAYERS,
    None: SimplifiedMultiplier.PRINTED,
}
"""By the names of the games; None: as the simulator reads the table."""

pytestmark = pytest.mark.slow


@pytest.mark.by_day(13)
@pytest.mark.parametrize("mode", RecordMode)
@pytest.mark.parametrize("file", files(), ids=lambda file: file.name.removesuffix(".jsonl.gz"))
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
