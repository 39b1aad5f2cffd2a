"""The commands of ``saloon-rules`` as people and programs call them."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData, Refused
from core.cli.main import main
from core.editions.loader import edition, editions
from core.game.ending.finished_game import FinishedGame
from core.terms import Dollars
from core.text.open_questions import all_questions
from core.text.sentence import English
from core.tournament.state.rounds import DrawnTable, Round
from tests.core.cli.conftest import GOLDEN, Exported, Fields, Run, game_lines, pack_of, written
from tests.core.tournament.conftest import Judge, outlaws_won


def test_editions_lists_every_edition(run: Run) -> None:
    output = run("editions").output
    assert all(known.key in output for known in editions())


def test_show_tells_the_whole_edition_with_all_readings(run: Run) -> None:
    output = run("show", "championship-2022").output
    assert "25 or more players play 5 rounds." in output
    assert (
        "At tables of 5 or 6 players, reshuffle number 3 of the discard pile announces High Noon." in output
    )
    assert "2×6 1×7" in output
    assert "2,600" in output
    assert "footnote" in output
    assert (
        "strict: The same, but only if the Sheriff eliminated the Renegade."
        in run("show", "championship-2022", "--markdown").output
    )
    assert all(question.key in output for question in all_questions(edition("championship-2022"), English()))


def test_only_readings_that_an_edition_may_have_are_called_possible() -> None:
    questions = {known.name: known for known in all_questions(edition("championship-2022"), English())}
    assert [a.value for a in questions["rounds_recomputed_on_withdrawal"].answers] == ["false"]
    assert {a.value for a in questions["high_noon_sid_ketchum"].answers} == {"false", "true"}


def test_chart_gives_rounds_and_tables_or_the_reason(run: Run) -> None:
    assert "27 players: 5 rounds, 5 tables: 6 6 5 5 5" in run("chart", "championship-2022", "27").output
    assert isinstance(run("chart", "championship-2022", "9").exception, Refused)
    assert "1 tables: 7" in run("chart", "championship-2022", "7", "--unofficial").output


def test_score_reads_cases_and_plain_games(tmp_path: Path, run: Run) -> None:
    scored = json.loads(run("score", "--json", GOLDEN / "scoring.json").output)
    assert [seat["winnings"] for seat in scored[0]["seats"]] == [1600, 0, 0, 1600, 0, 0]
    plain = json.loads((GOLDEN / "scoring.json").read_text())["vectors"][0]["input"]
    path = tmp_path / "one.json"
    path.write_text(json.dumps([plain, plain]))
    games = json.loads(run("score", "--json", path).output)
    assert [one["game"] for one in games] == ["number 1", "number 2"]
    plain["eliminations"].pop()
    path.write_text(json.dumps(plain))
    assert "do not end the game" in str(run("score", path).exception)


FINISHED = {
    "round": 2,
    "table": 3,
    "players": ["a", "b", "c", "d", "e"],
    "roles": ["sheriff", "outlaw", "deputy", "outlaw", "renegade"],
    "eliminations": [{"seat": 1, "by": 2, "turn": 2, "effect": 1, "cause": "player", "role": "sheriff"}],
    "abandonments": [],
    "ending": "outlaws_win",
}


def test_score_reads_finished_games_and_checks_them(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "finished.json"
    path.write_text(json.dumps([FINISHED]))
    (scored,) = json.loads(run("score", "--json", path).output)
    assert (scored["round"], scored["table"], scored["ending"]) == (2, 3, "outlaws_win")
    assert [(seat["player"], seat["winnings"]) for seat in scored["seats"]][1] == ("b", 1800)
    path.write_text(json.dumps([FINISHED | {"ending": "law_wins"}]))
    failed = run("score", path).exception
    assert isinstance(failed, BadData)
    assert "number 1: The Law can't have won: the Sheriff is out." in str(failed)


def test_rank_reads_cases_and_plain_tournaments(tmp_path: Path, run: Run) -> None:
    output = run("rank", GOLDEN / "tie-breaks.json").output
    assert "2,050" in output
    assert "to be drawn: P06, P10" in output
    path = tmp_path / "plain.json"
    path.write_text(
        json.dumps({"players": ["a", "b"], "games": [{"seats": ["a", "b"], "won": [], "payout": [1, 2]}]})
    )
    (ranked,) = json.loads(run("rank", "--json", path).output)
    assert ranked["ranking"] == [["b"], ["a"]]
    path.write_text(json.dumps({"players": ["a"], "games": [{"seats": ["b"], "won": [], "payout": [1]}]}))
    assert "not entered" in str(run("rank", path).exception)


def test_replay_reads_plain_events_and_exported_steps(tmp_path: Path, run: Run) -> None:
    replayed = json.loads(run("replay", "--json", GOLDEN / "high-noon.json").output)
    assert replayed[0]["armed_at_event"] == 3
    assert "waiting" in run("replay", GOLDEN / "high-noon.json").output
    path = tmp_path / "steps.json"
    path.write_text('[{"body":"game-step","game":"g","events":[{"event":"roles-dealt"}]}]')
    assert "the first step must seat a table" in str(run("replay", path).exception)


@pytest.mark.parametrize(
    ("command", "kind"), [("score", "scoring"), ("rank", "tie_breaks"), ("replay", "high_noon")]
)
def test_cases_of_unknown_editions_say_so(command: str, kind: str, tmp_path: Path, run: Run) -> None:
    vector: Fields = {"id": "X-1", "kind": kind, "ruleset": "championship-1999", "input": {}}
    result = run(command, written(tmp_path, vector))
    assert result.exit_code == 0
    assert "edition not there yet" in result.output


def test_what_cannot_be_read_ends_the_program_with_a_sentence_and_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"vectors": "\xe9"}')
    for arguments, problem in (
        (["check", str(path)], "this is not UTF-8 text (byte 13)"),
        (["check", str(tmp_path / "none.json")], "No such file"),
        (["check", str(tmp_path)], "Is a directory"),
        (["show", "championship-1876"], "there is no edition"),
        (["chart", "championship-2022", "3"], "Too few players (3)"),
    ):
        monkeypatch.setattr(sys, "argv", ["saloon-rules", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        assert problem in capsys.readouterr().err


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
        *(
            (("--player", "Player 7", "--game", game),
             f"Player 7 has no confirmed record sheet of '{game}'; there are: 1/1")
            for game in ("9/9", "1/2")
        ),
    ],
)  # fmt: skip
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
