"""``saloon-rules check``: what agrees, what differs, what is not there yet, what cannot be read."""

import json
from pathlib import Path

import pytest

from base.errors import BadData
from core.cli.cases.case import overridden, vector_file
from core.cli.cases.verdicts import verdicts as judged
from core.editions.loader import edition, editions
from tests.core.cli.conftest import GOLDEN, Run
from tests.core.cli.conftest import verdicts_on as verdicts

RULES = edition("championship-2022")
FILES = sorted(GOLDEN.glob("*.json"))


def written(tmp_path: Path, *vectors: dict[str, object]) -> Path:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"vectors": vectors}))
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_worked_case_agrees(path: Path) -> None:
    results = verdicts(path)
    assert results
    assert [one for one in results if not one.passed] == []


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


CHART: dict[str, object] = {
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
    games["config"] = {"tiebreak_opponents": "distinct"}
    (verdict,) = verdicts(written(tmp_path, games))
    assert {difference.path for difference in verdict.differences} >= {"standings.P09.marogi"}


@pytest.mark.parametrize("config", [{"moon": "full"}, {"time_limit": "sheriff"}, {"chart_above_50": "sixes"}])
def test_an_unknown_flag_is_reported_and_never_ignored(tmp_path: Path, config: dict[str, object]) -> None:
    (verdict,) = verdicts(written(tmp_path, CHART | {"config": config}))
    assert [difference.path for difference in verdict.differences] == ["config"]
    assert next(iter(config)).split("_", maxsplit=1)[0] in verdict.differences[0].actual


def test_all_flags_of_the_table_chart_and_the_readings_are_known() -> None:
    config: dict[str, object] = {"chart_above_50": "fives_first", "renegade_final_duel": "strict"}
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
        verdicts(path)
    assert str(path) in raised.value.where


def test_a_ranking_with_withdrawn_players_and_a_bonus_by_draw(tmp_path: Path) -> None:
    game = {"seats": ["a", "b", "c", "d", "e", "f"], "won": [], "payout": [9, 8, 7, 5, 5, 99]}
    row = {"rank": [4, 5], "player": "e", "score": 5, "bonus": None, "final_score": None}
    case: dict[str, object] = {
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
    (verdict,) = verdicts(written(tmp_path, case))
    assert verdict.differences == ()
    case["expected"] = {
        "ranking": [["a"], ["b"], ["c"], ["d"], ["e"]],
        "bonus_by_draw": {"players": ["e", "d"], "bonuses": 2},
    }
    (verdict,) = verdicts(written(tmp_path, case))
    assert [difference.path for difference in verdict.differences] == ["ranking", "bonus_by_draw[0][0]"]


def test_two_beers_after_dynamite_and_one_beer_too_few(tmp_path: Path) -> None:
    def life(beers: int, alive: int, life: int, *, out: bool) -> dict[str, object]:
        return {
            "id": f"L-{beers}-{alive}",
            "kind": "life_events",
            "input": {
                "max_life": 4,
                "life": 2,
                "alive_players": alive,
                "events": [{"damage": 3, "cause": "dynamite"}, {"beers": beers}],
            },
            "expected": {"life": life, "eliminated": out},
        }

    path = written(tmp_path, life(2, 5, 1, out=False), life(1, 5, 0, out=True), life(2, 2, 0, out=True))
    assert [one.differences for one in verdicts(path)] == [(), (), ()]


def test_a_draw_of_sheriffs_counts_those_who_must_be_it_again(tmp_path: Path) -> None:
    case: dict[str, object] = {
        "id": "S",
        "kind": "sheriff_draw",
        "input": {
            "ruleset": "championship-2022",
            "players_before_round_5": 23,
            "tables": [6, 6, 6, 5],
            "not_yet_sheriff": 3,
        },
        "expected": {"sheriffs_from_not_yet": 3, "sheriffs_repeated": 1, "judge_notice": True},
    }
    (verdict,) = verdicts(written(tmp_path, case))
    assert verdict.passed
    case["input"] = {
        "ruleset": "championship-2022",
        "players": 24,
        "tables": [6, 6, 6, 5],
        "not_yet_sheriff": 3,
    }
    with pytest.raises(BadData, match=r"S, input.players: the tables seat 23 players"):
        verdicts(written(tmp_path, case))
    case["input"] = {"ruleset": "championship-2022", "tables": [5], "not_yet_sheriff": 6}
    with pytest.raises(BadData, match="there are 5 players"):
        verdicts(written(tmp_path, case))


@pytest.mark.parametrize(
    ("events", "warnings", "ejected"),
    [(["warning"], 1, False), (["warning", "warning"], 2, True), (["ejection"], 0, True), ([], 0, False)],
)
def test_penalties_end_in_ejection_at_the_second_warning(
    tmp_path: Path, events: list[str], warnings: int, *, ejected: bool
) -> None:
    case: dict[str, object] = {
        "id": "P",
        "kind": "penalties",
        "input": {"events": events},
        "expected": {"warnings": warnings, "ejected": ejected, "report_to_publisher": ejected},
    }
    (verdict,) = verdicts(written(tmp_path, case))
    assert verdict.passed


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
    results = judged(vector_file(written(tmp_path, *spoilt)), editions())
    assert len(results) == len(spoilt)


@pytest.mark.parametrize(
    ("case", "field", "value"),
    [
        ("shape-draft-refused", "next_to_pick", "B"),
        ("shape-draft-start", "starting_player", "A"),
        ("shape-keep-without-money", "reason", "more_than_starting_life"),
        ("shape-each-sheriff-once", "each_player_sheriff_times", 2),
        ("shape-bonus-by-place", "by_place", [100, 100, 100, 0]),
        ("shape-saloon-too-late", "eliminated", False),
    ],
)
def test_a_wrong_value_of_each_shape_differs(tmp_path: Path, case: str, field: str, value: object) -> None:
    vectors = json.loads((GOLDEN / "shapes.json").read_text())["vectors"]
    wrong = next(vector for vector in vectors if vector["id"] == case)
    wrong["expected"][field] = value
    (verdict,) = verdicts(written(tmp_path, wrong))
    assert [difference.path.split("[")[0] for difference in verdict.differences] == [field]


def test_a_pick_that_the_rules_refuse_must_be_marked_as_refused(tmp_path: Path) -> None:
    vectors = json.loads((GOLDEN / "shapes.json").read_text())["vectors"]
    wrong = next(vector for vector in vectors if vector["id"] == "shape-draft-refused")
    del wrong["input"]["picks"][0]["expect"]
    (verdict,) = verdicts(written(tmp_path, wrong))
    assert verdict.differences[0].actual == '["pick 1: reject"]'
