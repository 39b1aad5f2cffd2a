"""Command lines that are refused, each with one line that says what to fix."""

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


def test_a_journal_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"rubbish" * 1000)
    assert "journal.db: not a journal" in refusal("--virtual", "0", "--data", tmp_path)


@pytest.mark.slow
def test_a_start_that_fails_gives_the_screen_and_the_keyboard_back(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"rubbish" * 1000)
    refusal("--virtual", "0", "--data", tmp_path)
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
