"""A serial line at 115,200 baud: throughput, and recovery after noise and cuts, beside other programs.

All of them use a simulated line between ptys that delivers bytes every 16 ms, as USB adapters do. The peers
are file transfer programs in the same run, including their start and end; other figures are compared with the
design's target.
"""

import contextlib
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench.figure import Effort, Figure, Measurement, Once
from bench.serial.cuts import QUANTUM_MS, after_cuts, events
from bench.serial.peers import PEERS, SALOON, Peer, last_words
from bench.serial.recovery import BURST_MS, after_bursts_ms, after_tails_ms
from bench.serial.rig import BYTES_A_S, Rig, elapsed_s, pumped
from bench.serial.stack import BACKLOG, backlog_s, idle_ms, replugged_s

NOISE = (("clean", 0.0, 92), ("1 wrong bit in 100,000", 1e-5, 85), ("1 wrong bit in 10,000", 1e-4, 60))
BYTES = 120_000
_PATIENCE_S = 60.0
_FRAME, _TAIL, _ENTRY_AND_ACK, _HANDSHAKE = 503, 76, 233, 2_000
"""The number of bytes on the line from which lower bounds are computed, without any waits."""


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of throughput, losses after cuts, recovery, and the whole stack's times."""
    return (*_shares(effort), *_losses(effort), *_times(effort))


def _shares(effort: Effort) -> Iterator[Measurement]:
    for words, flips, aim in NOISE:
        what, least = f"serial payload share of the line, {words}", f">= {aim} %"
        ours = Once(partial(link_share, flips, QUANTUM_MS, effort))

        def beside(
            peer: Peer, what: str = what, least: str = least, flips: float = flips, ours: Once[float] = ours
        ) -> Sequence[Figure]:
            return [Figure(what, "%", ours(), peer.name, peer_share(peer, flips, effort), "more", least)]

        for peer in PEERS:
            yield Measurement(f"serial share, {words}, {peer.name}", partial(beside, peer))


def link_share(flips: float, quantum_ms: float, effort: Effort) -> float:
    """Return the link's payload as a percentage of the line's capacity."""
    with tempfile.TemporaryDirectory() as name, Rig(Path(name), flips=flips, quantum_ms=quantum_ms) as rig:
        ends = rig.linked()
        sent = events(effort.count(BYTES // 61, 40))
        took_s = elapsed_s(lambda: pumped(ends, sent))
        return 100 * len(sent) / took_s / BYTES_A_S


def peer_share(peer: Peer, flips: float, effort: Effort) -> float:
    """Return a peer's payload as a percentage of the line's capacity, within a time limit.

    Raises RuntimeError with the peer's last output if nothing arrived.
    """
    with tempfile.TemporaryDirectory() as name, Rig(Path(name), flips=flips, quantum_ms=QUANTUM_MS) as rig:
        here, there = Path(name) / "here", Path(name) / "there"
        here.mkdir()
        there.mkdir()
        source, target = here / "events", there / "events"
        source.write_bytes(events(effort.count(int(BYTES * peer.share) // 61, 40)))
        taker = peer.taker(rig.b, there, target.name)
        sender = peer.sender(rig.a, source)
        took_s = elapsed_s(lambda: _waited(sender))
        has_ended = sender.poll() is not None
        for process in (sender, taker):
            process.kill()
            process.wait()
        arrived = target.stat().st_size if target.exists() else 0
        if not arrived and has_ended:
            raise RuntimeError(f"nothing arrived; {last_words(there) or last_words(here)}")
        return 100 * arrived / took_s / BYTES_A_S


def _waited(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_S)


def _losses(effort: Effort) -> Iterator[Measurement]:
    ours = Once(lambda: after_cuts(SALOON, effort))
    what = "events lost, doubled or altered after two kills of the receiver and cuts"

    def beside(peer: Peer) -> Sequence[Figure]:
        theirs = after_cuts(peer, effort)
        more = f"{theirs.lost} lost, {theirs.doubled} doubled, {theirs.altered} altered"
        return [Figure(what, "events", ours().all, peer.name, theirs.all, aim="0", more=more)]

    for peer in PEERS:
        yield Measurement(f"serial losses after cuts, {peer.name}", partial(beside, peer))


def _times(effort: Effort) -> Iterator[Measurement]:
    for what, aim, measured, floor, octets in (
        (f"bytes flow again after {BURST_MS} ms of noise, median", "<= 150 ms", after_bursts_ms,
         "the frame after the broken one, and the repeat", 2 * _FRAME),
        ("a message whose only frame is lost arrives, median", "<= 300 ms", after_tails_ms,
         "its frame alone", _TAIL),
        ("saved to received over serial, idle, p99", "<= 150 ms", idle_ms,
         "the frames of entry and ack", _ENTRY_AND_ACK),
    ):  # fmt: skip
        row = Figure(what, "ms", 0.0, floor, 1000 * octets / BYTES_A_S, aim=aim)
        yield Measurement(what, partial(_row, row, partial(measured, QUANTUM_MS, effort)))
    entries = effort.count(BACKLOG, 20)
    what = f"backlog of {entries:,} entries over serial (61 bytes each)"
    row = Figure(what, "s", 0.0, "their bytes alone", entries * 61 / BYTES_A_S, aim="<= 65 s")
    yield Measurement(what, partial(_row, row, partial(backlog_s, QUANTUM_MS, entries)))
    what = "cable plugged in again to first event, longest of 3"
    row = Figure(what, "s", 0.0, "TLS and hello alone", _HANDSHAKE / BYTES_A_S, aim="<= 2 s")
    yield Measurement(what, partial(_row, row, partial(replugged_s, effort)))


def _row(row: Figure, taken: Callable[[], float]) -> Sequence[Figure]:
    """Return a row after measuring its own value."""
    return [replace(row, ours=taken())]
