"""Losses, duplicates and damage if the receiver is killed and the cable unplugged during a transfer."""

import contextlib
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.figure import Effort
from bench.serial.peers import Peer, last_words
from bench.serial.rig import Rig

EVENTS = 600
CUTS_S = (1.2, 2.5)
"""The times of the cuts, in seconds after the first byte has arrived."""
QUANTUM_MS = 16.0
_AWAY_S = 0.5
_PATIENCE_S = 30.0
_LAST_WORDS_S = 5.0
_NAME = "events"


@dataclass(frozen=True)
class Loss:
    """The events that are missing, duplicated, or were never sent."""

    lost: int
    doubled: int
    altered: int

    @property
    def all(self) -> int:
        return self.lost + self.doubled + self.altered


def events(count: int) -> bytes:
    """Return ``count`` events as lines of 61 bytes; the last one marks the end."""
    lines = [f'{{"n":{n:07d},"game":"0123456789ab-r1-t1-a1","step":"life"}}' for n in range(1, count)]
    return "\n".join([*lines, '{"over":1}', ""]).encode()


def loss(sent: bytes, arrived: bytes) -> Loss:
    """Compare the lines that were sent with those that arrived."""
    wanted, there = set(sent.splitlines()), Counter(arrived.splitlines())
    return Loss(
        lost=len(wanted - set(there)),
        doubled=sum(count - 1 for line, count in there.items() if line in wanted),
        altered=sum(line not in wanted for line in there),
    )


def after_cuts(peer: Peer, effort: Effort) -> Loss:
    """Transfer events, kill the receiver and unplug the cable twice, restart, and compare the result.

    Raises RuntimeError with the peer's last output if nothing arrives.
    """
    with tempfile.TemporaryDirectory() as name, Rig(Path(name) / "rig", quantum_ms=QUANTUM_MS) as rig:
        here, there = Path(name) / "here", Path(name) / "there"
        here.mkdir()
        there.mkdir()
        source, target = here / _NAME, there / _NAME
        source.write_bytes(events(effort.count(int(EVENTS * peer.share), 60)))
        taker = peer.taker(rig.b, there, _NAME)
        sender = peer.sender(rig.a, source)
        try:
            _wait_until(lambda: _size(target) > 0 or all(end.poll() is not None for end in (taker, sender)))
            if _size(target) == 0:
                raise RuntimeError(f"nothing arrived; {last_words(there) or last_words(here)}")
            begun = time.monotonic()
            for cut_s in CUTS_S:
                time.sleep(max(0.0, begun + cut_s - time.monotonic()))
                taker.kill()
                taker.wait()
                rig.cut()
                time.sleep(_AWAY_S)
                rig.join()
                taker = peer.taker(rig.b, there, _NAME)
                sender = _again(peer, sender, rig, source)
            with contextlib.suppress(subprocess.TimeoutExpired):
                sender.wait(_PATIENCE_S)
                taker.wait(_LAST_WORDS_S)
        finally:
            for process in (sender, taker):
                process.kill()
                process.wait()
        return loss(source.read_bytes(), target.read_bytes() if target.exists() else b"")


def _again(peer: Peer, sender: subprocess.Popen[bytes], rig: Rig, source: Path) -> subprocess.Popen[bytes]:
    """Return the sender, restarted if it gave up or can't continue, unless it reported success."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        sender.wait(_AWAY_S)
    if sender.poll() == 0 or (sender.poll() is None and peer.goes_on):
        return sender
    sender.kill()
    sender.wait()
    return peer.sender(rig.a, source)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _wait_until(wanted: Callable[[], bool]) -> None:
    """Wait until a condition holds, or a time limit is over."""
    end = time.monotonic() + _PATIENCE_S
    while not wanted() and time.monotonic() < end:
        time.sleep(0.01)
