"""Whole games by people who forget, press twice and name the wrong killer, through the real app."""

import pytest
from tests.forgetful.outcome import Noon, Sheet, play_forgetful, tables
from tests.forgetful.people import CAREFUL, FORGETFUL

from saloon.core.rule_set import RecordMode, RuleSet

pytestmark = pytest.mark.slow

GAMES = 1


def name_of(value: object) -> str:
    if isinstance(value, RuleSet):
        return "-".join((value.edition, *(option.value for option in value.options), value.mode.value))
    return str(value)


@pytest.mark.parametrize(("rules", "seats"), [*tables()], ids=name_of)
def test_no_sheet_is_wrong_without_a_question(rules: RuleSet, seats: int) -> None:
    games = [play_forgetful(seed, rules, seats, FORGETFUL) for seed in range(GAMES)]
    assert [game for game in games if game.sheet is Sheet.SILENT] == []
    assert [game for game in games if game.noon is Noon.MISSED] == []


@pytest.mark.parametrize("mode", RecordMode)
def test_a_careful_table_is_hardly_asked_and_its_record_is_right(mode: RecordMode) -> None:
    rules = RuleSet("championship-2022", mode=mode)
    games = [play_forgetful(seed, rules, 7, CAREFUL) for seed in range(6)]
    assert {game.sheet for game in games} == {Sheet.RIGHT}
    assert {game.noon for game in games} <= {Noon.ON_TIME, Noon.NONE}
    assert sum(game.in_vain for game in games) <= len(games) // 3
