"""A terminal's image has Debian's pygame, which is years older than the locked one: both draw the same."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
DEBIANS_PYTHON = Path("/usr/bin/python3")
_UNDER_DEBIANS = """
import sys
# Last: what the system has comes first, and only pygame is there.
sys.path.append({ours!r})
import pygame
if "dist-packages" not in pygame.__file__:
    sys.exit("no pygame of the system")
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", {drawn!r}]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "drawn", ["tests/kiosk/golden", pytest.param("tests/kiosk/ui/test_painter.py", marks=pytest.mark.nightly)]
)
def test_debians_pygame_draws_the_same_pictures(drawn: str) -> None:
    code = _UNDER_DEBIANS.format(ours=sysconfig.get_path("purelib"), drawn=drawn)
    done = _under_debians("import sys; print(sys.version_info[:2]); import pygame")
    if done.returncode or not done.stdout.startswith(str(sys.version_info[:2])):
        pytest.skip("needs Debian's pygame under the same Python: apt install python3-pygame")
    done = _under_debians(code)
    assert done.returncode == 0, done.stdout + done.stderr


def _under_debians(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [DEBIANS_PYTHON, "-c", code],
        cwd=CHECKOUT,
        env={"SDL_VIDEODRIVER": "dummy", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
