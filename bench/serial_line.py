"""A serial line at 115,200 baud: its payload, how soon it mends, what a cut costs; beside its peers.

All through one shaped pair of ptys whose bytes come in quanta of 16 ms, as from USB adapters. The
peers are other file senders in the same run, with start and end of their programs; the rest is
beside the aim of the design.
"""

import contextlib
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.figure import Figure
from bench.serial_cuts import QUANTUM_MS, after_cuts, events
from bench.serial_mending import BURST_MS, after_bursts_ms, after_tails_ms
from bench.serial_peers import PEERS, SALOON, Peer
from bench.serial_rig import BYTES_A_S, Rig, elapsed_s, pumped
from bench.serial_stack import BACKLOG, backlog_s, idle_ms, replugged_s

NOISE = (("clean", 0.0, 92), ("1 wrong bit in 100,000", 1e-5, 85), ("1 wrong bit in 10,000", 1e-4, 60))
BYTES = 120_000
_PATIENCE_S = 60.0
_FRAME, _TAIL, _ENTRY_AND_ACK, _HANDSHAKE = 503, 76, 233, 2_000
"""Bytes on the line, of which floors are made: at its speed, without waiting for anything."""


def measure() -> Sequence[Figure]:
    """Shares of the line, losses after cuts, mending, and the whole stack's times."""
    return (*_shares(), *_losses(), *_times())


def _shares() -> list[Figure]:
    found = []
    for words, flips, aim in NOISE:
        what, least = f"serial payload share of the line, {words}", f">= {aim} %"
        ours = link_share(flips, QUANTUM_MS)
        found += [
            Figure(what, "%", ours, peer.name, peer_share(peer, flips), "more", least) for peer in PEERS
        ]
        without = link_share(flips, 0.0)
        found.append(Figure(f"{what}, without quanta", "%", without, "with quanta", ours, "more", least))
    return found


def link_share(flips: float, quantum_ms: float) -> float:
    """The link alone: payload over what the line could carry, in per cent."""
    with tempfile.TemporaryDirectory() as name, Rig(Path(name), flips=flips, quantum_ms=quantum_ms) as rig:
        ends = rig.linked()
        sent = events(BYTES // 61)
        took_s = elapsed_s(lambda: pumped(ends, sent))
        return 100 * len(sent) / took_s / BYTES_A_S


def peer_share(peer: Peer, flips: float) -> float:
    """A peer's file, or what of it was there when patience ended."""
    with tempfile.TemporaryDirectory() as name, Rig(Path(name), flips=flips, quantum_ms=QUANTUM_MS) as rig:
        here, there = Path(name) / "here", Path(name) / "there"
        here.mkdir()
        there.mkdir()
        source, target = here / "events", there / "events"
        source.write_bytes(events(int(BYTES * peer.share) // 61))
        taker = peer.taker(rig.b, there, target.name)
        sender = peer.sender(rig.a, source)
        took_s = elapsed_s(lambda: _waited(sender))
        for process in (sender, taker):
            process.kill()
            process.wait()
        arrived = target.stat().st_size if target.exists() else 0
        return 100 * arrived / took_s / BYTES_A_S


def _waited(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_S)


def _losses() -> list[Figure]:
    ours, what = (
        after_cuts(SALOON),
        "events lost, doubled or altered after two kills of the receiver and cuts",
    )
    found = []
    for peer in PEERS:
        theirs = after_cuts(peer)
        more = f"{peer.name}: {theirs.lost} lost, {theirs.doubled} doubled, {theirs.altered} altered"
        found.append(Figure(what, "events", ours.all, peer.name, theirs.all, aim="0", more=more))
    return found


def _times() -> list[Figure]:
    found = []
    for words, quantum_ms in (("16 ms quanta", QUANTUM_MS), ("no quanta", 0.0)):
        for what, aim, measured, floor, octets in (
            (f"bytes flow again after {BURST_MS} ms of noise, median", "<= 150 ms", after_bursts_ms,
             "the frame after the broken one, and the repeat", 2 * _FRAME),
            ("a message whose only frame is lost arrives, median", "<= 300 ms", after_tails_ms,
             "its frame alone", _TAIL),
            ("saved to received over serial, idle, p99", "<= 150 ms", idle_ms,
             "the frames of entry and ack", _ENTRY_AND_ACK),
        ):  # fmt: skip
            floor_ms = 1000 * octets / BYTES_A_S
            found.append(Figure(f"{what}, {words}", "ms", measured(quantum_ms), floor, floor_ms, aim=aim))
        backlog = f"backlog of {BACKLOG:,} entries over serial (61 bytes each), {words}"
        floor_s = BACKLOG * 61 / BYTES_A_S
        found.append(Figure(backlog, "s", backlog_s(quantum_ms), "their bytes alone", floor_s, aim="<= 65 s"))
    plugged = "cable plugged in again to first event, longest of 3"
    floor_s = _HANDSHAKE / BYTES_A_S
    return [*found, Figure(plugged, "s", replugged_s(), "TLS and hello alone", floor_s, aim="<= 2 s")]
