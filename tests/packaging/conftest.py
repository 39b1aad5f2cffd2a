"""The sdist and the wheel of this checkout, built once for all tests of packaging."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str | Path, cwd: Path = ROOT) -> str:
    """Run a program as a user would, outside this environment, and return what it printed."""
    outside = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    # pip trusts whom the system trusts; uv must be asked to.
    outside["UV_SYSTEM_CERTS"] = "1"
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=cwd, env=outside)
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


def build(target: str, source: Path, into: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into, cwd=source)
    (made,) = into.glob("*.tar.gz" if target == "sdist" else "*.whl")
    return made


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the sdist, as a packager does it."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    run("tar", "-xf", sdist, "-C", unpacked)
    (source,) = unpacked.iterdir()
    return build("wheel", source, tmp_path_factory.mktemp("wheel"))
