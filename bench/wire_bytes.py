"""The bytes on the wire for one event, beside the bare event as MessagePack and as a line of JSON."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.figure import Effort, Figure, Measurement
from bench.hall.one_process import BenchStation, BenchTerminal
from core.game.events import GameStep
from core.game.play.wounds import LoseLife
from core.terms import GameId, SeatNo
from sync.ports.tcp import TcpPort

STEP = GameStep(GameId("0123456789ab-r1-t1-a1"), (LoseLife(SeatNo(3)),))
EVENTS = 500


class CountingPort(TcpPort):
    """A TCP port that counts what it sends."""

    sent = 0

    def write(self, data: bytes) -> int:
        taken = super().write(data)
        self.sent += taken
        return taken


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of single events (a message and a TLS record each), and of many at once."""
    return (Measurement("bytes on the wire of an event", lambda: _bytes_of(effort.count(EVENTS, 20))),)


def _bytes_of(events: int) -> Sequence[Figure]:
    body = msgspec.msgpack.encode(STEP)
    line = len(msgspec.json.encode(STEP)) + 1
    with tempfile.TemporaryDirectory() as name, BenchStation(Path(name) / "station") as station:
        # The first port was used for the enrolment.
        port = CountingPort("127.0.0.1", station.port)
        terminal = BenchTerminal(Path(name) / "terminal", station, port)
        terminal.append(body, 1)
        terminal.wait_received()
        before = port.sent
        for _ in range(events):
            terminal.append(body, 1)
            terminal.wait_received()
        singly = (port.sent - before) / events
        before = port.sent
        terminal.append(body, events)
        terminal.wait_received()
        together = (port.sent - before) / events
        terminal.stop()
    return (
        Figure(
            "bytes on the wire of an event, one at a time",
            "bytes",
            singly,
            "the event as a line of JSON",
            line,
        ),
        Figure(
            "bytes on the wire of an event, many at once",
            "bytes",
            together,
            "the event as a line of JSON",
            line,
        ),
        Figure("bytes on the wire of an event, many at once", "bytes", together, "the bare event", len(body)),
    )
