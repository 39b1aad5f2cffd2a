"""A table on the host that is given what the guest's table is given: its screen is what both must show.

The twin is the whole terminal with its scenes, on SDL's dummy screen; it tells where its targets lie, and
answers each touch as the guest must.
"""

import contextlib
import sqlite3
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from PIL import Image

from core.game.orders import Order
from kiosk.rehearsal.seen import Seen
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import screen_geometry_for
from sync.protocol.entry import StreamId, content_of
from tests.boot.expected import noticed
from tests.boot.pictures import differing, picture_of
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable

_orders = msgspec.msgpack.Decoder(Order)


class StationRecord:
    """A station's records of the one terminal that it has enrolled. folder: its data."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "station.sqlite"

    def raws(self, prefix: str) -> tuple[bytes, ...]:
        """The entries of the stream that starts so, ordered by number; of nothing else."""
        with contextlib.closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "SELECT raw FROM entries WHERE stream LIKE ? ORDER BY stream, seq", (prefix + "%",)
            )
            return tuple(bytes(raw) for (raw,) in rows)

    def numbers(self, prefix: str) -> tuple[tuple[StreamId, int], ...]:
        with contextlib.closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "SELECT stream, seq FROM entries WHERE stream LIKE ? ORDER BY stream, seq", (prefix + "%",)
            )
            return tuple((StreamId(stream), int(seq)) for stream, seq in rows)


class Twin:
    """The table on the host. folder: of its journal; size: of its screen."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.table = VirtualTable(folder, Rigging(glass=screen_geometry_for(size), paints=True))
        self._ordered = 0
        self._lived_s = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.table.close()

    def ordered(self, raws: tuple[bytes, ...]) -> None:
        for raw in raws[self._ordered :]:
            self.table.order(_orders.decode(content_of(raw).body))
        self._ordered = len(raws)

    def keep_time(self) -> None:
        """Let as much time pass for it as has passed: what a scene shows for a while is over in both."""
        now = time.monotonic()
        self.table.advance(now - self._lived_s)
        self._lived_s = now

    def see(self) -> Seen:
        """Its screen as players see it."""
        return self.table.see()

    def place(self, name: str) -> tuple[int, int]:
        x, y, width, height = self.table.target(name).rect
        return x + width // 2, y + height // 2

    def touch(self, name: str) -> None:
        """Touch it there, as long as the target wants."""
        self.table.touch(name)

    @property
    def noticed(self) -> TableScreen:
        """Its screen under the notice of a board without pins."""
        return noticed(self.table.rigging.glass, self.table.view)

    def picture(self) -> Image.Image:
        return picture_of(self.table.screen)

    def differing(self, seen: Image.Image) -> dict[str, float]:
        """The blocks of its screen that a guest's has not, and the share of pixels that are off."""
        return differing(seen, self.table.screen)
