"""The default folder of a program's data, and programs whose libraries aren't all installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from base.command_line import default_folder, explain_missing_library
from base.errors import BadData


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
    ("program", "module", "missing"),
    [
        ("saloon-terminal", "kiosk.cli.main", "gpiozero"),
        ("saloon-station-screen", "station.screen.main", "pygame"),
    ],
)
def test_a_program_without_a_library_says_so(program: str, module: str, missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from {module} import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{program} isn't completely installed here: {missing} is missing.")
    assert "Traceback" not in done.stderr


def test_a_module_of_ours_that_is_missing_is_a_fault_of_ours() -> None:
    with pytest.raises(ModuleNotFoundError), explain_missing_library("saloon-terminal"):
        raise ModuleNotFoundError("no kiosk.nothing", name="kiosk.nothing")
