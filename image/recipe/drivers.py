"""Which of the kernel's drivers are kept, and which the initramfs needs, from the list of what needs what."""

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

Needs = Mapping[str, tuple[str, ...]]
"""A driver's file, relative to the kernel's folder -> the files it needs, all of them."""


def needs_of(modules_dep: str) -> Needs:
    """The file ``modules.dep`` that depmod wrote."""
    needs = {}
    for line in modules_dep.splitlines():
        driver, _, others = line.partition(":")
        needs[driver] = tuple(others.split())
    return needs


def name_of(driver: str) -> str:
    """The kernel's name of a driver's file: without folder and ending, and with underscores."""
    return PurePosixPath(driver).name.split(".ko")[0].replace("-", "_")


def with_needs(chosen: Iterable[str], needs: Needs) -> frozenset[str]:
    """These drivers and everything that they need."""
    kept = set(chosen)
    for driver in tuple(kept):
        kept.update(needs[driver])
    return frozenset(kept)


def kept_of(needs: Needs, excluded: Iterable[str]) -> frozenset[str]:
    """The drivers outside the excluded folders (patterns below ``kernel/``), and what those need inside."""
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
    """The drivers of these names and what they need; a name without a file is passed over."""
    wanted = {name.replace("-", "_") for name in names}
    return with_needs((driver for driver in needs if name_of(driver) in wanted), needs)


def names_in(text: str) -> Iterator[str]:
    """The names in a list of drivers: one in a line, ``#`` begins a remark."""
    for line in text.splitlines():
        name = line.split("#", 1)[0].strip()
        if name:
            yield name


def kernel_in(root: Path) -> str:
    """The version of the one kernel of a root, e.g. ``6.1.0-40-arm64``."""
    (folder,) = (root / "usr/lib/modules").iterdir()
    return folder.name
