"""The locked distributions for a machine: those that it names, and their dependencies."""

import re
from collections.abc import Iterable, Mapping

import msgspec

from base.errors import BadData


class Locked(msgspec.Struct, frozen=True):
    """A distribution in a lock: its name, the lines that pin it by hash, and the ones that need it."""

    name: str
    block: str
    marker: str
    needed_by: tuple[str, ...]


def locked_in(lock: str) -> Mapping[str, Locked]:
    """Return the distributions of a lock, as written by ``make lock``, by name."""
    found = {}
    for block in re.split(r"(?m)^(?=[A-Za-z0-9])", lock):
        head = re.match(r"(?P<name>[A-Za-z0-9._-]+)==[^\s;]+(?:\s*;\s*(?P<marker>[^\\\n]+))?", block)
        if head is None:
            continue
        name = head["name"].lower()
        said = re.sub(r"[#\s]+", " ", block.partition("# via")[2])
        needed_by = tuple(re.sub(r"\(.*?\)", "", word).strip() for word in re.split(r"[ ,]", said) if word)
        pins = "".join(line for line in block.splitlines(keepends=True) if not line.lstrip().startswith("#"))
        found[name] = Locked(name, pins, (head["marker"] or "").strip(), needed_by)
    return found


def needed(names: Iterable[str], locked: Mapping[str, Locked], system: frozenset[str]) -> tuple[Locked, ...]:
    """Return these distributions and their dependencies, except the system's and those for other platforms.

    Raises BadData for a name that is not locked.
    """
    chosen: dict[str, Locked] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in chosen or name in system:
            continue
        if name not in locked:
            raise BadData("image/packages.toml", f"{name} is not in any lock of requirements/: run make lock")
        chosen[name] = locked[name]
        waiting += [
            other.name
            for other in locked.values()
            if name in other.needed_by and "== 'win32'" not in other.marker
        ]
    return tuple(chosen[name] for name in sorted(chosen))


def text_of(chosen: Iterable[Locked]) -> str:
    return "".join(locked.block for locked in chosen)
