"""The files of an image laid over an empty root, as the recipe lays them."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

IMAGE = Path(__file__).parents[2] / "image"
SYSTEM_UNITS = Path("/lib/systemd/system")
UNITS = "usr/lib/systemd/system"
_MERGED = ("bin", "sbin", "lib")
_EXEC = re.compile(r"(?m)^Exec\w+=[-+!@:]*(/\S+)")


def files_of(*trees: Path) -> Iterator[tuple[Path, Path]]:
    """Each file (or link) of these trees with its place below the root."""
    for tree in trees:
        for path in sorted(tree.rglob("*")):
            if path.is_symlink() or path.is_file():
                yield path, path.relative_to(tree)


class Laid:
    """The files of a kind of image, by their places below the root."""

    def __init__(self, kind: str) -> None:
        self.trees = (IMAGE / "common" / "root", IMAGE / kind / "root")
        self.places = {str(place): path for path, place in files_of(*self.trees)}
        self.units = [Path(name).name for name in self.places if name.startswith(f"{UNITS}/saloon-")]

    def text(self, name: str) -> str:
        return self.places[name].read_text(encoding="utf-8")

    def unit(self, name: str) -> str:
        return self.text(f"{UNITS}/{name}")


TERMINAL, STATION = Laid("terminal"), Laid("station")


def analyzed(root: Path, *words: str) -> str:
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    done = subprocess.run(
        ["systemd-analyze", *words], env=environment, capture_output=True, text=True, check=False, cwd=root
    )
    return done.stdout + done.stderr


def programs_named(unit: str) -> set[str]:
    return set(_EXEC.findall(unit))


def lay_out(root: Path, *trees: Path) -> None:
    """Make a root of these trees, with the system's own units and a stand-in for each of its programs."""
    for name in _MERGED:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    shutil.copytree(SYSTEM_UNITS, root / "usr/lib/systemd/system", symlinks=True, dirs_exist_ok=True)
    ours: set[str] = set()
    for path, place in files_of(*trees):
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
        if path.suffix in {".service", ".conf"} and not path.is_symlink():
            ours |= programs_named(path.read_text(encoding="utf-8"))
    for program in ours:
        if not program.startswith("/usr/lib/saloon/"):
            _stand_in(root / program[1:])


def _stand_in(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        os.chmod(path, 0o755)  # noqa: PTH101 (through the link of a merged /usr)
