"""The checkout for a release, and helpers to run commands with its commit time.

Only the standard library is used, as Windows and macOS build their single file without the other tools.
"""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build/release"
"""The folder for intermediate files: environments and trees."""


def _version() -> str:
    text = (ROOT / "base/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


VERSION: Final = _version()


def _commit_time() -> str:
    command = ("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


EPOCH: Final = int(os.environ.get("SOURCE_DATE_EPOCH") or _commit_time())
"""The commit time, used for every file of the release."""


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command with the commit time as its clock. Raises CalledProcessError."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), "PYTHONHASHSEED": "0"}
    environment.setdefault("UV_SYSTEM_CERTS", "1")
    environment.pop("PYTHONPATH", None)
    subprocess.run(command, cwd=cwd, env=environment, check=True)


def environment(name: str, *locks: str) -> Path:
    """Create a virtual environment that contains only these locked requirements, and return its Python."""
    folder = WORK / name
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    for lock in locks:
        pip(python, "--no-deps", "--require-hashes", "-r", ROOT / "requirements" / lock)
    return python


def pip(python: Path, *words: str | Path) -> None:
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)
