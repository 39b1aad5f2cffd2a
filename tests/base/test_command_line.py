"""The default folder of a program's data, and programs whose libraries aren't all installed."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from base.command_line import default_folder, explain_missing_library
from base.errors import BadData
from base.late_commands import LateGroup
from core.cli.main import commands as rules
from demo.main import main as demo
from kiosk.cli.main import main as terminal
from station.cli.main import commands as station


def test_data_is_where_the_system_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert default_folder("station") == tmp_path / "share" / "saloon" / "station"
    assert default_folder("terminal") == tmp_path / "share" / "saloon" / "terminal"
    assert not (tmp_path / "share").exists()


@pytest.mark.parametrize(("use", "former"), [("station", "station-data"), ("terminal", "saloon-terminal")])
def test_data_of_an_older_version_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, use: str, former: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / former).mkdir()
    with pytest.raises(BadData, match=f"choose it with --data {former}"):
        default_folder(use)
    (tmp_path / "share" / "saloon" / use).mkdir(parents=True)
    assert default_folder(use).is_relative_to(tmp_path / "share")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "call", "missing"),
    [
        ("saloon-terminal", "kiosk.cli.main import main; main(['panel'])", "gpiozero"),
        ("saloon-station", "station.cli.main import commands; commands(['doctor'])", "sqlalchemy"),
        ("saloon-station-screen", "station.screen.main import main; main([])", "pygame"),
    ],
)
def test_a_program_without_a_library_says_so(program: str, call: str, missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from {call}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{program} isn't completely installed here: {missing} is missing.")
    assert "Traceback" not in done.stderr


PROGRAMS = {
    "saloon-rules": rules,
    "saloon-station": station,
    "saloon-terminal": terminal,
    "saloon-demo": demo,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_command_is_what_its_programs_help_says(program: str) -> None:
    group = PROGRAMS[program]
    assert isinstance(group, LateGroup)
    context, said = click.Context(group), CliRunner().invoke(group, ["--help"], terminal_width=200).output
    for name, listed in group.late.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert f"{name}  " in said
        assert listed.summary in said
        assert " ".join((command.help or "").split()).startswith(listed.summary)


@pytest.mark.slow
@pytest.mark.parametrize("call", ["core.cli.main import commands", "station.cli.main import commands"])
def test_help_needs_none_of_the_libraries_of_the_commands(call: str) -> None:
    """Each of the four takes as long to import as the whole help takes to appear."""
    missing = "import sys; sys.modules |= dict.fromkeys(['msgspec', 'rich', 'sqlalchemy', 'structlog'])"
    code = f"{missing}; from {call}; commands(['--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Commands:" in done.stdout


def test_a_module_of_ours_that_is_missing_is_a_fault_of_ours() -> None:
    with pytest.raises(ModuleNotFoundError), explain_missing_library("saloon-terminal"):
        raise ModuleNotFoundError("no kiosk.nothing", name="kiosk.nothing")
