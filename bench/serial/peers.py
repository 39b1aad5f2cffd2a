"""Other programs that transfer a file over a serial line, each with a sender and a receiver process."""

import os
import shutil
import subprocess
import sys
import tty
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from base.errors import Unavailable

_ROOT: Final = Path(__file__).parents[2]
_OUTPUT: Final = "output"

# Kermit 11 asks before writing a file, while older versions don't know this option.
_KERMIT = (
    "set flow none, set parity none, set carrier-watch off, set streaming off, set reliable off, "
    "set block-check 3, set window 8, set receive packet-length 1000, set send packet-length 1000, "
    "set control unprefixed all, set file type binary, set transfer mode manual, set delay 0, "
    "set file collision overwrite, set transfer display none, set transfer cancel off, set retry 60, "
    "set receive timeout 2, set send timeout 2, "
    "if > \\v(version) 1099999 set receive confirm off"
)


@dataclass(frozen=True)
class Peer:
    """A program that transfers a file.

    send, take: commands with the placeholders ``{tty}``, ``{file}`` and ``{directory}``.
    on_tty: they use standard input and output as the line.
    goes_on: the sender survives an unplugged cable; others are restarted.
    share: fraction of the usual amount of data, for a slow program.
    """

    name: str
    send: Sequence[str]
    take: Sequence[str]
    on_tty: bool = False
    goes_on: bool = False
    share: float = 1.0

    def sender(self, device: Path, file: Path) -> subprocess.Popen[bytes]:
        return self._begun(self.send, device, file, file.parent)

    def taker(self, device: Path, directory: Path, name: str) -> subprocess.Popen[bytes]:
        return self._begun(self.take, device, directory / name, directory)

    def _begun(
        self, command: Sequence[str], device: Path, file: Path, directory: Path
    ) -> subprocess.Popen[bytes]:
        words = [part.format(tty=device, file=file, directory=directory) for part in command]
        if shutil.which(words[0]) is None:
            raise Unavailable(f"{words[0]} is not installed: make peers")
        line = os.open(device, os.O_RDWR | os.O_NOCTTY) if self.on_tty else None
        try:
            if line is not None:
                tty.setraw(line)
            with (directory / _OUTPUT).open("ab") as output:
                return subprocess.Popen(
                    words,
                    stdin=line or subprocess.DEVNULL,
                    stdout=line or output,
                    stderr=output,
                    cwd=directory,
                    # Receivers write to their working directory, where this package wouldn't be found.
                    env={**os.environ, "PYTHONPATH": str(_ROOT)},
                )
        finally:
            if line is not None:
                os.close(line)


def last_words(directory: Path) -> str:
    """Return the last readable line of a peer's output, or an empty text."""
    file = directory / _OUTPUT
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.exists() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


SALOON = Peer(
    "Saloon",
    (sys.executable, "-m", "bench.serial.ends", "send", "{tty}", "{file}"),
    (sys.executable, "-m", "bench.serial.ends", "take", "{tty}", "{file}"),
    goes_on=True,
)
PEERS = (
    Peer(
        "JSON lines with CRC, stop and wait",
        (sys.executable, "-m", "bench.serial.stop_and_wait", "send", "{tty}", "{file}"),
        (sys.executable, "-m", "bench.serial.stop_and_wait", "take", "{tty}", "{file}"),
        goes_on=True,
        share=0.25,
    ),
    Peer(
        "zmodem (lrzsz)",
        ("sz", "--binary", "--resume", "--quiet", "{file}"),
        ("rz", "--binary", "--resume", "--quiet"),
        on_tty=True,
    ),
    Peer(
        "Kermit (long packets, window of 8)",
        ("kermit", "-Y", "-C", f"set line {{tty}}, set speed 115200, {_KERMIT}, send {{file}}, exit"),
        ("kermit", "-Y", "-C", f"set line {{tty}}, set speed 115200, {_KERMIT}, receive, exit"),
    ),
    Peer(
        "TCP in HDLC frames (no PPP in this kernel)",
        ("unshare", "--net", sys.executable, "-m", "bench.serial.tcp_over_hdlc", "send", "{tty}", "{file}"),
        ("unshare", "--net", sys.executable, "-m", "bench.serial.tcp_over_hdlc", "take", "{tty}", "{file}"),
        goes_on=True,
    ),
)
