"""A version sent over a real connection, on which more important messages go first."""

import asyncio
import os
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import TerminalId
from sync.station.hub import Hub
from sync.station.terminal_session import BundleServer
from sync.terminal.agent_contract import IdleChanged, OrderArrived
from sync.update.bundle import About
from sync.update.fetcher import UpdateFetcher
from sync.update.messages import (
    UpdateMessage,
    UpdateNews,
    UpdateOffer,
    UpdatePiece,
    UpdateReported,
    UpdateStage,
    UpdateWant,
)
from tests.rigs.ends import Running, Start, Station, Terminal
from tests.sync.update.rig import NEW, OLD, head_for, image_in

PAYLOAD = os.urandom(400_000)
HEAD = head_for(PAYLOAD)
T1 = TerminalId("t1")


class Shelf:
    """A station's versions: one payload for every terminal."""

    def __init__(self) -> None:
        self.about = About("0.3.0")
        self.runs: dict[TerminalId, About | None] = {}
        self.says: list[UpdateReported] = []
        self.pieces: list[tuple[int, int]] = []
        self.is_away = False

    def on_introduction(self, terminal: TerminalId, about: About | None) -> None:
        self.runs[terminal] = about

    def on_progress(self, terminal: TerminalId, report: UpdateReported) -> None:
        assert terminal in self.runs
        self.says.append(report)

    async def piece(self, digest: bytes, offset: int, length: int) -> bytes:
        assert digest == HEAD.manifest.digest
        if self.is_away:
            raise Unavailable("the disk refuses")
        self.pieces.append((offset, length))
        return PAYLOAD[offset : offset + length]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def station(tmp_path: Path, shelf: Shelf, running: Running) -> Station:
    made = Station(tmp_path / "s")
    made.hub = Hub(made.store, made, made.identity, made, offering=shelf)
    return running(made)


def test_a_version_comes_over_tls_while_entries_and_orders_go_on(
    station: Station, shelf: Shelf, tmp_path: Path, started: Start
) -> None:
    place = image_in(tmp_path / "image")
    terminal = Terminal(tmp_path / "t", station)
    terminal.uplink.fetch_with(UpdateFetcher(place))
    started(terminal)
    terminal.agent.ask(IdleChanged(is_idle=True))
    station.wait_for(lambda: shelf.runs.get(terminal.id) == OLD)
    station.on_loop(lambda: station.hub.offer(terminal.id, UpdateOffer(HEAD.data)))
    for number in range(1, 21):
        terminal.agent.append(msgspec.msgpack.encode(number))
        station.give_order(terminal.id, msgspec.msgpack.encode(number))
    terminal.wait_received(20)
    terminal.wait_for(lambda news: isinstance(news, OrderArrived) and news.seq == 20)
    terminal.wait_for(
        lambda news: isinstance(news, UpdateNews) and news.progress.stage is UpdateStage.WAITING
    )
    station.wait_for(lambda: shelf.says[-1:] != [] and shelf.says[-1].stage is UpdateStage.WAITING)
    terminal.agent.stop()
    assert (place.incoming / f"{HEAD.manifest.name}.part").read_bytes() == PAYLOAD
    assert sum(length for _, length in shelf.pieces) == len(PAYLOAD)
    assert not station.alarms


def test_an_older_terminal_is_known_as_one_that_says_nothing(
    station: Station, shelf: Shelf, terminal: Terminal
) -> None:
    station.wait_for(lambda: terminal.id in shelf.runs)
    station.on_loop(lambda: station.hub.offer(terminal.id, UpdateOffer(HEAD.data)))
    terminal.deliver(b"\x01")
    terminal.agent.stop()
    assert shelf.runs == {terminal.id: None}
    assert shelf.says == []


def want(offset: int) -> UpdateWant:
    return UpdateWant(HEAD.manifest.digest, offset, 100)


def test_a_piece_waits_until_no_order_is_under_way(shelf: Shelf) -> None:
    async def _run() -> None:
        giving, quiet = BundleServer(T1, shelf), asyncio.Event()
        first = giving.on_message(want(0))
        assert first == want(0)
        answer = asyncio.create_task(giving.piece(first, quiet.wait()))
        await asyncio.sleep(0)
        assert giving.on_message(want(500)) is None
        assert shelf.pieces == []
        quiet.set()
        assert await answer == UpdatePiece(HEAD.manifest.digest, 500, PAYLOAD[500:600])

    asyncio.run(_run())


def test_a_disk_that_refuses_costs_a_piece_and_no_line(shelf: Shelf) -> None:
    async def _run() -> None:
        giving, quiet = BundleServer(T1, shelf), asyncio.Event()
        quiet.set()
        shelf.is_away = True
        assert await giving.piece(want(0), quiet.wait()) is None
        shelf.is_away = False
        assert giving.on_message(want(0)) == want(0)

    asyncio.run(_run())


@pytest.mark.parametrize("message", [UpdateOffer(b""), UpdatePiece(bytes(32), 0, b"")])
def test_what_only_a_station_says_is_a_fault_of_the_terminal(shelf: Shelf, message: UpdateMessage) -> None:
    with pytest.raises(PeerFault, match="a terminal must not send"):
        BundleServer(T1, shelf).on_message(message)


def test_what_a_terminal_says_of_itself_is_told_on(shelf: Shelf) -> None:
    giving = BundleServer(T1, shelf)
    giving.on_introduction(NEW)
    assert giving.on_message(UpdateReported(UpdateStage.FETCHING)) is None
    assert (shelf.runs, shelf.says) == ({T1: NEW}, [UpdateReported(UpdateStage.FETCHING)])
