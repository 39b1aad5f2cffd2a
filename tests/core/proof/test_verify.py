"""``saloon-rules verify``: draws, games, money and ranking done again, whoever sealed the file."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep
from core.game.play.turns import TurnStarted
from core.game.state.game import Confirmation
from core.proof.reading import read_pack
from core.proof.verify import PackVerdict, verify_pack
from core.rule_set import RecordMode
from core.tournament.decisions import UndoSteps
from core.tournament.standings.ranking import PublishRanking
from tests.core.cli.conftest import Exported, Run, corrected_by_protest, game_lines, pack_of, whole_tournament
from tests.examples import examples


def verdict(pack: Exported) -> PackVerdict:
    return verify_pack(read_pack(pack.texts()))


def problems(pack: Exported) -> list[str]:
    return [str(fault) for fault in verdict(pack).faults]


def respelt(pack: Exported, old: bytes, new: bytes) -> Exported:
    """The pack as a forger makes it: text replaced in the steps, all entries and digests made anew."""
    encoded = msgspec.json.encode(pack.lines)
    assert old in encoded
    pack.lines = msgspec.json.decode(encoded.replace(old, new))
    return pack


def test_a_whole_tournament_holds(exported: Exported, tmp_path: Path, run: Run) -> None:
    path = exported.written(tmp_path / "open.jsonl")
    result = run("verify", path)
    assert result.exit_code == 0, result.output
    assert "repeated from their seeds: draws 1, lots 1" in result.output
    assert "record sheets: 2, replayed from a terminal's entries: 1, from paper: 1" in result.output
    assert "Everything holds." in result.output
    (report,) = [json.loads(run("verify", "--json", path).output)]
    assert (report["holds"], report["faults"], report["notes"], report["public"]) == (True, [], [], True)
    assert (report["sheets"], report["replayed"], report["games_told"]) == (2, 1, 1)
    assert run("verify", path, "--digest", report["digest"]).exit_code == 0
    other = run("verify", path, "--digest", "0" * 64)
    assert other.exit_code == 1
    assert "not the one announced" in other.output


def test_names_that_an_earlier_version_stored_in_decomposed_letters_verify(exported: Exported) -> None:
    decomposed = "Jose\u0301 Nu\u0301n\u0303ez"
    assert problems(respelt(exported, b"Player 3", decomposed.encode())) == []


def test_a_name_that_no_version_stored_so_is_a_fault(exported: Exported) -> None:
    (problem,) = problems(respelt(exported, b'"Player 3"', b'"Player  3"'))
    assert "by the rules it is" in problem


def test_a_step_without_its_judges_name_is_a_fault(exported: Exported) -> None:
    faults = problems(respelt(exported, b',"by":"Judge Roy"', b""))
    assert any("no judge's name" in problem for problem in faults), faults


def test_full_and_light_games_give_the_same_ranking_and_the_verdict_names_them(
    tmp_path: Path, run: Run
) -> None:
    standings = []
    for mode, words in (
        (RecordMode.FULL, "full games: 1, light games: 0"),
        (RecordMode.LIGHT, "full games: 0, light games: 1"),
    ):
        judge, steps = whole_tournament(mode)
        pack = pack_of(judge, game_lines(steps))
        result = run("verify", pack.written(tmp_path / f"{mode.value}.jsonl"))
        assert result.exit_code == 0, result.output
        assert words in result.output
        standings.append([line for line in pack.lines if line["kind"] in {"winnings", "standings"}])
    assert standings[0] == standings[1]


def test_an_altered_file_is_status_1_and_names_the_line(exported: Exported, tmp_path: Path, run: Run) -> None:
    path = exported.written(tmp_path / "open.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"cactus"', b'"cactvs"'))
    result = run("verify", path)
    assert result.exit_code == 1
    assert "line 5: it was changed after it was written" in result.output
    assert "line 5: tournament/open, entry 4: its step is not the one in its bytes" in result.output
    assert "line 5: round 1, attempt 1: the seed and the hall word give other tables" in result.output
    report = json.loads(run("verify", "--json", path).output)
    assert report["faults"][0]["line"] == 5
    assert report["holds"] is False


def test_of_very_many_faults_the_first_are_printed(exported: Exported, tmp_path: Path, run: Run) -> None:
    path = exported.written(tmp_path / "open.jsonl")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") * 2)
    result = run("verify", path)
    assert result.exit_code == 1
    assert "more; --json has all of them" in result.output
    assert result.output.count("carriage return") <= 40


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b'"hall_word":"cactus"', b'"hall_word":"saddle"', "the seed and the hall word give other tables"),
        (b'"ending":"outlaws_win"', b'"ending":"law_wins"', "the rules refuse it"),
        (b'"winnings":[0,1800,0,1800,0]', b'"winnings":[0,1800,0,1800,250]', "the winnings are 0 1,800 0"),
        (b'"public":true', b'"public":false', "wrong about whether the ranking is public"),
        (
            b'"prize":0,"final_score":1900',
            b'"prize":0,"final_score":1950',
            "final_score is 1900; the file",
        ),
        (
            b'"kind":"winnings","game":"open',
            b'"kind":"winnings","game":"ope',
            "which has no confirmed record sheet",
        ),
    ],
)
def test_a_forged_file_that_is_sealed_anew_is_found_out(
    exported: Exported, old: bytes, new: bytes, problem: str
) -> None:
    faults = problems(respelt(exported, old, new))
    assert any(problem in fault for fault in faults), faults


def test_a_sheet_that_is_not_what_its_terminal_told_is_a_fault() -> None:
    judge, steps = whole_tournament()
    pack = pack_of(judge, game_lines(steps[:-1]))
    assert problems(pack) == []
    pack = pack_of(judge, game_lines(steps[:-2]))
    assert problems(pack) == [
        "round 1, table 1: the sheet was accepted as a terminal's, and no terminal's entries reach its end"
    ]
    assert "no terminal's entries reach its end" in problems(pack_of(judge))[0]
    turned = respelt(
        pack_of(judge, game_lines(steps)), b'"event":"player-eliminated"', b'"event":"player-elimi"'
    )
    assert any("cannot be read" in fault for fault in problems(turned))
    (unseated,) = problems(pack_of(judge, game_lines(steps[1:])))
    assert "whose entries cannot be replayed: game log, step 1: the first step must seat a table" in unseated


def test_a_correction_is_a_note_with_its_reason(tmp_path: Path, run: Run) -> None:
    result = verdict(corrected_by_protest()[0])
    assert result.faults == ()
    assert result.games is not None
    assert (result.games.replayed, result.games.corrected) == (1, 1)
    notes = [str(note) for note in result.notes]
    assert any(
        note.startswith('round 1, table 1: ending is "outlaws_win" on the terminal, "no_winner" on the sheet')
        and note.endswith("which counts (corrected by Judge Roy: time was up before the shot)")
        for note in notes
    ), notes
    output = run("verify", corrected_by_protest()[0].written(tmp_path / "x.jsonl"))
    assert output.exit_code == 0
    assert "corrected: 1" in output.output


def test_a_table_copied_from_paper_against_its_terminal_is_a_note() -> None:
    pack = respelt(corrected_by_protest()[0], b'"source":"terminal"', b'"source":"paper"')
    result = verdict(pack)
    assert result.faults == ()
    assert any("which counts (corrected by" in str(note) for note in result.notes)


def test_a_game_that_a_judge_ended_from_paper_in_its_middle_is_no_fault_of_its_table() -> None:
    judge, steps = whole_tournament()
    played = next(at for at, step in enumerate(steps) if isinstance(step.events[-1], TurnStarted))
    ended = GameStep(steps[0].game, (ConfirmSheet(Confirmation.CORRECTED),), 2, 2)
    pack = respelt(
        pack_of(judge, game_lines([*steps[: played + 1], ended])), b'"source":"terminal"', b'"source":"paper"'
    )
    result = verdict(pack)
    assert (result.faults, result.notes) == ((), ())


def test_steps_that_were_taken_back_are_checked_as_well() -> None:
    judge, steps = whole_tournament()
    judge.does(UndoSteps(1, "too soon"))
    judge.does(PublishRanking())
    assert problems(pack_of(judge, game_lines(steps))) == []
    spoilt = respelt(
        pack_of(judge, game_lines(steps)), b'"steps":1,"reason":"too soon"', b'"steps":99,"reason":"x"'
    )
    assert any("the rules refuse it" in fault for fault in problems(spoilt))
    assert any("this cannot have happened" in fault for fault in problems(spoilt))


def test_a_head_that_names_another_tournament_is_told(exported: Exported) -> None:
    exported.lines[0] |= {"name": "Shut"}
    assert problems(exported) == ["line 1: the head names another tournament or other rules than its steps"]


def test_a_file_without_steps_or_head_is_told() -> None:
    judge, _ = whole_tournament()
    pack = pack_of(judge)
    pack.lines = pack.lines[:1]
    assert "there is no step of the tournament" in problems(pack)
    pack = pack_of(judge)
    del pack.lines[0]
    assert any("the first line must be" in fault for fault in problems(pack))


@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_no_line_can_be_taken_out_of_a_file_that_is_sealed_anew(data: st.DataObject) -> None:
    """A forger who makes all digests again cannot leave out a step, a sheet or the ranking unseen."""
    judge, steps = whole_tournament()
    pack = pack_of(judge, game_lines(steps))
    gone = data.draw(st.integers(0, len(pack.lines) - 1))
    line = pack.lines.pop(gone)
    faults = problems(pack)
    last = line["kind"] == "game-step" and pack.lines[gone]["kind"] != "game-step"
    # The last entry of a terminal only confirms the sheet; nothing that is computed rests on it.
    assert bool(faults) is not last, (line["kind"], faults)
