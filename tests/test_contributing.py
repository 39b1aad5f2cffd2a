"""Forms and workflows that GitHub reads, and files in changes/, which become a section of CHANGELOG.md."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.release.__main__ import check_changes

ROOT = Path(__file__).parents[1]
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_there_is_a_form_for_each_kind_of_report() -> None:
    assert [form.stem for form in FORMS] == ["bug", "edition", "hall", "hardware", "language"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_github_accepts_an_issue_form(path: Path) -> None:
    form = loaded(path)
    assert form["name"]
    assert form["description"]
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({part["id"] for part in fields}) == len(fields)
    assert all(part["attributes"]["label"] for part in fields)
    assert any(part.get("validations", {}).get("required") for part in fields)


def test_the_tests_run_on_every_declared_python() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    matrix = loaded(ROOT / ".github/workflows/tests.yml")["jobs"]["quick"]["strategy"]["matrix"]
    assert matrix["python"] == declared


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_targets_of_the_makefile(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"(?:run: |&& )(?:sudo )?make ([a-z-]+)", path.read_text(encoding="utf-8"))
    for target in targets:
        assert re.search(rf"(?m)^{target}:.*##", makefile), target


def test_an_action_is_pinned_by_the_same_hash_in_every_workflow() -> None:
    used = re.findall(r"uses: (\S+)@(.*)", "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS))
    assert all(re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin) for _action, pin in used)
    assert len(set(used)) == len({action for action, _pin in used})


def test_an_extra_names_each_library_that_drives_pins() -> None:
    extras = PROJECT["optional-dependencies"]
    libraries = {name: re.split("[<>=]", *extras[name])[0] for name in ("pi", "rpi-gpio", "rpi-lgpio")}
    assert libraries == {"pi": "lgpio", "rpi-gpio": "RPi.GPIO", "rpi-lgpio": "rpi-lgpio"}


def towncrier(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    build = ("-m", "towncrier", "build", "--dir", str(root), "--version", "9.9.9")
    command = (sys.executable, *build, *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    return tmp_path


@pytest.mark.slow
def test_the_changes_have_names_and_kinds_that_the_changelog_knows() -> None:
    drafted = towncrier(ROOT, "--draft")
    assert drafted.returncode == 0, drafted.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["42.organisers.md", "clock.md", "notes.txt"])
def test_a_file_of_no_kind_is_refused(copy: Path, name: str) -> None:
    (copy / "changes" / name).write_text("The clock is larger.\n", encoding="utf-8")
    drafted = towncrier(copy, "--draft")
    assert drafted.returncode != 0
    assert name in drafted.stderr


@pytest.mark.slow
def test_a_release_moves_the_changes_above_the_last_version(copy: Path) -> None:
    (copy / "changes" / "42.judges.md").write_text("The floor is faster.\n", encoding="utf-8")
    (copy / "changes" / "+clock.players.md").write_text("The clock is larger.\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"\+clock\.players\.md, 42\.judges\.md"):
        check_changes(copy / "changes")
    built = towncrier(copy, "--yes")
    assert built.returncode == 0, built.stderr
    text = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = ("- The clock is larger.", "- The floor is faster. (#42)")
    places = [text.index(line) for line in ("## [9.9.9]", "### For players", *entries, "## [1.0.0]")]
    assert places == sorted(places)
    check_changes(copy / "changes")
