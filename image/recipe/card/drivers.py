"""The kernel's drivers to keep, and those for the initramfs, from depmod's list of dependencies."""

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

Needs = Mapping[str, tuple[str, ...]]
"""Each driver's file, relative to the kernel's folder, with all its dependencies."""


def needs_of(modules_dep: str) -> Needs:
    """Parse depmod's file ``modules.dep``."""
    needs = {}
    for line in modules_dep.splitlines():
        driver, _, others = line.partition(":")
        needs[driver] = tuple(others.split())
    return needs


def name_of(driver: str) -> str:
    """Return the kernel's name of a driver's file: no folder, no extension, and underscores."""
    return PurePosixPath(driver).name.split(".ko")[0].replace("-", "_")


def with_needs(chosen: Iterable[str], needs: Needs) -> frozenset[str]:
    """Return these drivers and all their dependencies."""
    kept = set(chosen)
    for driver in tuple(kept):
        kept.update(needs[driver])
    return frozenset(kept)


def kept_of(needs: Needs, excluded: Iterable[str]) -> frozenset[str]:
    """Return the drivers outside the excluded folders (patterns below ``kernel/``), with dependencies."""
    patterns = tuple(f"kernel/{pattern}" for pattern in excluded)
    outside = [
        driver
        for driver in needs
        if not any(
            fnmatch.fnmatchcase(driver, f"{pattern}/*") or fnmatch.fnmatchcase(driver, pattern)
            for pattern in patterns
        )
    ]
    return with_needs(outside, needs)


def named(names: Iterable[str], needs: Needs) -> frozenset[str]:
    """Return the drivers with these names, if they exist, and their dependencies."""
    wanted = {name.replace("-", "_") for name in names}
    return with_needs((driver for driver in needs if name_of(driver) in wanted), needs)


def names_in(text: str) -> Iterator[str]:
    """Yield the names in a list of drivers, which has one per line; ``#`` starts a comment."""
    for line in text.splitlines():
        name = line.split("#", 1)[0].strip()
        if name:
            yield name


def kernel_in(root: Path) -> str:
    """Return the version of the only kernel in a root, such as ``6.1.0-40-arm64``."""
    (folder,) = (root / "usr/lib/modules").iterdir()
    return folder.name
