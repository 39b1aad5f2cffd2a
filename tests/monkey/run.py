"""One evening of a monkey, and what came of it."""

import ctypes
import gc
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from tests.kiosk.rig.fingertips import TouchStyle
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable
from tests.monkey.evenings import GROUPS
from tests.monkey.monkey import Monkey

GLASSES: Final = (
    screen_geometry_for((800, 480)),
    screen_geometry_for((1280, 720)),
    screen_geometry_for((720, 1280)),
    ScreenGeometry(1024, 600, 6.65),
)
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Evening(msgspec.Struct, frozen=True):
    """A game to play: its place, its players and its length.

    number: draws glass, rotation, style, language.
    """

    group: str
    number: int
    seed: int
    touches: int

    def rigging(self) -> Rigging:
        glass = GLASSES[self.number % len(GLASSES)]
        turned = ScreenGeometry(glass.width, glass.height, glass.px_per_mm, self.number // 2 % 4)
        style = (TouchStyle.FINGER, TouchStyle.FINGER_AND_MOUSE)[self.number // 3 % 2]
        return Rigging(turned, style, ("en", "it")[self.number // 5 % 2], paints=True)


class Tally(msgspec.Struct, frozen=True):
    """The result of an evening. rss_kb: of the process when it was over; objects: that Python then knew."""

    touches: int
    games: int
    confirmed: int
    voided: int
    restarts: int
    entries: int
    scenes: dict[str, int]
    rss_kb: int
    objects: int


def play_evening(evening: Evening) -> Tally:
    """Play an evening at a table of its own. Raises Impossible."""
    with tempfile.TemporaryDirectory(prefix="monkey-") as folder:
        table = VirtualTable(Path(folder), evening.rigging())
        try:
            monkey = Monkey(table, GROUPS[evening.group], evening.seed)
            monkey.play(evening.touches)
            entries = table.journal.head().seq
        finally:
            table.close()
    tally = (monkey.touches, monkey.games, monkey.watch.confirmed, monkey.watch.voided, monkey.restarts)
    scenes = dict(Counter(monkey.watch.scenes))
    del monkey, table
    gc.collect()
    return Tally(*tally, entries, scenes, rss_kb(), len(gc.get_objects()))


def rss_kb() -> int:
    """Memory of this process that lies in RAM, in KiB, without what the allocator merely keeps."""
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if give_back is not None:
        give_back(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE // 1024
