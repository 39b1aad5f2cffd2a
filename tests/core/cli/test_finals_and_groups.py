"""Worked cases and rankings of finals, of one group and of averages, through the program."""

import json
from pathlib import Path

import pytest

from base.errors import BadData
from core.cli.cases.vectors import readable_vectors
from core.cli.cases.verdicts import CaseVerdict, verdict
from core.editions.loader import editions
from tests.core.cli.conftest import GOLDEN, Run

Case = dict[str, object]


def checked(tmp_path: Path, *cases: Case) -> list[CaseVerdict]:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"vectors": cases}))
    file = readable_vectors(path)
    return [verdict(file, vector, editions()) for vector in file.vectors]


def golden(case_id: str) -> Case:
    for case in json.loads((GOLDEN / "other-editions.json").read_text(encoding="utf-8"))["vectors"]:
        if case["id"] == case_id:
            data: Case = case
            return data
    raise AssertionError(case_id)


def schedule(players: int, expected: Case, **fields: int) -> Case:
    key = {"ruleset": "official-2003", "players": players}
    return {"id": "G", "kind": "schedule", "input": key | fields, "expected": expected}


@pytest.mark.parametrize(
    ("case", "agrees"),
    [
        (schedule(5, {"games": 5, "minimum_games": 5, "sheriff_each": 1, "valid": True}), True),
        (schedule(5, {"games": 15, "sheriff_each": 3}, cycles=3), True),
        (schedule(5, {"valid": False}, games=7), True),
        (schedule(5, {"valid": False}, games=10), False),
        (schedule(6, {"valid": False}, games=3), True),
        (schedule(3, {"error": "group_size"}), True),
        (schedule(12, {"games": 6, "sheriff_each": 1}), True),
        (schedule(13, {"games": 7, "sheriff_each": 1}), True),
    ],
)
def test_a_group_plays_whole_cycles(tmp_path: Path, case: Case, *, agrees: bool) -> None:
    (verdict,) = checked(tmp_path, case)
    assert verdict.passed is agrees


@pytest.mark.parametrize("rounds", [3, 4, 5])
def test_prizes_are_those_of_the_printed_table(tmp_path: Path, rounds: int) -> None:
    printed = {3: [6000, 3000, 1500, 1500], 4: [8000, 4000, 2000, 2000], 5: [10000, 5000, 2500, 2500]}
    case: Case = {
        "id": "P",
        "kind": "prizes",
        "input": {"ruleset": "championship-2010", "rounds": rounds},
        "expected": {"by_place": printed[rounds]},
    }
    (verdict,) = checked(tmp_path, case)
    assert verdict.passed


def test_an_edition_without_finals_has_no_prizes(tmp_path: Path) -> None:
    case: Case = {
        "id": "P",
        "kind": "prizes",
        "input": {"ruleset": "official-2003", "rounds": 3},
        "expected": {"by_place": []},
    }
    with pytest.raises(BadData, match="neither prizes nor bonuses"):
        checked(tmp_path, case)


def test_places_of_the_finals_that_are_wrong_are_told(tmp_path: Path) -> None:
    case = golden("TB10-04")
    entered, expected = case["input"], case["expected"]
    assert isinstance(entered, dict)
    assert isinstance(expected, dict)
    other = entered | {"duel_winners": {"semifinal_1": "P08", "semifinal_2": "P11", "final": "P08"}}
    (verdict,) = checked(tmp_path, case | {"input": other})
    assert {difference.path for difference in verdict.differences} >= {"final_top4[0].player"}
    wrong = entered | {"duel_winners": {"semifinal_1": "P03", "semifinal_2": "P11", "final": "P11"}}
    with pytest.raises(BadData, match="P03 does not play semifinals 1"):
        checked(tmp_path, case | {"input": wrong})


def test_ranking_shows_what_the_edition_asks_and_the_prizes(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"vectors": [golden("TB10-04"), golden("TB03-01")]}))
    result = run("rank", path, "--json")
    finals, averages = json.loads(result.output)
    rows = {row["player"]: row for row in finals["standings"]}
    assert [row["player"] for row in finals["standings"][:4]] == ["P09", "P11", "P08", "P03"]
    assert rows["P09"]["final_score"] == 19200
    assert rows["P12"]["buchholz"] == 216400
    assert [row["player"] for row in averages["standings"]] == ["C", "E", "D", "A", "B"]
    assert averages["standings"][0]["victories"] == {"sheriff": 1, "renegade": 0, "deputy": 0, "outlaw": 2}
