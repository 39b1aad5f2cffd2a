"""The tree ``/opt/saloon``: this checkout's wheel, the locked distributions for the board and programs.

Its programs locate their own folder, so that the same tree works in the image and in an update.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from image.recipe.checkout import CHECKOUT
from image.recipe.contents import Contents
from image.recipe.packages.suite_files import SuiteFiles
from image.recipe.program.pin_library import NAME, build_pin_library
from image.recipe.program.requirements import locked_in, needed, text_of
from image.recipe.run import Commands
from image.recipe.target import Architecture, Kind

SYSTEM = frozenset({"pygame", "pygame-ce"})
"""Distributions taken from Debian, as only its SDL can draw when there is no desktop."""
_GLIBC = (17, 24, 26, 27, 28, 31, 34, 35, 36, 38, 39, 40, 41)
"""The minor versions of the C library (2.x) that a wheel may require; Debian 13 has 2.41."""
_HERE = "${0%/*}/.."
_NOT_RUN = ("*.pyi", "*.pyx", "*.pxd", "*.c", "*.h", "*.html.gz")


class Release(msgspec.Struct, frozen=True):
    """The release as shown at terminal and station: version, commit and its time, and the board."""

    version: str
    commit: str
    kind: Kind
    architecture: Architecture
    made: int = 0

    def text(self) -> str:
        """Return the content of the file ``release``, which is TOML that a shell can read too."""
        return (
            f'version="{self.version}"\ncommit="{self.commit}"\n'
            f'kind="{self.kind.value}"\narchitecture="{self.architecture.value}"\n'
            f"made={self.made}\n"
        )


def _lock(checkout: Path) -> str:
    names = ("dev.lock", "image.lock")
    return "".join((checkout / "requirements" / name).read_text(encoding="utf-8") for name in names)


def requirements_text(checkout: Path, contents: Contents, kind: Kind) -> str:
    """Return the locked requirements for this kind of machine, except those that are built here."""
    of_kind = contents.of_kind(kind)
    return text_of(needed(of_kind.python, locked_in(_lock(checkout)), SYSTEM | set(of_kind.built)))


def _platforms(architecture: Architecture) -> list[str]:
    tags = [f"manylinux_2_{minor}_{architecture.machine}" for minor in reversed(_GLIBC)]
    return [word for tag in (*tags, f"manylinux2014_{architecture.machine}") for word in ("--platform", tag)]


def install_requirements(
    text: str, architecture: Architecture, python: str, lib: Path, commands: Commands
) -> None:
    """Unpack the wheels of locked requirements for the target, each verified by its hash."""
    lib.parent.mkdir(parents=True, exist_ok=True)
    wanted = lib.parent / "requirements.txt"
    wanted.write_text(text, encoding="utf-8")
    digits = python.replace(".", "")
    commands.run(
        sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore",
        "--disable-pip-version-check",
        "--no-deps", "--require-hashes", "--no-compile", "--only-binary=:all:", "--target", lib,
        "--python-version", python, "--implementation", "cp",
        "--abi", f"cp{digits}", "--abi", "abi3", "--abi", "none",
        *_platforms(architecture), "-r", wanted,
    )  # fmt: skip
    wanted.unlink()


def install_saloon(checkout: Path, without: tuple[str, ...], lib: Path, commands: Commands) -> None:
    """Build the wheel of this checkout and unpack it, except packages that this kind never uses."""
    built = lib.parent / "wheel"
    pip = (sys.executable, "-m", "pip")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    commands.run(*pip, "wheel", *quiet, "--no-build-isolation", "-w", built, checkout)
    (wheel,) = built.glob("saloon-*.whl")
    commands.run(*pip, "install", *quiet, "--root-user-action=ignore", "--no-compile", "--target", lib, wheel)
    shutil.rmtree(built)
    for folder in without:
        shutil.rmtree(lib / folder)


def byte_compile(tree: Path, seen_as: str, python: Sequence[str], commands: Commands) -> None:
    """Compile every module in a folder to byte code that is not checked against its source.

    seen_as: the folder's path on the board.
    python: the command for the board's version of Python.
    """
    commands.run(
        "env", "PYTHONHASHSEED=0", *python, "-m", "compileall", "-q", "-f",
        "--invalidation-mode", "unchecked-hash", "-s", tree, "-p", seen_as, tree,
    )  # fmt: skip


def _python(tree: str, python: str) -> str:
    return (
        "#!/bin/sh\n# Python with the distributions of this tree, wherever it lies and is started.\n"
        f'export PYTHONPATH="{tree}/lib" PYTHONSAFEPATH=1 PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1\n'
        f"exec /usr/bin/python{python}"
    )


def python_script(python: str) -> str:
    """Return a script that starts Python with its tree's distributions and ignores the current folder."""
    return f'{_python(_HERE, python)} "$@"\n'


def program_script(entry: str, python: str) -> str:
    """Return a program's script, a shell that becomes Python, which starts fast."""
    module, _, function = entry.partition(":")
    started = f"'import sys; from {module} import {function}; sys.exit({function}())'"
    return f'{_python(_HERE, python)} -c {started} "$@"\n'


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def write_app(
    contents: Contents, release: Release, tree: Path, files: SuiteFiles, commands: Commands
) -> None:
    """Make the whole tree from this checkout: bin, lib and the file ``release``."""
    checkout = CHECKOUT
    of_kind = contents.of_kind(release.kind)
    lib = tree / "lib"
    text = requirements_text(checkout, contents, release.kind)
    install_requirements(text, release.architecture, contents.python, lib, commands)
    if NAME in of_kind.built:
        build_pin_library(_lock(checkout), release.architecture, lib, files, commands)
    install_saloon(checkout, of_kind.without, lib, commands)
    for pattern in _NOT_RUN:
        for path in lib.rglob(pattern):
            path.unlink()
    shutil.rmtree(lib / "bin", ignore_errors=True)
    # Remove pip's records of this machine: where wheels came from and were installed.
    for name in ("direct_url.json", "RECORD", "INSTALLER", "REQUESTED"):
        for path in lib.glob(f"*.dist-info/{name}"):
            path.unlink()
    byte_compile(lib, "/run/saloon/app/lib", files.python(), commands)
    (tree / "bin").mkdir()
    _write_program(tree / "bin/python", python_script(contents.python))
    for name, entry in of_kind.programs.items():
        _write_program(tree / "bin" / name, program_script(entry, contents.python))
    (tree / "release").write_text(release.text(), encoding="utf-8")


def squash_tree(tree: Path, made: Path, commands: Commands) -> None:
    """Write a folder as a squashfs, reproducibly and with root as the owner."""
    made.unlink(missing_ok=True)
    commands.run(
        "env", "-u", "SOURCE_DATE_EPOCH", "mksquashfs", tree, made,
        "-quiet", "-no-progress", "-noappend", "-all-root", "-no-xattrs",
        "-comp", "zstd", "-Xcompression-level", "15", "-b", "256K",
        "-mkfs-time", str(commands.epoch), "-all-time", str(commands.epoch),
    )  # fmt: skip
    os.utime(made, (commands.epoch, commands.epoch))
