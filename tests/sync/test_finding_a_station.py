"""Real terminals that look for real stations among typed addresses, spoofed announcements and dead routes."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from base.clock import SystemClock
from sync.ports.addresses import FoundStation
from sync.ports.findings import Finding
from sync.terminal.agent_contract import (
    ForgetAddress,
    LinkChanged,
    LinkPhase,
    LinkReported,
    SendAgain,
    UseAddress,
)
from sync.terminal.routes import RouteSource
from tests.rigs.ends import CleanUp, Running, Start, Station, Terminal, dial


class CallsInTheHall:
    """A network on which these stations announce themselves."""

    def __init__(self, *addresses: str) -> None:
        self.calls = tuple(FoundStation("Saloon", address) for address in addresses)

    def stations(self) -> tuple[FoundStation, ...]:
        return self.calls

    def listen(self, *, wanted: bool) -> None: ...


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{held.getsockname()[1]}"


class Proxy:
    """A proxy between a terminal and a station that can be made to drop all bytes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._door.getsockname()[1]}"
        self.swallows = False
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                one, _ = self._door.accept()
                other = socket.create_connection(("127.0.0.1", self._port))
                self._sockets += [one, other]
                for ends in ((one, other), (other, one)):
                    threading.Thread(target=self._move, args=ends, daemon=True).start()

    def _move(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if not self.swallows:
                    target.sendall(data)

    def close(self) -> None:
        for one in (self._door, *self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


class JumpingClock(SystemClock):
    """The real clock plus an offset that a test can change."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def monotonic_ms(self) -> int:
        return super().monotonic_ms() + self.ahead_ms


def test_an_address_that_is_typed_is_tried_at_once_and_kept(
    station: Station, tmp_path: Path, started: Start
) -> None:
    with closed_port() as wrong:
        terminal = Terminal(tmp_path / "t", station, ways=(dial(wrong, RouteSource.FILE),), dial=dial)
        terminal.agent.start()
        terminal.wait_report(lambda report: report.finding is Finding.NO_STATION)
        terminal.agent.ask(UseAddress(station.address))
        terminal.wait_phase(LinkPhase.CONNECTED)
        terminal.agent.stop()
        again = started(
            Terminal(tmp_path / "t", station, token="", ways=(dial(wrong, RouteSource.FILE),), dial=dial)
        )
        again.wait_phase(LinkPhase.CONNECTED)
        told_last = again.wait_report(lambda report: report.phase is LinkPhase.CONNECTED)
        assert (told_last.typed, told_last.tries) == ((station.address,), 1)


def test_what_is_sent_again_arrives_once_over_a_new_line(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = started(Terminal(tmp_path / "t", station, dial=dial))
    terminal.wait_phase(LinkPhase.CONNECTED)
    terminal.deliver(b"before")
    terminal.agent.ask(SendAgain())
    terminal.wait_report(lambda report: report.phase is LinkPhase.CONNECTED and report.connections > 1)
    terminal.deliver(b"after")


def test_a_typed_address_that_is_taken_away_is_not_tried_after_a_restart(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station, ways=(), dial=dial)
    terminal.agent.start()
    terminal.agent.ask(UseAddress(station.address))
    terminal.wait_phase(LinkPhase.CONNECTED)
    terminal.agent.ask(ForgetAddress(station.address))
    terminal.wait_report(lambda report: report.phase is LinkPhase.CONNECTED and not report.typed)
    terminal.agent.stop()
    again = started(Terminal(tmp_path / "t", station, token="", ways=(), dial=dial))
    again.wait_report(lambda report: report.finding is Finding.NO_WAY)


@pytest.mark.parametrize("typed", ["", ":", "no port", "10.0.0.1:99999", "a b:1"])
def test_what_is_no_address_is_not_kept(station: Station, tmp_path: Path, typed: str, started: Start) -> None:
    terminal = started(Terminal(tmp_path / "t", station, dial=dial))
    terminal.agent.ask(UseAddress(typed))
    terminal.wait_phase(LinkPhase.CONNECTED)
    assert not any(isinstance(news, LinkReported) and news.report.typed for news in terminal.seen)


def test_a_station_heard_in_the_hall_is_found_without_any_address(
    station: Station, tmp_path: Path, started: Start
) -> None:
    hall = CallsInTheHall(station.address)
    terminal = started(Terminal(tmp_path / "t", station, ways=(), dial=dial, hall=hall))
    terminal.wait_phase(LinkPhase.CONNECTED)
    hall.calls = ()
    assert terminal.journal.last_route() == f"tcp {station.address}"


@pytest.mark.slow
def test_spoofed_calls_keep_no_terminal_from_a_good_address(
    station: Station, tmp_path: Path, running: Running, started: Start
) -> None:
    liar = running(Station(tmp_path / "liar"))
    liar_at = f"tcp {liar.address}"
    hall = CallsInTheHall(liar.address, *[f"127.0.0.{n}:{liar.port}" for n in range(2, 60)])
    ways = (dial(station.address, RouteSource.FILE),)
    terminal = started(Terminal(tmp_path / "t", station, ways=ways, dial=dial, hall=hall))
    terminal.wait_phase(LinkPhase.CONNECTED)
    assert not liar.links
    station.call(station.hub.stop())
    terminal.wait_report(lambda report: liar_at in report.ways and report.tries > 3)
    running(Station(tmp_path, former=station), port=station.port)
    terminal.deliver(b"\x01")
    assert not liar.known
    assert not any(
        isinstance(news, LinkChanged) and news.phase is LinkPhase.REFUSED for news in terminal.seen
    )


@pytest.mark.slow
def test_when_one_station_dies_the_next_has_the_terminal_within_two_seconds(
    tmp_path: Path, running: Running, started: Start
) -> None:
    first = running(Station(tmp_path))
    second = running(Station(tmp_path, former=first))
    ways = (dial(first.address, RouteSource.FILE), dial(second.address, RouteSource.FILE))
    terminal = started(Terminal(tmp_path / "t", first, ways=ways))
    terminal.deliver(b"\x01")
    terminal.seen.clear()
    first.call(first.hub.stop())
    began = time.monotonic()
    terminal.deliver(b"\x02")
    assert time.monotonic() - began < 2
    assert second.links[-1] == (terminal.id, "tcp")


def test_a_connection_that_became_a_black_hole_is_left_after_15_s_for_another_way(
    station: Station, tmp_path: Path, clean_up: CleanUp, started: Start
) -> None:
    proxy = Proxy(station.port)
    clean_up(proxy.close)
    clock = JumpingClock()
    ways = (dial(proxy.address, RouteSource.FILE), dial(station.address, RouteSource.FILE))
    terminal = started(Terminal(tmp_path / "t", station, ways=ways, clock=clock))
    terminal.deliver(b"\x01")
    proxy.swallows = True
    terminal.seen.clear()
    clock.ahead_ms += 13_000
    terminal.agent.append(b"\x02")
    terminal.wait_saved(2)
    assert not any(isinstance(news, LinkChanged) for news in terminal.seen)
    clock.ahead_ms += 3_000
    terminal.agent.wake()
    terminal.wait_received(2)
    terminal.wait_report(lambda report: report.way == f"tcp {station.address}")
    assert proxy.swallows


def test_somebody_who_takes_the_call_and_says_nothing_is_named(
    station: Station, tmp_path: Path, started: Start
) -> None:
    clock = JumpingClock()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        terminal = Terminal(
            tmp_path / "t",
            station,
            ways=(dial(address, RouteSource.FILE), dial(station.address, RouteSource.FILE)),
            clock=clock,
        )
        started(terminal)
        terminal.wait_report(lambda report: report.tries == 1)
        clock.ahead_ms += 4_000
        terminal.agent.wake()
        terminal.wait_report(lambda report: report.finding is Finding.SILENT)
        terminal.wait_phase(LinkPhase.CONNECTED)


def test_another_station_at_the_address_and_one_that_does_not_know_us_are_told_apart(
    station: Station, tmp_path: Path, running: Running, started: Start
) -> None:
    other = running(Station(tmp_path / "other"))
    wrong = started(Terminal(tmp_path / "a", station, ways=(dial(other.address, RouteSource.FILE),)))
    wrong.wait_report(lambda report: report.finding is Finding.WRONG_STATION)
    assert "CERTIFICATE_VERIFY_FAILED" in wrong.wait_phase(LinkPhase.REFUSED).detail
    assert not other.known
    strange = started(Terminal(tmp_path / "b", station, token=""))
    strange.wait_report(lambda report: report.finding is Finding.NOT_ENROLLED)
    strange.wait_phase(LinkPhase.REVOKED)
    assert not station.links
