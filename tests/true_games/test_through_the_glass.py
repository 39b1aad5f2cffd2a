"""The same games, entered by careful fingers at a real terminal: the ones in which most happens."""

from pathlib import Path

import pytest
from tests.true_games.by_fingers import disagreements, sample
from tests.true_games.record import files, read_games

from saloon.core.rule_set import RecordMode

pytestmark = pytest.mark.slow

GAMES = 1


@pytest.mark.parametrize("mode", RecordMode)
@pytest.mark.parametrize("file", files(), ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_a_game_entered_at_the_table_comes_out_as_it_was_played(file: Path, mode: RecordMode) -> None:
    games = sample(read_games(file), GAMES)
    assert [wrong for game in games for wrong in disagreements(game, mode)] == []
