"""The README is short, its figures are those of the pages it links to, and its commands exist."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image, ImageSequence

from bench.__main__ import PAGE, figures_in
from station.cli.commands import commands
from tools.moving_picture import MOST_BYTES, OUT

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"(?m)^ {4}(.+)$", README)


def test_the_readme_fits_a_stranger_s_first_minute() -> None:
    assert len(README.splitlines()) <= 70


def test_the_moving_picture_loads_fast_and_ends_before_a_stranger_leaves() -> None:
    assert f"]({OUT.relative_to(ROOT)})" in README
    assert OUT.stat().st_size <= MOST_BYTES
    with Image.open(OUT) as film:
        assert film.width == 800
        durations_ms = []
        for frame in ImageSequence.Iterator(film):
            frame.load()
            durations_ms.append(frame.info["duration"])
        assert 12_000 <= sum(durations_ms) <= 20_000


def test_the_touch_is_as_fast_as_the_bench_measured() -> None:
    measured = next(f for f in figures_in(PAGE.read_text(encoding="utf-8")) if f.what == "touch to flip, p99")
    assert "within one sixtieth of a second" in README
    assert measured.ours < 1000 / 60


def test_the_soak_page_lists_no_failure() -> None:
    page = (ROOT / "docs/development/soak.md").read_text(encoding="utf-8")
    assert "none was lost, doubled or altered" in re.sub(r"\s+", " ", README)
    assert re.search(r"(?m)^\| all \|.*\| 0 \|$", page)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_exists(command: str) -> None:
    """Only that it exists: `make fresh` runs `make demo` and `make test`."""
    program, *arguments = shlex.split(command, comments=True)
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"(?m)^{arguments[0]}:.*##", makefile)
    elif program == "uvx":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert arguments[-1] in project["scripts"]
    else:
        assert program == "saloon-station"
        assert CliRunner().invoke(commands, [*arguments, "--help"]).exit_code == 0


@pytest.mark.parametrize(
    ("target", "locks", "long_steps"),
    [
        ("demo", {"demo", "build"}, ["Downloading", "Starting"]),
        ("test", {"dev", "bench"}, ["Downloading", "Downloading", "Running"]),
    ],
)
def test_a_target_says_what_it_downloads_and_how_long_it_takes(
    target: str, locks: set[str], long_steps: list[str], tmp_path: Path
) -> None:
    command = ["make", "--dry-run", target, f"VENV={tmp_path}"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"requirements/(\w+)\.lock", printed)) == locks
    said = re.findall(r'echo "(\w+) .* (?:minutes?|hour)\b', printed)
    assert said == long_steps


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_a_link_of_the_readme_leads_to_a_file(link: str) -> None:
    assert (ROOT / link).is_file()
