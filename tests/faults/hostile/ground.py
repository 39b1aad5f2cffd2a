"""A station under attack with an honest terminal at work, and what both are measured by."""

import asyncio
import gc
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from sync.ports.tcp import TcpPort
from sync.station.hub import HubLimits
from sync.terminal.routes import StationRoute
from tests.faults.hostile.peers import Door, Peer, Recorder, peers
from tests.rigs.ends import Station, Terminal
from tests.sync.conftest import signed_by_key

GREETING_S = 2.0
"""Of 10 in the hall: long enough for a busy machine, short enough for a test."""
_PAGE = 4096


class Ground:
    """The station, the honest terminal, and the peers who will attack."""

    def __init__(self, folder: Path) -> None:
        self.station = Station(folder, limits=HubLimits(greeting_s=GREETING_S))
        self.station.start()
        self.door = Door(self.station.port, self.station.identity[1].read_text())
        recorder = Recorder(self.door)
        way = StationRoute("tcp", lambda: TcpPort("127.0.0.1", recorder.port))
        first = Terminal(folder / "honest", self.station, ways=(way,))
        enrolling = threading.Thread(target=recorder.carry, args=(lambda: bool(self.station.known),))
        enrolling.start()
        first.agent.start()
        enrolling.join()
        first.agent.stop()
        self.recorded = recorder.received
        self.honest = Terminal(folder / "honest", self.station, token="")
        self.honest.agent.start()
        signed = signed_by_key(folder / "honest", folder / "signed")
        self.peers = peers(self.recorded, signed, folder)
        self._said: list[bytes] = []

    @property
    def said(self) -> int:
        return len(self._said)

    def works(self, entries: int = 20) -> None:
        """The honest terminal's entries are received while whatever goes on goes on."""
        for _ in range(entries):
            body = msgspec.msgpack.encode(len(self._said))
            self._said.append(body)
            self.honest.agent.append(body)
        self.honest.wait_received(len(self._said))

    def check(self) -> None:
        """Everything that holds whatever was done. Raises AssertionError."""
        assert self.station.raws(self.honest.id) == tuple(self._said)
        assert {stream for stream, _, _ in self.station.store.rows} <= {self.honest.stream}
        assert list(self.station.known) == [self.honest.id]
        assert not self.station.alarms
        assert not self.station.quarantine
        assert not [who for who, _ in self.station.links if who != self.honest.id]

    def waiting(self) -> int:
        """Connections that the station holds now."""

        async def count() -> int:
            return len(asyncio.all_tasks()) - 1

        return self.station.call(count())

    def close(self) -> None:
        self.honest.agent.stop()
        self.station.stop()


@contextmanager
def ground(folder: Path) -> Iterator[Ground]:
    """A ground that is left in order."""
    made = Ground(folder)
    try:
        yield made
    finally:
        made.close()


def attacked(here: Ground, peer: Peer, times: int, seed: int) -> None:
    """So many attacks of a peer, four at once, while the honest terminal works."""
    problems: list[BaseException] = []

    def some(number: int) -> None:
        chance = random.Random(seed * 100 + number)
        try:
            for _ in range(times // 4):
                peer.attack(here.door, chance)
        except BaseException as error:  # noqa: BLE001 (told in the end)
            problems.append(error)

    threads = [threading.Thread(target=some, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    here.works()
    for thread in threads:
        thread.join()
    here.works(1)
    here.check()
    if problems:
        raise problems[0]


def grown(work: Callable[[], None]) -> int:
    """Return by how many bytes this process has grown permanently during some work."""
    gc.collect()
    before = _resident()
    work()
    gc.collect()
    return _resident() - before


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE
