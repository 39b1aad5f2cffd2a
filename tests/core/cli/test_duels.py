"""Duels in ``saloon-rules replay`` and ``score``."""

import io
import json
from pathlib import Path

import msgspec
from rich.console import Console

from core.cli.score import ScoredDuel, duel_fields, print_duel
from core.editions.loader import edition
from core.editions.tables import FinalsRule
from core.game.play.abandonment import Abandon
from core.game.result import finished_duel
from tests.core.cli.conftest import Run
from tests.core.game.duel.conftest import LONG, ONE, SHORT, TWO, DuelTable

RULES = msgspec.structs.replace(
    edition("championship-2022"), finals=FinalsRule(modes=(LONG, SHORT), prizes=())
)


def test_a_duel_is_replayed_step_by_step_with_score_and_characters(tmp_path: Path, run: Run) -> None:
    table = DuelTable(RULES).long()
    table.lost(TWO)
    table.ask(Abandon(ONE))
    path = tmp_path / "duel.json"
    path.write_bytes(msgspec.json.encode(table.log))
    output = " ".join(run("replay", path).output.split())
    assert "0:0" in output
    assert "1:0" in output
    assert "the opponent left" in output
    (replayed,) = json.loads(run("replay", "--json", path).output)
    assert replayed["state"]["duel"]["winner"] == 2


def test_a_duel_is_scored_with_its_winner_and_reason() -> None:
    table = DuelTable(RULES).short()
    table.lost(TWO, 4)
    table.fell(TWO)
    duel = ScoredDuel("final, table 1", finished_duel(table.now()), "terminal")
    assert duel_fields(duel)["winner"] == table.now().seats[0].player
    assert duel_fields(duel)["score"] == (5, 0)
    paper = io.StringIO()
    print_duel(Console(file=paper, width=200), duel)
    assert "has won" in paper.getvalue()
    assert "enough characters of the opponent are out" in paper.getvalue()


def test_a_result_from_paper_is_scored_by_the_edition_that_has_duels(tmp_path: Path, run: Run) -> None:
    table = DuelTable(RULES).short()
    table.lost(ONE, 4)
    table.fell(ONE)
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(finished_duel(table.now())))
    (scored,) = json.loads(run("score", "--json", "--edition", "championship-2010", path).output)
    assert (scored["score"], scored["winner"]) == ([0, 5], table.now().seats[1].player)
    assert "has won" in run("score", "--edition", "championship-2010", path).output


def test_a_duel_under_rules_without_finals_is_refused(tmp_path: Path, run: Run) -> None:
    table = DuelTable(RULES).short()
    table.ask(Abandon(TWO))
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(finished_duel(table.now())))
    assert "There is no short-duel in this edition" in str(run("score", path).exception)
