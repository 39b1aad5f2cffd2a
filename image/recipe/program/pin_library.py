"""lgpio, built from its locked source, as there is no wheel for the images' Python.

This machine's compiler is used for the board's processor, with the suite's headers and C library.
"""

import shutil
import sys
from pathlib import Path

from image.recipe.packages.suite_files import SuiteFiles
from image.recipe.program.requirements import locked_in
from image.recipe.run import Commands
from image.recipe.target import Architecture

NAME = "lgpio"
_LIBRARIES = ("-lrt", "-ldl", "-lpthread")


def compiler_of(architecture: Architecture) -> str:
    return f"{architecture.machine}-linux-gnu-gcc"


def build_pin_library(
    lock: str, architecture: Architecture, lib: Path, files: SuiteFiles, commands: Commands
) -> None:
    """Compile lgpio into a folder of distributions. Raises StepFailed.

    ``lock`` contains the requirements with lgpio's hashes.
    """
    work = lib.parent / "pins"
    source = _source(locked_in(lock)[NAME].block, work, commands)
    wrapper = source / "wrapper.c"
    commands.run("swig", "-python", "-outdir", lib.resolve(), "-o", wrapper.name, "lgpio.i", cwd=source)
    headers = files.headers(architecture)
    module = lib / f"_{NAME}.cpython-{files.version.replace('.', '')}-{architecture.machine}-linux-gnu.so"
    commands.run(
        compiler_of(architecture), f"--sysroot={headers}", "-shared", "-fPIC", "-O2", "-pthread", "-s", "-w",
        f"-ffile-prefix-map={source}=.", "-Wl,--build-id=none",
        f"-I{source / 'src'}", f"-I{headers}/usr/include/python{files.version}",
        "-o", module, *sorted((source / "src").glob("*.c")), wrapper, *_LIBRARIES,
    )  # fmt: skip
    (version,) = [line.split(": ")[1] for line in _lines(source / "PKG-INFO") if line.startswith("Version: ")]
    described = lib / f"{NAME}-{version}.dist-info"
    described.mkdir()
    shutil.copyfile(source / "PKG-INFO", described / "METADATA")
    shutil.rmtree(work)


def _source(block: str, work: Path, commands: Commands) -> Path:
    """Fetch the source, verify its hash and unpack it into a folder."""
    work.mkdir(parents=True)
    wanted = work / "requirements.txt"
    wanted.write_text(block, encoding="utf-8")
    commands.run(
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--require-hashes", "--no-binary=:all:", "--no-build-isolation", "--dest", work, "-r", wanted,
    )  # fmt: skip
    (archive,) = work.glob(f"{NAME}-*.tar.gz")
    commands.run("tar", "--no-same-owner", "-C", work, "-xf", archive)
    return work / archive.name.removesuffix(".tar.gz")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()
