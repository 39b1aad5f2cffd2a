"""Games that take hours: played by several processes and kept in a file, where another run continues."""

import hashlib
import logging
import os
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog
from rich.progress import track

_Job = TypeVar("_Job")
_Outcome = TypeVar("_Outcome")


class _Kept(msgspec.Struct, frozen=True):
    """A game that was played. game: its name, and the program's trees, as text."""

    game: str
    outcome: msgspec.Raw


def play_all(
    jobs: Mapping[str, _Job], play: Callable[[_Job], _Outcome], kind: type[_Outcome], workers: int, kept: Path
) -> dict[str, _Outcome]:
    """Play the games that are not in the file yet, add them to it, and return all by name.

    Raise an ExceptionGroup, once all others are in the file, if games could not be played to their end.
    """
    found: dict[str, _Outcome] = {}
    for line in kept.read_bytes().splitlines() if kept.exists() else ():
        name, _, tree = (one := msgspec.json.decode(line, type=_Kept)).game.rpartition(" ")
        if name in jobs and tree == _tree():
            found[name] = msgspec.json.decode(one.outcome, type=kind)
    kept.parent.mkdir(parents=True, exist_ok=True)
    failed: list[Exception] = []
    with ProcessPoolExecutor(workers, initializer=_be_quiet) as pool, kept.open("ab") as file:
        running = {pool.submit(play, job): name for name, job in jobs.items() if name not in found}
        for done in track(as_completed(running), "Games", total=len(running)):
            name = running[done]
            if isinstance(error := done.exception(), Exception):
                error.add_note(name)
                failed.append(error)
                continue
            found[name] = done.result()
            played = _Kept(f"{name} {_tree()}", msgspec.Raw(msgspec.json.encode(found[name])))
            file.write(msgspec.json.encode(played) + b"\n")
            file.flush()
    if failed:
        raise ExceptionGroup(f"{len(failed)} games could not be played to their end", failed)
    return found


def _be_quiet() -> None:
    """Draw on no screen and log nothing, in a worker."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@cache
def _tree() -> str:
    """Return the hash of what is played with, so that a table never mixes games of different programs."""
    rooms = ("HEAD:core", "HEAD:kiosk", "HEAD:tests/forgetful", "HEAD:tests/true_games")
    found = subprocess.run(("git", "rev-parse", *rooms), capture_output=True, text=True, check=True)
    return hashlib.sha256(found.stdout.encode()).hexdigest()[:12]
