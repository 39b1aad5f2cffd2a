"""``saloon-rules check``: what agrees, what differs, what is not there yet, what cannot be read."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from base.errors import BadData
from core.cli.cases.case import overridden, vector_file
from core.cli.cases.verdicts import CaseVerdict, verdicts
from core.editions.loader import edition, editions
from tests.core.cli.conftest import GOLDEN, Fields, Run, golden, verdicts_on, written

RULES = edition("championship-2022")
FILES = sorted(GOLDEN.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_worked_case_agrees(path: Path) -> None:
    results = verdicts_on(path)
    assert results
    assert [one for one in results if not one.passed] == []


def judged(tmp_path: Path, case: Fields) -> CaseVerdict:
    (verdict,) = verdicts_on(written(tmp_path, case))
    return verdict


def test_cases_of_what_is_not_there_are_listed_and_are_no_failure(tmp_path: Path, run: Run) -> None:
    path = written(
        tmp_path,
        CHART | {"id": "T-1", "ruleset": "championship-1999"},
        CHART | {"id": "T-2", "variants": ["stampede"]},
        CHART | {"id": "T-3", "module": "ghost town"},
        CHART | {"id": "T-4", "kind": "poker"},
    )
    result = run("check", path)
    assert result.exit_code == 0
    assert "0 agree, 0 differ" in result.output
    for what in (
        "edition not there yet: championship-1999 (1)",
        "add-on not there yet: stampede (1)",
        "module not there yet: ghost town (1)",
        "kind not there yet: poker (1)",
    ):
        assert what in result.output


CHART: Fields = {
    "id": "T-1",
    "kind": "tables_and_rounds",
    "ruleset": "championship-2022",
    "input": {"players": 27},
    "expected": {"rounds": 5, "tables": [6, 6, 5, 5, 5]},
}


def test_a_difference_names_vector_and_field_and_the_status_is_1(tmp_path: Path, run: Run) -> None:
    wrong = CHART | {"expected": {"rounds": 4, "tables": [6, 6, 5, 5, 6], "colour": "red"}}
    result = run("check", written(tmp_path, wrong))
    assert result.exit_code == 1
    assert "T-1" in result.output
    assert "rounds: expected 4, found 5" in result.output
    assert "tables[4]: expected 6, found 5" in result.output
    assert 'colour: expected "red", found nothing' in result.output
    assert "1 of 1 cases differ" in result.output


def test_a_flag_of_config_replaces_the_editions_reading(tmp_path: Path) -> None:
    games = json.loads((GOLDEN / "tie-breaks.json").read_text())["vectors"][0]
    verdict = judged(tmp_path, games | {"config": {"tiebreak_opponents": "distinct"}})
    assert {difference.path for difference in verdict.differences} >= {"standings.P09.marogi"}


@pytest.mark.parametrize("config", [{"moon": "full"}, {"time_limit": "sheriff"}, {"chart_above_50": "sixes"}])
def test_an_unknown_flag_is_reported_and_never_ignored(tmp_path: Path, config: Fields) -> None:
    verdict = judged(tmp_path, CHART | {"config": config})
    assert [difference.path for difference in verdict.differences] == ["config"]
    assert next(iter(config)).split("_", maxsplit=1)[0] in verdict.differences[0].actual


def test_all_flags_of_the_table_chart_and_the_readings_are_known() -> None:
    config: Fields = {"chart_above_50": "fives_first", "renegade_final_duel": "strict"}
    assert overridden(RULES, config, "here").readings.renegade_final_duel.value == "strict"
    assert overridden(RULES, {}, "here") == RULES


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "JSON is malformed|truncated"),
        ("[]", "Expected object|expected object"),
        ('{"vectors": []}', "no list of vectors"),
        ('{"vectors": [{"ruleset": "x"}]}', "vectors, number 1: this is not a vector"),
        ('{"vectors": [{"id": "A"}]}', "A: .*input"),
        ('{"vectors": [{"id": "A", "input": {}}]}', "A: neither kind, module nor the keys"),
        ('{"vectors": [{"id": "A", "input": {}}, {"id": "A", "input": {}}]}', "A: two vectors"),
        (
            '{"vectors": [{"id": "A", "kind": "roles", "input": {"players": "6"}, "expected": {"x": 1}}]}',
            "A, input: players: Expected int, got str",
        ),
        ('{"vectors": [{"id": "A", "kind": "roles", "input": {"players": 6}}]}', "A: expected is missing"),
        (
            (
                '{"vectors": [{"id": "A", "kind": "penalties",'
                ' "input": {"events": ["kick"]}, "expected": {"x": 1}}]}'
            ),
            r"A, input.events\[0\]: 'kick' is neither",
        ),
    ],
)
def test_a_malformed_file_is_named_with_vector_and_key(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text)
    with pytest.raises(BadData, match=problem) as raised:
        verdicts_on(path)
    assert str(path) in raised.value.where


def test_a_ranking_with_withdrawn_players_and_a_bonus_by_draw(tmp_path: Path) -> None:
    game = {"seats": ["a", "b", "c", "d", "e", "f"], "won": [], "payout": [9, 8, 7, 5, 5, 99]}
    row = {"rank": [4, 5], "player": "e", "score": 5, "bonus": None, "final_score": None}
    case: Fields = {
        "id": "R",
        "ruleset": "championship-2022",
        "input": {"players": ["f", "e", "d", "c", "b", "a"], "withdrawn": ["f"], "games": [game]},
        "expected": {
            "ranking": [["a"], ["b"], ["c"], ["e", "d"], ["f"]],
            "withdrawn": ["f"],
            "draw_groups": [["e", "d"]],
            "bonus_by_draw": {"players": ["e", "d"], "bonuses": 1},
            "standings": [row, {"rank": "withdrawn", "player": "f", "bonus": 0}],
            "same_ranking_under": ["plain_sum"],
        },
    }
    verdict = judged(tmp_path, case)
    assert verdict.differences == ()
    case["expected"] = {
        "ranking": [["a"], ["b"], ["c"], ["d"], ["e"]],
        "bonus_by_draw": {"players": ["e", "d"], "bonuses": 2},
    }
    verdict = judged(tmp_path, case)
    assert [difference.path for difference in verdict.differences] == ["ranking", "bonus_by_draw[0][0]"]


def case_of(kind: str, entered: Fields, expected: Mapping[str, object]) -> Fields:
    return {"id": kind, "kind": kind, "input": entered, "expected": expected}


def saved(beers: int, alive: int, life: int, *, out: bool) -> Fields:
    """Three points of Dynamite at two life points."""
    events = [{"damage": 3, "cause": "dynamite"}, {"beers": beers}]
    entered: Fields = {"max_life": 4, "life": 2, "alive_players": alive, "events": events}
    return case_of("life_events", entered, {"life": life, "eliminated": out})


def repeated(**entered: object) -> Fields:
    """A draw of Sheriffs from three who have not been it, and one who must be it again."""
    expected = {"sheriffs_from_not_yet": 3, "sheriffs_repeated": 1, "judge_notice": True}
    draw = {"ruleset": "championship-2022", "tables": [6, 6, 6, 5], "not_yet_sheriff": 3}
    return case_of("sheriff_draw", draw | entered, expected)


def penalised(*events: str, warnings: int, ejected: bool) -> Fields:
    expected = {"warnings": warnings, "ejected": ejected, "report_to_publisher": ejected}
    return case_of("penalties", {"events": events}, expected)


def group(players: int, expected: Fields, **entered: int) -> Fields:
    return case_of("schedule", {"ruleset": "official-2003", "players": players} | entered, expected)


ONE_CYCLE: Fields = {"minimum_games": 5, "sheriff_each": 1, "valid": True}


def prizes(rounds: int, *by_place: int) -> Fields:
    entered: Fields = {"ruleset": "championship-2010", "rounds": rounds}
    return case_of("prizes", entered, {"by_place": by_place})


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(saved(2, 5, 1, out=False), id="two Beers after Dynamite"),
        pytest.param(saved(1, 5, 0, out=True), id="one Beer too few"),
        pytest.param(saved(2, 2, 0, out=True), id="no Beer with two left"),
        pytest.param(repeated(players_before_round_5=23), id="a Sheriff again"),
        pytest.param(penalised("warning", warnings=1, ejected=False), id="a warning"),
        pytest.param(penalised("warning", "warning", warnings=2, ejected=True), id="ejected by the second"),
        pytest.param(penalised("ejection", warnings=0, ejected=True), id="ejected at once"),
        pytest.param(penalised(warnings=0, ejected=False), id="no penalty"),
        pytest.param(group(5, ONE_CYCLE | {"games": 5}), id="one cycle"),
        pytest.param(group(5, {"games": 15, "sheriff_each": 3}, cycles=3), id="three cycles"),
        pytest.param(group(5, {"valid": False}, games=7), id="no whole cycle"),
        pytest.param(group(6, {"valid": False}, games=3), id="half a cycle"),
        pytest.param(group(3, {"error": "group_size"}), id="too small a group"),
        pytest.param(group(12, {"games": 6, "sheriff_each": 1}), id="two groups"),
        pytest.param(group(13, {"games": 7, "sheriff_each": 1}), id="two groups of different sizes"),
        pytest.param(prizes(3, 6000, 3000, 1500, 1500), id="prizes of 3 rounds"),
        pytest.param(prizes(4, 8000, 4000, 2000, 2000), id="prizes of 4 rounds"),
        pytest.param(prizes(5, 10000, 5000, 2500, 2500), id="prizes of 5 rounds"),
    ],
)  # fmt: skip
def test_a_case_of_each_kind_agrees(tmp_path: Path, case: Fields) -> None:
    assert judged(tmp_path, case).differences == ()


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        pytest.param(repeated(players=24), r"input.players: the tables seat 23 players", id="other tables"),
        pytest.param(repeated(tables=[5], not_yet_sheriff=6), "there are 5 players", id="too many"),
        pytest.param(
            case_of("prizes", {"ruleset": "official-2003", "rounds": 3}, {"by_place": []}),
            "neither prizes nor bonuses",
            id="no finals",
        ),
    ],
)
def test_a_case_that_cannot_be_is_bad_data(tmp_path: Path, case: Fields, problem: str) -> None:
    with pytest.raises(BadData, match=problem):
        judged(tmp_path, case)


def wrong(case_id: str, **expected: object) -> Fields:
    case = golden("shapes", case_id)
    return case | {"expected": case["expected"] | expected}


@pytest.mark.parametrize(
    ("case", "field"),
    [
        (wrong("shape-draft-refused", next_to_pick="B"), "next_to_pick"),
        (wrong("shape-draft-start", starting_player="A"), "starting_player"),
        (wrong("shape-keep-without-money", reason="more_than_starting_life"), "reason"),
        (wrong("shape-each-sheriff-once", each_player_sheriff_times=2), "each_player_sheriff_times"),
        (wrong("shape-bonus-by-place", by_place=[100, 100, 100, 0]), "by_place"),
        (wrong("shape-saloon-too-late", eliminated=False), "eliminated"),
        (group(5, {"valid": False}, games=10), "valid"),
    ],
)
def test_a_wrong_value_of_each_shape_differs(tmp_path: Path, case: Fields, field: str) -> None:
    verdict = judged(tmp_path, case)
    assert [difference.path.split("[")[0] for difference in verdict.differences] == [field]


def test_a_pick_that_the_rules_refuse_must_be_marked_as_refused(tmp_path: Path) -> None:
    case = golden("shapes", "shape-draft-refused")
    del case["input"]["picks"][0]["expect"]
    assert judged(tmp_path, case).differences[0].actual == '["pick 1: reject"]'


def test_an_unreadable_case_hides_no_other_case_and_no_other_file(tmp_path: Path, run: Run) -> None:
    cases = written(
        tmp_path,
        CHART | {"id": "A", "input": {"players": "many"}},
        {"ruleset": "championship-2022"},
        CHART | {"id": "B"},
        CHART | {"id": "B"},
        CHART | {"id": "C", "expected": {"rounds": 4}},
        CHART | {"id": "D", "input": {"players": -(10**400)}},
        CHART | {"id": "E"},
    )
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    result = run("check", broken, cases, GOLDEN / "shapes.json", tmp_path / "missing.json")
    assert result.exit_code == 2
    assert f"{cases}: 2 agree, 1 differ, 4 cannot be read" in result.output
    for reason in (
        f"cannot be read: {cases}, A: input: players: Expected int, got str",
        f"cannot be read: {cases}, vectors, number 2: this is not a vector: it has no id",
        f"cannot be read: {cases}, B: two vectors have this id",
        f"cannot be read: {cases}, D: ",
        "rounds: expected 4, found 5",
        f"{GOLDEN / 'shapes.json'}: {len(vector_file(GOLDEN / 'shapes.json').vectors)} agree, 0 differ",
        f"{tmp_path / 'missing.json'}: No such file",
        f"{broken}: ",
    ):
        assert reason in result.output


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_field_of_another_type_stops_the_check(tmp_path: Path, path: Path) -> None:
    vectors = json.loads(path.read_text())["vectors"]
    values: tuple[object, ...] = (None, -1, "x", [], [[]], {"a": 1}, 10**30)
    spoilt = [
        vector | {"id": f"{vector['id']} {key} {number}", "input": vector["input"] | {key: value}}
        for vector in vectors
        for key in vector["input"]
        for number, value in enumerate(values)
    ]
    results = verdicts(vector_file(written(tmp_path, *spoilt)), editions())
    assert len(results) == len(spoilt)
