"""An export computed again, what is wrong with a spoilt one, and texts that would control a screen."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from base.errors import BadData
from core.cli.proof_pack import audited_games, read_export, step_faults
from core.editions.loader import edition
from core.tournament.standings.standings import standings_of
from tests.core.cli.conftest import Exported, Run, corrected_by_protest, game_lines, pack_of, whole_tournament

RULES = edition("championship-2022")


def test_rank_of_an_export_is_what_the_tournament_itself_says(
    exported: Exported, tmp_path: Path, run: Run
) -> None:
    result = run("rank", "--json", exported.written(tmp_path / "open.jsonl"))
    assert result.exit_code == 0, result.output
    (ranked,) = json.loads(result.output)
    judge, _ = whole_tournament()
    expected = standings_of(judge.state, RULES)
    assert [row["player"] for row in ranked["standings"]] == [row.player for row in expected.rows]
    assert [row["final_score"] for row in ranked["standings"]] == [row.final_score for row in expected.rows]
    assert (ranked["draw_groups"], ranked["notes"], ranked["faults"]) == ([], [], [])
    assert ranked["standings"][0]["name"].startswith("Player ")


def test_score_of_an_export_replays_the_terminal_and_takes_paper_from_the_sheet(
    exported: Exported, tmp_path: Path, run: Run
) -> None:
    result = run("score", "--json", exported.written(tmp_path / "open.jsonl"))
    first, second = json.loads(result.output)
    assert (first["source"], second["source"]) == ("terminal", "paper")
    assert [seat["winnings"] for seat in first["seats"]] == [0, 1800, 0, 1800, 0]
    assert first["disagreement"] == []
    in_words = run("score", tmp_path / "open.jsonl").output
    assert "round 1, table 2 (paper): the Sheriff is out" in in_words


def test_a_corrected_sheet_counts_and_the_terminals_disagreement_is_said(tmp_path: Path, run: Run) -> None:
    pack, table = corrected_by_protest()
    path = pack.written(tmp_path / "x.jsonl")
    games = list(audited_games(read_export(path)))
    assert "ending" in {difference.path for difference in games[0].disagreement}
    assert games[1].disagreement == ()
    scored = run("score", path)
    assert "terminal, corrected" in scored.output
    assert "the terminal disagrees: ending" in scored.output
    (ranked,) = json.loads(run("rank", "--json", path).output)
    scores = {row["player"]: row["score"] for row in ranked["standings"]}
    assert sum(scores[player] for player in table.players) == 0
    assert any("the sheet counts" in note for note in ranked["notes"])


def test_a_draw_that_its_seed_does_not_give_is_a_fault_and_status_1(
    exported: Exported, tmp_path: Path, run: Run
) -> None:
    spoilt = msgspec.json.encode(exported.lines).replace(b'"hall_word":"cactus"', b'"hall_word":"saddle"')
    exported.lines = msgspec.json.decode(spoilt)
    path = exported.written(tmp_path / "x.jsonl")
    (fault,) = step_faults(read_export(path))
    assert fault.startswith("line 5: round 1, attempt 1: the seed and the hall word give other tables")
    assert fault.endswith("table 1, seat 1 is Player 5, not Player 6")
    result = run("rank", path)
    assert result.exit_code == 1
    assert "give other tables" in result.output


def test_a_seal_and_lots_that_do_not_follow_are_faults(exported: Exported, tmp_path: Path) -> None:
    judge, _ = whole_tournament()
    sealed = judge.state.rounds[0].seal.encode()
    text = msgspec.json.encode(exported.lines).replace(sealed, b"0" * 64)
    lots = msgspec.json.encode(judge.state.lots[0])
    turned = msgspec.json.encode(tuple(reversed(judge.state.lots[0])))
    exported.lines = msgspec.json.decode(text.replace(lots, turned))
    assert list(step_faults(read_export(exported.written(tmp_path / "x.jsonl")))) == [
        "line 4: round 1, attempt 1: the seed does not give the seal",
        "line 9: lots: the seed gives another order",
    ]


def test_replay_shows_a_game_step_by_step(exported: Exported, tmp_path: Path, run: Run) -> None:
    path = exported.written(tmp_path / "open.jsonl")
    (replayed,) = json.loads(run("replay", "--json", path).output)
    assert replayed["state"]["ending"] == "outlaws_win"
    assert replayed["game"].endswith("-r1-t1-a1")
    words = run("replay", path, "--game", replayed["game"]).output
    assert "steps-undone" in words
    assert "outlaws_win" in words
    assert isinstance(run("replay", path, "--game", "nothing").exception, BadData)


def test_a_spare_terminal_that_took_over_has_the_whole_game(tmp_path: Path) -> None:
    judge, steps = whole_tournament()
    pack = pack_of(judge, game_lines(steps[:9], "table/broken"), game_lines(steps, "table/b"))
    first, second = audited_games(read_export(pack.written(tmp_path / "x.jsonl")))
    assert first.replayed is not None
    assert second.replayed is None


def test_a_game_that_still_runs_has_no_result_of_its_own(tmp_path: Path) -> None:
    judge, steps = whole_tournament()
    export = read_export(pack_of(judge, game_lines(steps[:15])).written(tmp_path / "x.jsonl"))
    assert next(iter(audited_games(export))).replayed is None


@pytest.mark.parametrize(
    ("line", "change", "problem"),
    [
        (0, {"version": 1}, "line 1: version 1 is unknown"),
        (0, {"rules": {"edition": "championship-1876"}}, "another tournament or other rules"),
        (0, {"tournament": "other"}, "the head names another tournament"),
        (1, {"kind": "song"}, "line 2: it cannot be read: Invalid value 'song'"),
        (2, {"seq": 7}, "line 3: tournament/open: entry 7 follows entry 1"),
        (2, {"step": {"body": "tournament-step"}}, "line 3: .*step"),
        (-5, {"seq": 1}, "entry 1 follows entry"),
    ],
)
def test_a_spoilt_export_is_named_with_its_line(
    exported: Exported, tmp_path: Path, line: int, change: dict[str, object], problem: str
) -> None:
    exported.lines[line] = exported.lines[line] | change
    with pytest.raises(BadData, match=problem):
        read_export(exported.written(tmp_path / "x.jsonl"))


def test_a_file_without_a_head_or_steps_is_no_export(exported: Exported, tmp_path: Path) -> None:
    first = exported.lines.pop(0)
    with pytest.raises(BadData, match="line 1: the first line must be"):
        read_export(exported.written(tmp_path / "x.jsonl"))
    exported.lines = [first]
    with pytest.raises(BadData, match="no step of the tournament"):
        read_export(exported.written(tmp_path / "x.jsonl"))


def test_a_damaged_game_names_the_step(exported: Exported, tmp_path: Path) -> None:
    game = [number for number, line in enumerate(exported.lines) if line["kind"] == "game-step"]
    left_out = exported.lines[game[0] - 1]
    exported.lines[game[0] - 1] = left_out | {"seq": 6}
    del exported.lines[game[0]]
    export = read_export(exported.written(tmp_path / "x.jsonl"))
    with pytest.raises(BadData, match=r"step 1: the first step must seat a table"):
        list(audited_games(export))


GOOD = "Everything holds."
HOSTILE = f"Open: 40 lines\n{GOOD}\x1b[8m\x9b8m\u2028{GOOD}\r{GOOD}\x0b\u202e"
FREE = ("reason", "name", "club")


def spoilt(value: Any) -> Any:
    """The same with hostile texts wherever people write what they like."""
    if isinstance(value, dict):
        return {
            key: HOSTILE if key in FREE and isinstance(item, str) else spoilt(item)
            for key, item in value.items()
        }
    return [spoilt(item) for item in value] if isinstance(value, list | tuple) else value


def assert_harmless(printed: str) -> None:
    lines = printed.split("\n")
    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line.strip() == GOOD] == []


@pytest.fixture(params=["head", "everything"])
def pack(request: pytest.FixtureRequest, exported: Exported, tmp_path: Path) -> Path:
    """A pack whose bytes, hashes and digests fit its hostile texts."""
    if request.param == "head":
        exported.lines[0]["name"] = HOSTILE
    else:
        exported.lines[:] = [spoilt(line) for line in exported.lines]
    return exported.written(tmp_path / "hostile\x1b[8m.jsonl")


def test_verify_never_shows_a_verdict_that_a_pack_has_written(pack: Path, run: Run) -> None:
    done = run("verify", pack)
    assert done.exit_code == 1
    assert_harmless(done.output)
    assert "Problems found" in done.output.splitlines()[-1]


OTHERS = ("why --player p001", "rank", "score", "replay")


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS)
def test_no_command_prints_what_controls_a_screen(command: str, pack: Path, run: Run) -> None:
    done = run(*command.split(), pack)
    assert_harmless(done.output)
    if done.exit_code == 0:
        assert done.output


@pytest.mark.parametrize("command", ["verify", *OTHERS])
def test_json_is_exact_and_obeyed_by_no_screen(command: str, pack: Path, run: Run) -> None:
    done = run(*command.split(), "--json", pack)
    if not done.output:
        assert done.exception is not None
        return
    assert_harmless(done.output)
    assert json.loads(done.output)
    if command == "verify":
        assert json.loads(done.output)["tournament"] == HOSTILE
