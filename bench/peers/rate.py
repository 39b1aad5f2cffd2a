"""The result of a peer, and helpers to measure it."""

import re
import socket
import time
from pathlib import Path

import msgspec

from bench.hall.crowd import RAWS

TERMINALS = 64
OUTSTANDING = 16
WRITERS = 8
"""The connections to a peer, each with the entries in flight of eight terminals."""
TOGETHER = TERMINALS // WRITERS * OUTSTANDING

_PATIENCE_S = 20.0
_CALLS = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+).*\b(?:fsync|fdatasync)$", re.MULTILINE)


class PeerRate(msgspec.Struct, frozen=True):
    """The result of a peer.

    events_per_s: events that the peer calls durable.
    p99_ms: time until they are acknowledged.
    flushes: number of disk flushes, or None if they can't be counted.
    """

    name: str
    events_per_s: float
    p99_ms: float
    flushes: int | None


def counted(file: Path) -> list[str]:
    """Return a command prefix that counts a program's flushes in a file."""
    return ["strace", "-f", "-c", "--seccomp-bpf", "-o", str(file), "-e", "trace=fsync,fdatasync"]


def flushes(file: Path) -> int:
    return sum(int(calls) for calls in _CALLS.findall(file.read_text(encoding="ascii")))


def wait_for(port: int) -> None:
    """Wait until a port of the loopback interface accepts connections. Raises OSError."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


def event(number: int) -> bytes:
    return RAWS[number % len(RAWS)]
