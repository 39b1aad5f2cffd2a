"""House rules by the program: begun, changed, tested, told, tried out; and the pages of the editions."""

import json
import re
import runpy
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import BadData
from core.cli.check import doubts
from core.cli.editions import page
from core.editions.edition import Edition
from core.editions.loader import edition, editions, read_edition
from core.editions.part import FaultyRules
from core.text.open_questions import QUESTIONS, all_questions
from core.text.rules_in_words import chapters
from core.text.sentence import English
from tests.core.cli.conftest import GOLDEN, Fields, Run, written

ROOT = Path(__file__).parents[3]
GAME: Fields = {
    "players": 5,
    "roles": ["sheriff", "deputy", "outlaw", "renegade", "outlaw"],
    "eliminations": [{"seat": seat, "by": 4, "turn": 4} for seat in (2, 3, 5, 1)],
    "ended_by": "elimination",
}
PAID: Fields = {"id": "H-1", "input": GAME, "expected": {"payout": [500, 0, 0, 10_000, 0]}}


def begun(run: Run, path: Path, key: str = "official-2003", old: str = "", new: str = "") -> Path:
    """A file of house rules, begun with an edition, with one change."""
    result = run("export-edition", key, "--key", "our-club")
    assert result.exit_code == 0
    assert old in result.output
    path.write_text(result.output.replace(old, new, 1) if old else result.output, encoding="utf-8")
    return path


def dearer(run: Run, folder: Path) -> Path:
    """House rules that pay the Renegade more."""
    return begun(run, folder / "ours.toml", "official-2003", "per_player = 1500", "per_player = 2000")


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_every_edition_is_the_beginning_of_house_rules_without_a_fault(
    known: Edition, tmp_path: Path, run: Run
) -> None:
    path = begun(run, tmp_path / "ours.toml", known.key)
    result = run("check", path)
    assert result.exit_code == 0
    assert f"our-club, {known.title}: no fault" in result.output
    assert "look again" not in result.output
    own = read_edition(path.read_text(encoding="utf-8"), "ours")
    assert chapters(replace(own, key=known.key)) == chapters(known)


def test_an_unchanged_key_is_a_fault(tmp_path: Path, run: Run) -> None:
    assert 'key = "my-official-2003"' in run("export-edition", "official-2003").output
    path = tmp_path / "ours.toml"
    path.write_text(run("export-edition", "official-2003", "--key", "official-2003").output)
    result = run("check", path)
    assert result.exit_code == 1
    assert "give your rules a key of their own" in result.output


def test_each_fault_is_a_line_of_its_own_and_the_status_is_1(tmp_path: Path, run: Run) -> None:
    path = begun(run, tmp_path / "ours.toml", "championship-2010", "step = 100", "step = 0")
    path.write_text(path.read_text().replace("[500, 600, 700]", "[500, 600]"))
    text = path.read_text().splitlines()
    result = run("check", path)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert f"{path}, line {text.index('step = 0') + 1}: characters.auction.step: is 0" in lines[0]


def test_what_looks_wrong_is_told_and_is_no_fault(tmp_path: Path, run: Run) -> None:
    path = begun(run, tmp_path / "ours.toml", "official-2003", "per_player = 1500\n", "")
    result = run("check", path)
    assert result.exit_code == 0
    assert "look again: winnings: renegade_wins pays its winners nothing" in result.output


def test_show_tells_house_rules_and_options_that_are_on(tmp_path: Path, run: Run) -> None:
    path = dearer(run, tmp_path)
    text = run("show", f"{path}+rebel+enlistment").output
    assert "14,000" in text
    assert "10 players" in text
    assert "Every player starts with $1,000." in text
    assert "The first bid must be at least $100" in text
    assert "Options that are on: rebel, enlistment" in text


def test_show_tells_amounts_as_the_readings_have_them(tmp_path: Path, run: Run) -> None:
    old, new = 'simplified_multiplier = "outlaws"', 'simplified_multiplier = "renegade_players"'
    path = begun(run, tmp_path / "ours.toml", "simplified-2003", old, new)
    text = run("show", path, "--markdown").output
    assert "$2,000 for each player + $500 E | 8,000 + 500 E | 10,000 + 500 E" in text


def test_a_reading_that_is_not_there_is_a_fault_at_its_line(tmp_path: Path, run: Run) -> None:
    old, new = "rounds_recomputed_on_withdrawal = false", "rounds_recomputed_on_withdrawal = true"
    path = begun(run, tmp_path / "ours.toml", "championship-2022", old, new)
    line = next(n for n, text in enumerate(path.read_text().splitlines(), start=1) if new in text)
    output = run("check", path).output
    assert f"line {line}: readings.rounds_recomputed_on_withdrawal: is true; allowed is false" in output


