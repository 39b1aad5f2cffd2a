"""Each command in the documents exists, those about house rules run as written; and the README is short."""

import importlib.util
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from PIL import Image, ImageSequence

from bench.__main__ import BENCHES, PAGE, figures_in
from core.cli.main import commands as rules
from demo.main import main as demo
from demo.rehearsal.program import rehearsal
from kiosk.cli.main import main as terminal
from station.cli.main import commands
from station.cli.main import commands as station
from tools.moving_picture import MOST_BYTES, OUT

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for folder in ("docs", "image", "hardware", ".")
    for path in (ROOT / folder).glob("**/*.md" if folder != "." else "*.md")
    if "decisions" not in path.parts
)
PROGRAMS = {
    "saloon-rules": rules,
    "saloon-station": station,
    "saloon-terminal": terminal,
    "saloon-demo": demo,
}
_LINE = re.compile(
    r"(?m)^ {4,}((?:saloon-|make |(?:\.venv/bin/)?python3? -m )\S.*)$|^\$ (\S.*)$"
    r"|(?<!`)`((?:saloon-\w+|make|python3? -m|tools/[\w-]+\.(?:py|sh)) [^`\n]+)`"
)
RULES_PAGE = ROOT / "docs/rules/house-rules.md"


def commands_of(page: Path) -> Iterator[list[str]]:
    for groups in _LINE.findall(page.read_text(encoding="utf-8")):
        for command in re.split(r" && | \| ", "".join(groups)):
            yield shlex.split(command.split(" > ")[0], comments=True)


DOCUMENTED = sorted({(page.name, tuple(words)) for page in PAGES for words in commands_of(page)})


def test_commands_are_found_in_many_pages() -> None:
    assert len({page for page, _ in DOCUMENTED}) > 12
    assert {words[0] for _, words in DOCUMENTED} > {"make", "python", *PROGRAMS}


@pytest.mark.parametrize(
    ("page", "words"),
    DOCUMENTED,
    ids=lambda value: " ".join(value)[:80] if isinstance(value, tuple) else value,
)
def test_a_documented_command_exists(page: str, words: tuple[str, ...]) -> None:
    program, *arguments = words
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"(?m)^{arguments[0]}:.*##", makefile)
    elif "python" in program:
        if arguments[:2] == ["-m", "venv"]:
            return
        assert importlib.util.find_spec(arguments[1]) is not None
        if arguments[1] == "bench":
            assert set(arguments[2:]) <= {*BENCHES}
    elif program in PROGRAMS:
        assert unknown_options(PROGRAMS[program], arguments) == set()
    else:
        assert (ROOT / program).is_file()


def unknown_options(command: click.Command, arguments: list[str]) -> set[str]:
    """Return the options that neither a program nor its named subcommand has."""
    known = {"--help"}
    wanted = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    for word in arguments:
        known |= {option for parameter in command.params for option in parameter.opts}
        if not isinstance(command, click.Group) or word.startswith("-"):
            continue
        option_command = command.get_command(click.Context(command), word)
        if option_command is None:
            continue
        # What rehearse start does not know itself, it hands to the demo's program.
        command = (
            rehearsal if option_command.context_settings.get("ignore_unknown_options") else option_command
        )
    known |= {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    return wanted - known


def test_the_commands_of_the_house_rules_page_run_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    written = re.findall(r"`saloon-rules ([^`]+)`", RULES_PAGE.read_text(encoding="utf-8"))
    assert len(written) >= 6
    for command in written:
        words, _, file = command.partition(" > ")
        result = CliRunner().invoke(rules, shlex.split(words))
        assert result.exit_code == 0, f"{command}: {result.output}"
        if file:
            Path(file).write_text(result.output, encoding="utf-8")


def test_each_example_is_named_in_a_document() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").iterdir()]
    assert [file for file in files if file not in text] == []
    assert [file for file in set(re.findall(r"examples/[\w.-]+", text)) if not (ROOT / file).is_file()] == []


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
