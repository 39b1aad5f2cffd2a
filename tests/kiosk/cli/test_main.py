"""Command lines that are refused, each with one line that says what to fix."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
import structlog
from click.testing import CliRunner, Result

from kiosk.cli.main import main
from kiosk.terminal.startup_settings import StartupSettings


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the environment and logging after each test, as the program changes both."""
    for name in ("SDL_VIDEODRIVER", "SDL_TOUCH_MOUSE_EVENTS", "SDL_MOUSE_TOUCH_EVENTS"):
        monkeypatch.setenv(name, "dummy" if name == "SDL_VIDEODRIVER" else "0")
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    yield
    structlog.reset_defaults()


def started(*options: str | Path) -> Result:
    return CliRunner().invoke(main, [str(option) for option in options])


def refusal(*options: str | Path) -> str:
    result = started(*options)
    assert result.exit_code == 2
    said = [line for line in result.stderr.splitlines() if not line.startswith("20")]
    assert len(said) == 1
    assert said[0].startswith("saloon-terminal: ")
    return said[0]


def test_without_a_screen_only_a_virtual_terminal_starts(tmp_path: Path) -> None:
    assert "no screen was found (SDL chose dummy)" in refusal("--data", tmp_path)


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert str(file) in refusal("--virtual", "0", "--data", file)


def test_a_journal_that_is_none_is_named_and_the_screen_is_given_back(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"rubbish" * 1000)
    assert "journal.db: not a journal" in refusal("--virtual", "0", "--data", tmp_path)
    assert not pygame.display.get_init()


@pytest.mark.slow
def test_files_that_are_missing_or_wrong_are_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("x = [", encoding="utf-8")
    data = tmp_path / "data"
    for option in ("--panel", "--provisioning"):
        said = refusal("--virtual", "0", "--data", data, option, wrong)
        assert f"{wrong}: " in said
        assert "TOML: " in said
        assert "none.toml" in refusal("--virtual", "0", "--data", data, option, tmp_path / "none.toml")


@pytest.mark.parametrize("size", ["800", "800x", "x480", "-800x480", "800x100", "big"])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    result = started("--virtual", "0", "--size", size)
    assert result.exit_code == 2
    assert "write it as 800x480" in result.stderr


def test_every_option_of_the_program_says_what_it_is_for() -> None:
    said = started("--help").stdout
    for option in (
        "--data", "--provisioning", "--boot-file", "--virtual", "--size", "--rotate", "--language", "--panel",
        "--pins", "--serial", "--bus", "--bus-rts", "--station",
    ):  # fmt: skip
        assert option in said


def test_all_that_a_file_of_settings_says_can_be_said_by_options() -> None:
    names = {parameter.name for parameter in main.params} - {"version"}
    assert names == set(StartupSettings.__struct_fields__)


def test_options_are_read_as_a_file_of_settings_is(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: list[StartupSettings] = []
    monkeypatch.setattr("kiosk.cli.main.start", settings.append)
    started(
        *("--data", "/d", "--boot-file", "/a", "--boot-file", "/b", "--size", "800x480", "--rotate", "270"),
        *("--station", "x:1", "--screen-within", "60", "--set-clock", "--pins", "lgpio"),
    )
    assert settings == [
        StartupSettings(
            data=Path("/d"),
            boot_files=(Path("/a"), Path("/b")),
            size=(800, 480),
            quarter_turns=3,
            stations=("x:1",),
            screen_within_s=60,
            sets_clock=True,
            pins="lgpio",
        )
    ]


_PROGRAM = "from kiosk.cli.start import main; main()"


def kiosk_refusal(*arguments: str | Path) -> str:
    """Return the message of a start with these arguments, which must be one line with status 2."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("20")]
    return line


_LINES = """
import sys
from kiosk.cli.start import load_libraries
load_libraries(is_virtual=False)
import structlog
log = structlog.get_logger()
before = "structlog.processors" in sys.modules
log.warning("the first line", table=3)
structlog.get_logger().error("the second line")
print(before, "structlog.processors" in sys.modules, sys.modules.get("asyncio"))
"""


def test_the_logs_library_comes_with_the_first_line_and_loses_none() -> None:
    done = subprocess.run([sys.executable, "-c", _LINES], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False True None"
    assert "the first line" in done.stderr
    assert "table=3" in done.stderr
    assert "the second line" in done.stderr


def test_without_its_file_the_program_says_how_it_is_called() -> None:
    assert "name its file" in kiosk_refusal()


@pytest.mark.slow
def test_a_key_that_is_not_known_is_named(tmp_path: Path) -> None:
    file = tmp_path / "terminal.toml"
    file.write_text('data = "/d"\ndoor = 1\n')
    assert f"{file}: " in kiosk_refusal(file)
    assert "door" in kiosk_refusal(file)


@pytest.mark.slow
def test_what_stops_the_terminal_is_said_as_by_its_other_program(tmp_path: Path) -> None:
    file, journal = tmp_path / "terminal.toml", tmp_path / "journal.db"
    journal.write_bytes(b"rubbish" * 1000)
    file.write_text(f'data = "{tmp_path}"\nvirtual = 0\n')
    assert "journal.db: not a journal" in kiosk_refusal(file)