def test_commands_that_take_an_edition_take_a_file(tmp_path: Path, run: Run) -> None:
    path = dearer(run, tmp_path)
    game = tmp_path / "game.json"
    game.write_text(json.dumps(GAME))
    scored = json.loads(run("score", "--edition", path, "--json", game).output)
    assert [line["winnings"] for line in scored[0]["seats"]] == [500, 0, 0, 10_000, 0]
    scored = json.loads(run("score", "--edition", f"{path}+cash-rewards", "--json", game).output)
    assert [line["winnings"] for line in scored[0]["seats"]] == [500, 0, 0, 12_000, 0]
    assert run("chart", path, "6").output.startswith("6 players: 6 rounds, 1 tables: 6")


def test_worked_cases_are_judged_by_house_rules(tmp_path: Path, run: Run) -> None:
    path = dearer(run, tmp_path)
    cases = written(tmp_path, PAID | {"ruleset": "official-2003"})
    assert run("check", cases).exit_code == 1
    assert run("check", "--edition", path, cases).exit_code == 0
    assert run("check", "--edition", path, path, GOLDEN / "high-noon.json").exit_code == 1


def test_a_name_that_is_neither_edition_nor_file_says_what_is_possible(run: Run) -> None:
    error = run("show", "championship-1999").exception
    assert "allowed: championship-2010" in str(error)
    assert "or a file that ends in .toml" in str(error)
    assert "No such file" in str(run("show", "nowhere.toml").exception)
    assert "no option 'stampede'; allowed: cash-rewards" in str(run("show", "x+stampede").exception)


def test_a_case_may_name_house_rules_by_their_key_or_name_none(tmp_path: Path, run: Run) -> None:
    path = dearer(run, tmp_path)
    cases = written(tmp_path, PAID | {"ruleset": "our-club"}, PAID | {"id": "H-2"})
    assert "edition not there yet: our-club" in run("check", cases).output
    assert run("check", "--edition", path, cases).exit_code == 0
    scored = json.loads(run("score", "--edition", path, "--json", cases).output)
    assert [game["seats"][3]["winnings"] for game in scored] == [10_000, 10_000]


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_only_questions_that_matter_are_listed_and_each_has_a_decision(known: Edition) -> None:
    questions = all_questions(known, English())
    assert [question.decision for question in questions] == sorted(
        question.decision for question in questions
    )
    keys = {question.name for question in questions}
    assert ("high_noon_beer" in keys) is (known.high_noon is not None)
    assert ("third_place" in keys) is (known.finals is not None)
    assert ("rebel_money" in keys) is (known.options.rebel is not None)


def test_every_question_matters_to_some_edition() -> None:
    questions = {question.name for known in editions() for question in all_questions(known, English())}
    assert questions == set(QUESTIONS)


TEXTS = {
    known.key: resources.files("core.editions").joinpath(f"{known.key}.toml").read_text("utf-8")
    for known in editions()
}
VALUES = st.sampled_from(["0", "1", "2", "-1", "9", "100", "true", '"lot"', "[]", "[5]", "{}"])


@pytest.mark.slow
@given(key=st.sampled_from(sorted(TEXTS)), data=st.data())
def test_a_changed_value_is_a_fault_with_its_line_or_rules_that_can_be_told(
    key: str, data: st.DataObject
) -> None:
    lines = TEXTS[key].splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.sampled_from([n for n, line in enumerate(lines) if "=" in line]))
        places = list(re.finditer(r"(?<== )[^,=#]+?(?=[,}#]|$)|\b\d+\b", lines[number]))
        if places:
            place = data.draw(st.sampled_from(places))
            lines[number] = lines[number][: place.start()] + data.draw(VALUES) + lines[number][place.end() :]
    try:
        rules = read_edition("\n".join(lines), "ours.toml")
    except BadData as error:
        where, faults = error.where, error.faults if isinstance(error, FaultyRules) else ()
    else:
        assert page(rules).startswith(f"# {rules.title}\n")
        assert all(doubts(rules))
        return
    assert "ours.toml" in where
    assert all(fault.where.startswith("ours.toml, line ") for fault in faults)


def test_the_pages_of_the_editions_are_up_to_date_and_show_writes_the_same(run: Run) -> None:
    pages = runpy.run_path(str(ROOT / "tools" / "rules_pages.py"))["pages"]()
    assert len(pages) == len(editions()) + 2
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: make rules-pages"
    assert run("show", "championship-2010", "--markdown").output == page(edition("championship-2010"))
