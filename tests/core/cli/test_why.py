"""``saloon-rules why``: any dollar and any rank, from a proof pack or a worked case."""

import json
from pathlib import Path

import msgspec
import pytest

from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.terms import Dollars
from core.tournament.state.rounds import DrawnTable, Round
from tests.core.cli.conftest import GOLDEN, Exported, Run, game_lines, pack_of
from tests.core.tournament.conftest import Judge, outlaws_won


@pytest.fixture
def pack(exported: Exported, tmp_path: Path) -> Path:
    return exported.written(tmp_path / "open.jsonl")


def test_a_score_and_a_rank_are_told_in_words(pack: Path, run: Run) -> None:
    said = run("why", pack, "--player", "Player 7").output
    assert "round 1, table 1" in said
    assert "seat 2, outlaw, alive; outlaws win: the Sheriff is out" in said
    assert "row of the winnings table" in said
    assert "Marogi, higher first (Championship 2022/23 v1.4, 1.2): 450 = 1,800 / 4 opponents" in said
    assert "lot: drawn as number" in said
    assert "bonus: 100 for rank 1" in said
    assert "final score: 1,900" in said


def test_the_same_for_programs(pack: Path, run: Run) -> None:
    (answer,) = json.loads(run("why", pack, "--player", "p007", "--json").output)
    assert answer["why"]["score"]["score"] == 1800
    assert answer["why"]["rank"]["keys"][0]["value"] == "450/1"
    assert answer["sums"][0] == {"what": "start money", "how": "", "dollars": 0}
    assert answer["rank"][0] == "rank 1, score 1,800"


def test_one_game_alone_by_its_place_or_its_id(pack: Path, run: Run) -> None:
    (by_place,) = json.loads(run("why", pack, "--player", "p007", "--game", "1/1", "--json").output)
    (by_id,) = json.loads(run("why", pack, "--player", "p007", "--game", "open-r1-t1-a1", "--json").output)
    assert by_place == by_id
    assert by_place["game"]["line"]["winnings"] == 1800
    assert by_place["rank"] == []


def test_a_game_in_a_file_of_its_own_is_explained_once(run: Run) -> None:
    (answer,) = json.loads(
        run("why", Path(__file__).parents[3] / "examples/game.json", "--player", "seat 1", "--json").output
    )
    assert answer["title"] == "seat 1, number 1"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--player", "Doc"), "'Doc' is nobody; there are: Player 1"),
        (("--player", "Player"), "is not one player; there are: Player 1"),
        (
            ("--player", "Player 7", "--game", "9/9"),
            "Player 7 has no confirmed record sheet of '9/9'; there are: 1/1",
        ),
        (
            ("--player", "Player 7", "--game", "1/2"),
            "Player 7 has no confirmed record sheet of '1/2'; there are: 1/1",
        ),
    ],
)
def test_what_is_not_there_is_said(pack: Path, run: Run, arguments: tuple[str, ...], problem: str) -> None:
    error = run("why", pack, *arguments).exception
    assert error is not None
    assert problem in str(error)


def test_formulas_rewards_and_spending_stand_line_by_line(tmp_path: Path, run: Run) -> None:
    def paid(round_: Round, table: DrawnTable) -> FinishedGame:
        spent = tuple(Dollars(200 if seat == 2 else 0) for seat in range(1, len(table.players) + 1))
        return msgspec.structs.replace(outlaws_won(round_, table), spent=spent, prices=spent)

    judge = Judge(edition("championship-2010")).opens(10)
    buyer = judge.plays_round(paid).tables[0].players[1]
    path = pack_of(judge, game_lines([])).written(tmp_path / "x.jsonl")
    (answer,) = json.loads(run("why", path, "--player", buyer, "--json").output)
    assert [row["dollars"] for row in answer["sums"]] == [5000, None, 2000, -200, 1800, 6800]
    assert answer["sums"][3]["how"] == "paid for a character"


def test_averages_show_the_division(tmp_path: Path, run: Run) -> None:
    judge = Judge(edition("official-2003")).opens(5)
    table = judge.plays_round().tables[0]
    path = pack_of(judge, game_lines([])).written(tmp_path / "x.jsonl")
    (answer,) = json.loads(run("why", path, "--player", table.players[1], "--json").output)
    assert answer["sums"][2]["how"].endswith("1,000 x 2 Outlaws at the start")
    assert answer["sums"][-1]["how"] == "2,000 / 1 games = 2,000, to the nearest dollar"


def test_worked_cases_have_reasons_too(run: Run) -> None:
    ranking = GOLDEN / "tie-breaks.json"
    player = json.loads(ranking.read_text())["vectors"][0]["input"]["players"][0]
    assert "rank" in run("why", ranking, "--player", player).output
    assert "no case in it has the player" in str(run("why", ranking, "--player", "Doc").exception)
    assert "row of the winnings table" in run("why", GOLDEN / "scoring.json", "--player", "seat 1").output
