"""The files that a terminal reads from its card before its first picture, to be read ahead.

While systemd loads its units on one core, the others are idle: the initramfs lets one of them
read these files from the card, so that the terminal finds them in memory.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from image.recipe.run import Commands

_LOADED: Final = (
    "import sys; from kiosk.cli.start import load_libraries; "
    "load_libraries(is_virtual=False); import kiosk.terminal.startup.composition; "
    "specs = [(name, getattr(module, '__spec__', None)) for name, module in sys.modules.items()]; "
    "print(*(name for name, spec in specs if spec is not None and spec.has_location))"
)
_NEEDED: Final = re.compile(r"\(NEEDED\)\s+Shared library: \[(.+)\]")
_BESIDE: Final = (
    "usr/lib/locale/C.utf8/LC_CTYPE",
    "usr/lib/*-linux-gnu/libudev.so.1",
    "usr/lib/python3/dist-packages/pygame/pygame_icon.bmp",
)
"""Files that libraries load by themselves."""
_FONTS: Final = "lib/base/fonts/files/*.ttf"
_LIBRARIES: Final = "usr/lib/*-linux-gnu"


class Tree(msgspec.Struct, frozen=True):
    """A place of the board's files on this machine: those below ``prefix`` are in ``folder``."""

    prefix: str
    folder: Path

    def name(self, file: Path) -> str:
        return f"{self.prefix}{file.relative_to(self.folder).as_posix()}"


def read_ahead(root: Path, app: Path, python: str, commands: Commands) -> tuple[str, ...]:
    """Return the files in the order in which they are needed, as names below the board's root.

    root: with all packages, on this machine.
    app: its future /opt/saloon.
    python: the version, such as "3.11".

    Raises StepFailed.
    """
    trees = (Tree("opt/saloon/", app), Tree("", root))
    modules = commands.output("env", "SDL_VIDEODRIVER=dummy", sys.executable, "-c", _LOADED).split()
    loaded = [root / "usr/bin" / f"python{python}", *_modules(modules, _folders(root, app, python))]
    libraries = _linked((file for file in loaded if file.suffix != ".pyc"), root, commands)
    beside = [path for pattern in _BESIDE for path in sorted(root.glob(pattern))]
    wanted = (*loaded[:1], *libraries, *beside, *loaded, *sorted(app.glob(_FONTS)))
    found = dict.fromkeys(path.resolve() for path in wanted)
    return tuple(_name(path, trees) for path in found)


def _name(file: Path, trees: Sequence[Tree]) -> str:
    return next(tree.name(file) for tree in trees if file.is_relative_to(tree.folder))


def _folders(root: Path, app: Path, python: str) -> tuple[Path, ...]:
    library = root / f"usr/lib/python{python}"
    return (app / "lib", library, library / "lib-dynload", root / "usr/lib/python3/dist-packages")


def _modules(names: Iterable[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of modules, of which those built into the board's Python have none."""
    for name in names:
        *packages, last = name.split(".")
        for folder in (place.joinpath(*packages) for place in folders):
            found = (
                *folder.glob(f"{last}/__pycache__/__init__.cpython-*.pyc"),
                *folder.glob(f"__pycache__/{last}.cpython-*.pyc"),
                *folder.glob(f"{last}.*so"),
            )
            if found:
                yield min(found)
                break


def _linked(programs: Iterable[Path], root: Path, commands: Commands) -> tuple[Path, ...]:
    here = {path.name: path for folder in root.glob(_LIBRARIES) for path in folder.rglob("*.so*")}
    found: dict[str, Path] = {}
    next_ones = tuple(programs)
    while next_ones:
        told = commands.output("readelf", "-d", "-W", *next_ones)
        new = {name: here[name] for name in _NEEDED.findall(told) if name in here and name not in found}
        found.update(new)
        next_ones = tuple(new.values())
    return tuple(found.values())
