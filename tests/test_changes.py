"""The files in changes/ become a section of CHANGELOG.md, and a wrong one is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.release.__main__ import check_changes

ROOT = Path(__file__).parents[1]


def towncrier(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = (
        sys.executable,
        "-m",
        "towncrier",
        "build",
        "--dir",
        str(root),
        "--version",
        "9.9.9",
        *arguments,
    )
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
    lines = (
        "## [9.9.9]",
        "### For players",
        "- The clock is larger.",
        "- The floor is faster. (#42)",
        "## [1.0.0]",
    )
    places = [text.index(line) for line in lines]
    assert places == sorted(places)
    check_changes(copy / "changes")
