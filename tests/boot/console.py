"""The lines that a guest's kernel writes to its serial port, with their times by the kernel's own clock."""

import re
import time
from pathlib import Path
from typing import Final

import msgspec

_STAMP: Final = re.compile(r"\[ *(\d+\.\d{6})\]")


class Heard(msgspec.Struct, frozen=True):
    """A line, and when it was whole, in seconds of the host's monotonic clock."""

    at_s: float
    text: str

    @property
    def kernel_s(self) -> float | None:
        """The kernel's stamp; None for a line that has none."""
        stamp = _STAMP.search(self.text)
        return float(stamp[1]) if stamp else None


class Console:
    """Follows a file that QEMU writes. Call ``look`` often: a line is as old as the look before."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._rest = ""
        self.lines: list[Heard] = []

    def look(self) -> None:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        self._read += len(data)
        now = time.monotonic()
        *whole, self._rest = (self._rest + data.decode(errors="replace").replace("\r", "")).split("\n")
        self.lines += [Heard(now, line) for line in whole]

    @property
    def unfinished(self) -> str:
        """The line that has no end yet, as a prompt is."""
        return self._rest

    def offset_s(self) -> float | None:
        """The host's clock when the kernel's was 0; None while no line has a stamp."""
        return offset_of(self.lines)

    def said(self, pattern: str) -> Heard | None:
        return next((line for line in self.lines if re.search(pattern, line.text)), None)


def offset_of(lines: list[Heard]) -> float | None:
    """Return the difference of the host's clock and the kernel's, from the line with the least delay."""
    late = [line.at_s - stamp for line in lines if (stamp := line.kernel_s) is not None]
    return min(late, default=None)
