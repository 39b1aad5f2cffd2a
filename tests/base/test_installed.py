"""A program whose libraries aren't all installed says so in a sentence."""

import subprocess
import sys

import pytest

from base.installed import explain_missing_library


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
