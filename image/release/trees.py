"""Program trees as squashfs files, and the ``release`` file in them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from base.errors import BadData, Unavailable
from sync.update.bundle import About, about_of

_VERSION: Final = re.compile(r'(?m)^version="[^"]*"$')
PROGRAM: Final = "bin/saloon-kiosk"


def _run(*command: str | Path) -> bytes:
    tool = shutil.which(str(command[0]))
    if tool is None:
        raise Unavailable(f"{command[0]} is missing: apt install squashfs-tools")
    done = subprocess.run([tool, *map(str, command[1:])], capture_output=True, check=False)
    if done.returncode:
        raise BadData(
            str(command[-1]), done.stderr.decode(errors="replace").strip() or f"{command[0]} failed"
        )
    return done.stdout


def release_of(payload: Path) -> About:
    """Return the version of the tree in a squashfs. Raises BadData if it isn't a terminal's."""
    about, kind = about_of(_run("unsquashfs", "-cat", payload, "release"), f"{payload}: release")
    if kind != "terminal" or not about.architecture:
        raise BadData(str(payload), f"this is the program of a {kind or 'machine of unknown kind'}")
    return about


def squashed(tree: Path, made: Path) -> Path:
    """Write a reproducible squashfs of a tree."""
    made.unlink(missing_ok=True)
    _run(
        "mksquashfs", tree, made, "-quiet", "-no-progress", "-all-root", "-no-xattrs",
        "-comp", "zstd", "-Xcompression-level", "5", "-b", "256K", "-mkfs-time", "0", "-all-time", "0",
    )  # fmt: skip
    return made


def unpacked(payload: Path, tree: Path) -> Path:
    _run("unsquashfs", "-no-progress", "-no-xattrs", "-d", tree, payload)
    return tree


def renamed(tree: Path, version: str) -> None:
    """Change the version in a tree's ``release`` file."""
    file = tree / "release"
    text = file.read_text(encoding="utf-8")
    file.write_text(_VERSION.sub(f'version="{version}"', text), encoding="utf-8")
