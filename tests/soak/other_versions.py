"""Earlier versions of the program, taken from the repository's history, to run beside this one."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

ROOT = Path(__file__).parents[2]
COMMITS = {
    "11-21": "8384bb4f3470961da0fe84e545873c451a074ea1",
    "11-22": "ddf5d7aadcaa0b4156503e16ce0c0ff5d1063a52",
    "11-23 morning": "cb1aa420d7e3f994e0df73115c9d321bc847e7c1",
    "11-23": "6465f37db5350177e5029fe2dd38d553993ec859",
    "11-24": "b18a3461a1d92231f565cba7c3f26fb0a1a4de73",
    "11-26 morning": "983dc6785f73d4b6c11b104ca52b1e3b7ac9dddc",
    "11-26": "28de777138366b6d841772ed95d42979e37c7abb",
    "11-27 morning": "5ba678b0f9a5fe4283a02f39fd57090c36adabfc",
    "11-27": "055e3c7bf50cd8689e990c6995aafece4ebe9d63",
}
"""The earlier versions, oldest first, with one for each release. The first one is the oldest with updates."""
NOW = "this one"
_NOW_MADE = 4_000_000_000
NEEDS_HISTORY = "the clone has no history with earlier versions: git fetch --unshallow"
_WRITERS = {"tests/rigs/writer.py": "tests.rigs.writer", "sync/rig/writer.py": "saloon.sync.rig.writer"}
_SCRIPT = "#!{python}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n"
_LEFT_OUT = ("docs/", "tests/golden/")


class Version(msgspec.Struct, frozen=True):
    """A version whose tree is in a folder. ``made`` is the time of its commit, as in the name of a bundle."""

    name: str
    folder: Path
    made: int

    @property
    def python(self) -> Path:
        own = self.folder / ".versions" / "bin" / "python"
        return own if own.exists() else Path(sys.executable)

    def program(self, name: str) -> list[str]:
        return [str(self.python.parent / name)]

    def module(self, name: str) -> str:
        """Return the import name of one of its modules, which older versions have in a package of links."""
        return f"saloon.{name}" if (self.folder / "src/saloon/__init__.py").exists() else name

    def writer(self) -> list[str]:
        module = next(module for file, module in _WRITERS.items() if (self.folder / file).exists())
        return [str(self.python), "-m", module]

    def environment(self) -> dict[str, str]:
        """Return an environment in which only this version is found."""
        return {**os.environ, "PYTHONPATH": f"{self.folder / 'src'}:{self.folder}"}

    def start(self, command: Sequence[str], out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )


def has_history() -> bool:
    """Return whether the earlier versions are available, which a shallow clone lacks."""
    if shutil.which("git") is None:
        return False
    return all(_git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0 for commit in COMMITS.values())


def versions_in(folder: Path, names: Sequence[str] = tuple(COMMITS)) -> tuple[Version, ...]:
    """Unpack earlier versions into a folder, and return them, oldest first, and then this one."""
    versions = []
    for name in names:
        place = folder / COMMITS[name][:12]
        if not place.exists():
            _unpack(COMMITS[name], place)
            _install(place)
        versions.append(Version(name, place, _made(COMMITS[name])))
    return (*versions, this_version())


def this_version(name: str = NOW, later: int = 0) -> Version:
    """Return the version of this tree, newer than all others. With another name and time, it is an update."""
    return Version(name, ROOT, _NOW_MADE + later)


def _unpack(commit: str, place: Path) -> None:
    packed = _git("archive", commit).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tree:
        wanted = [member for member in tree.getmembers() if not member.name.startswith(_LEFT_OUT)]
        # Python has filters since 3.11.4; Debian 12 has 3.11.2.
        tree.extraction_filter = getattr(tarfile, "tar_filter", None)
        tree.extractall(place, wanted)


def _install(place: Path) -> None:
    """Give a tree a virtual environment with its programs and our libraries."""
    ours, own = Path(sys.prefix), place / ".versions"
    (own / "bin").mkdir(parents=True)
    (own / "lib").symlink_to(ours / "lib")
    shutil.copy(ours / "pyvenv.cfg", own)
    python = own / "bin" / "python"
    python.symlink_to(sys.executable)
    with (place / "pyproject.toml").open("rb") as file:
        scripts = tomllib.load(file)["project"]["scripts"]
    for name, target in scripts.items():
        module, _, function = target.partition(":")
        script = own / "bin" / name
        script.write_text(_SCRIPT.format(python=python, module=module, function=function))
        script.chmod(0o755)


def _made(commit: str) -> int:
    return int(_git("show", "-s", "--format=%ct", commit).stdout)


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
