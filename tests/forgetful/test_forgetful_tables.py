"""Whole games by people who forget, press twice and name the wrong killer, through the real app."""

from typing import Final

import pytest

from core.rule_set import RecordMode
from tests.forgetful.hands import CAREFUL, FORGETFUL
from tests.forgetful.outcome import Noon, Sheet, play_forgetful, tables

pytestmark = pytest.mark.slow

_EACH_DAY: Final = {
    ("championship-2010-7.jsonl.gz", RecordMode.FULL),
    ("official-2003-6.jsonl.gz", RecordMode.FULL),
    ("official-2003+rebel-8.jsonl.gz", RecordMode.LIGHT),
}
"""The others are played at night."""


def name_of(file: str, mode: RecordMode) -> str:
    return f"{file.removesuffix('.jsonl.gz')}-{mode.value}"


@pytest.mark.parametrize(
    ("file", "mode"),
    [
        pytest.param(*table, marks=[] if table in _EACH_DAY else pytest.mark.nightly, id=name_of(*table))
        for table in tables()
    ],
)
def test_no_sheet_is_wrong_without_a_question(file: str, mode: RecordMode) -> None:
    game = play_forgetful(0, file, mode, FORGETFUL)
    assert game.sheet is not Sheet.SILENT
    assert game.noon is not Noon.MISSED


@pytest.mark.parametrize("mode", [RecordMode.LIGHT, pytest.param(RecordMode.FULL, marks=pytest.mark.nightly)])
def test_a_careful_table_is_hardly_asked_and_its_record_is_right(mode: RecordMode) -> None:
    games = [play_forgetful(seed, "championship-2022-7.jsonl.gz", mode, CAREFUL) for seed in range(2)]
    assert {game.sheet for game in games} == {Sheet.RIGHT}
    assert {game.noon for game in games} <= {Noon.ON_TIME, Noon.NONE}
    assert sum(game.in_vain for game in games) <= 1
