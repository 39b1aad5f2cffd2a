"""The simplest protocol that works: send a line of JSON with a CRC, and wait for its acknowledgement.

python -m bench.serial.stop_and_wait send TTY FILE    # one event per line of the file
python -m bench.serial.stop_and_wait take TTY FILE
"""

import contextlib
import json
import os
import select
import sys
import termios
import time
import tty
import zlib
from collections.abc import Iterator
from pathlib import Path

_PATIENCE_S = 0.2
"""Seconds until a line is sent again: four frames and the adapters' delay."""
_OVER = -1


class Wire:
    """Lines of text on a tty, which is reopened after the cable was unplugged."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._held = b""
        self._fd = _opened(device)

    def say(self, fields: list[object]) -> None:
        """Send a line, preceded by its CRC."""
        text = json.dumps(fields).encode()
        with self._mended():
            os.write(self._fd, b"%08x %s\n" % (zlib.crc32(text), text))

    def hear(self, patience_s: float) -> Iterator[list[object]]:
        """Yield complete lines until none arrives for this long."""
        while select.select([self._fd], [], [], patience_s)[0]:
            data = b""
            with self._mended():
                data = os.read(self._fd, 4096)
                if not data:
                    raise OSError(self._device)
            *lines, self._held = (self._held + data).split(b"\n")
            for line in lines:
                crc, _, text = line.partition(b" ")
                if crc == b"%08x" % zlib.crc32(text):
                    yield json.loads(text)

    @contextlib.contextmanager
    def _mended(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            os.close(self._fd)
            self._fd = _opened(self._device)

    def drain(self) -> None:
        termios.tcdrain(self._fd)


def _opened(device: str) -> int:
    while True:
        with contextlib.suppress(OSError, termios.error):
            found = os.open(device, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(found)
            return found
        time.sleep(0.1)


def send(wire: Wire, file: Path) -> None:
    """Send each line of the file until it is acknowledged, then an end mark."""
    events = [*enumerate(file.read_text(encoding="ascii").splitlines()), (_OVER, "")]
    for number, event in events:
        while True:
            wire.say([number, event])
            if any(answer == [number] for answer in wire.hear(_PATIENCE_S)):
                break


def take(wire: Wire, file: Path) -> None:
    """Write each new line to the disk, then acknowledge it."""
    last: object = None
    with file.open("a", encoding="ascii") as out:
        while True:
            for number, event in wire.hear(60.0):
                if number == _OVER:
                    wire.say([_OVER])
                    wire.drain()
                    return
                if number != last:
                    out.write(f"{event}\n")
                    out.flush()
                    os.fsync(out.fileno())
                    last = number
                wire.say([number])


if __name__ == "__main__":
    role, device, name = sys.argv[1:]
    {"send": send, "take": take}[role](Wire(device), Path(name))
