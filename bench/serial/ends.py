"""Saloon's ends of a serial line as two programs: a terminal that sends events, and a station.

python -m bench.serial.ends send TTY FILE    # each line of the file is an event, sent as an entry
python -m bench.serial.ends take TTY FILE    # writes the station's durable entries as lines

They keep their files beside the TTY. The station ends after the last event, which contains "over".
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bench.hall.one_process import BenchStation, BenchTerminal
from bench.serial.rig import linked
from sync.protocol.entry import StreamId, content_of

_LOOK_S = 0.05
_MOST = 1_000_000


@dataclass
class Elsewhere:
    """A station in another process, known only by its certificate."""

    identity: tuple[Path, Path]
    port: int = 0


def send(device: Path, file: Path) -> None:
    """Save all lines as entries at once, and wait until the station has them."""
    identity = device.parent / "station" / "key.pem", device.parent / "station" / "certificate.pem"
    while not all(one.exists() for one in identity):
        time.sleep(_LOOK_S)
    terminal = BenchTerminal(device.parent / "terminal", Elsewhere(identity), linked(device))
    for line in file.read_text(encoding="ascii").splitlines():
        terminal.append(msgspec.msgpack.encode(line), 1)
    terminal.wait_received()
    terminal.stop()


def take(device: Path, file: Path) -> None:
    """Write the store's entries to a file as they arrive."""
    with BenchStation(device.parent / "station", [("line", lambda: linked(device))]) as station:
        lines: list[str] = []
        while not (lines and "over" in lines[-1]):
            time.sleep(_LOOK_S)
            for terminal in station.terminals():
                entries = station.store.entries(StreamId(f"table/{terminal}"), len(lines), _MOST)
                lines += [msgspec.msgpack.decode(content_of(e.raw).body, type=str) for e in entries]
            file.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        # The last acknowledgement is still on the line.
        time.sleep(1.0)


if __name__ == "__main__":
    role, tty_name, name = sys.argv[1:]
    {"send": send, "take": take}[role](Path(tty_name), Path(name))
