"""Files of the suite's packages for use on the building machine, whatever its Debian release.

The suite's Python compiles byte code, which must match the board's version, and its headers are needed to
compile lgpio. They are unpacked into the cache, never installed.
"""

import platform
import shutil
from pathlib import Path

from base.errors import BadData
from image.recipe.packages.apt import Apt
from image.recipe.packages.layers import empty_root, unpack_files
from image.recipe.plan import digest
from image.recipe.run import Commands
from image.recipe.target import Architecture

_PYTHON = ("python{0}-minimal", "libpython{0}-minimal", "libpython{0}-stdlib", "libc6", "libexpat1", "zlib1g")
_HEADERS = ("libpython{0}-dev", "libc6", "libc6-dev", "linux-libc-dev")


class SuiteFiles:
    """Unpacked packages of one suite, in the cache of a build.

    sources: apt's, rendered.
    python: the suite's version.
    work: a temporary folder.
    """

    def __init__(self, sources: str, python: str, cache: Path, work: Path, commands: Commands) -> None:
        self._sources = sources
        self.version = python
        self._cache = cache
        self._work = work
        self._commands = commands

    def python(self) -> tuple[str, ...]:
        """Return the command for the board's version of Python on this machine: its own, or the suite's.

        Raises BadData if the suite has none for this machine.
        """
        installed = Path(f"/usr/bin/python{self.version}")
        if installed.exists():
            return (str(installed),)
        here = next((a for a in Architecture if a.machine == platform.machine()), None)
        if here is None:
            raise BadData(
                str(installed), f"byte code is made by the same Python: apt install {installed.name}"
            )
        root = self._unpacked(f"python{self.version}", _PYTHON, here)
        libraries = next((root / "usr/lib").glob("*-linux-gnu"))
        loader = next(libraries.glob("ld-linux-*.so.*"))
        home = f"PYTHONHOME={root / 'usr'}"
        return ("env", home, str(loader), "--library-path", str(libraries), f"{root}{installed}")

    def headers(self, architecture: Architecture) -> Path:
        return self._unpacked("headers", _HEADERS, architecture)

    def _unpacked(self, what: str, packages: tuple[str, ...], architecture: Architecture) -> Path:
        names = tuple(package.format(self.version) for package in packages)
        key = digest((names, self._sources))
        kept = self._cache / f"{what}-{architecture.value}-{key}"
        if kept.exists():
            return kept
        root, folder = self._work / what, self._work / f"apt-{what}"
        root.mkdir()
        empty_root(root, architecture)
        apt = Apt(folder, architecture, self._sources, root, self._commands)
        apt.update()
        for archive in apt.fetch_alone(names, folder / "alone"):
            unpack_files(archive, root, (), self._commands)
        shutil.rmtree(folder)
        root.rename(kept)
        return kept
