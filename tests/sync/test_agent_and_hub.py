"""Real agents and a real hub over TLS on the loopback, and on a serial line that flips bits."""

import socket
import threading
from pathlib import Path

import msgspec
import pytest

from base.clock import SystemClock
from base.errors import Unavailable
from demo.shaped_line import ShapedLine
from sync.protocol.entry import Entry, Epoch, Head, StreamId
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import LinkPhase, OrderArrived
from sync.terminal.routes import StationRoute
from sync.tls.trust import terminal_context
from tests.rigs.ends import PATIENCE_S, Running, Start, Station, Terminal, bodies, serial


def test_a_terminal_saves_entries_before_its_way_to_the_station_is_made(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.stop()
    terminal.agent = JournalAgent(terminal.journal, None)
    started(terminal)
    for body in bodies(3):
        terminal.agent.append(body)
    terminal.wait_saved(3)
    terminal.agent.connect(lambda: terminal.uplink)
    terminal.wait_received(3)
    assert terminal.enrolled == 1


def test_a_terminal_enrols_and_its_entries_and_orders_go_both_ways(
    station: Station, terminal: Terminal
) -> None:
    said = bodies(300)
    assert [terminal.agent.append(body) for body in said] == list(range(1, 301))
    terminal.wait_saved(300)
    terminal.wait_received(300)
    assert terminal.enrolled == 1
    assert station.raws(terminal.id) == tuple(said)
    assert not station.tokens
    station.give_order(terminal.id, b"\x01")
    station.give_order(terminal.id, b"\x02")
    terminal.wait_for(lambda news: news == OrderArrived(2, b"\x02"))
    assert [news for news in terminal.seen if isinstance(news, OrderArrived)] == [
        OrderArrived(1, b"\x01"),
        OrderArrived(2, b"\x02"),
    ]
    assert station.links[-1] == (terminal.id, "tcp")
    assert not station.alarms
    assert not station.quarantine


def test_a_terminal_hears_at_each_greeting_what_the_stations_clock_shows(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    times_ms: list[int] = []
    terminal.uplink.tell_time_to(times_ms.append)
    before_ms = SystemClock().wall_ms()
    started(terminal)
    terminal.wait_phase(LinkPhase.CONNECTED)
    (shown_ms,) = times_ms
    assert before_ms <= shown_ms <= SystemClock().wall_ms()


def test_orders_written_while_a_terminal_connects_arrive(
    station: Station, tmp_path: Path, started: Start
) -> None:
    read = station.store.head

    def slow_head(stream: StreamId) -> object:
        if stream.startswith("table/") and len(orders) < 3:
            orders.append(len(orders) + 1)
            station.store.append_own(StreamId(f"orders/{terminal.id}"), [ORDER])
        return read(stream)

    orders: list[int] = []
    terminal = Terminal(tmp_path / "t", station)
    station.store.head = slow_head  # type: ignore[method-assign,assignment]  # an order in the worst moment
    started(terminal)
    terminal.wait_for(lambda news: isinstance(news, OrderArrived) and news.seq == 1)


ORDER = msgspec.msgpack.encode(((0, 0, 0, True), "go"))


@pytest.mark.faults
def test_an_order_whose_commit_was_reported_as_failed_is_shown_once_all_the_same(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    keep, errors = terminal.journal.keep_orders, [Unavailable("disk I/O error")]

    def failing(epoch: Epoch, first: int, raws: tuple[bytes, ...], hashes: tuple[bytes, ...]) -> Head:
        held = keep(epoch, first, raws, hashes)
        if errors:
            terminal.journal.close()
            raise errors.pop()
        return held

    terminal.journal.keep_orders = failing  # type: ignore[method-assign]  # a disk that lies
    started(terminal)
    terminal.wait_phase(LinkPhase.CONNECTED)
    station.give_order(terminal.id, b"\x0a")
    terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    station.give_order(terminal.id, b"\x0b")
    terminal.wait_for(lambda news: news == OrderArrived(2, b"\x0b"))
    assert len([news for news in terminal.seen if isinstance(news, OrderArrived)]) == 2
    assert not station.alarms


def test_an_order_that_cannot_be_read_now_is_sent_on_the_next_connection(
    station: Station, terminal: Terminal
) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
    read, errors = station.store.entries, [Unavailable("disk I/O error")]

    def failing(stream: StreamId, after: int, count: int) -> tuple[Entry, ...]:
        if errors:
            raise errors.pop()
        return read(stream, after, count)

    station.store.entries = failing  # type: ignore[method-assign]  # a disk that fails once
    station.give_order(terminal.id, b"\x0a")
    terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    assert not errors


def test_an_order_that_is_no_entry_is_refused_and_not_kept(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    station.store.append_own(StreamId(f"orders/{terminal.id}"), [b"\xc1"])
    started(terminal)
    assert "is not an entry" in terminal.wait_phase(LinkPhase.REFUSED).detail
    terminal.agent.append(b"\x01")
    terminal.wait_saved(1)
    assert len(terminal.journal.orders()) == 0


def test_a_terminal_that_was_away_catches_up_with_both_streams(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.start()
    terminal.deliver(b"\x01")
    terminal.agent.stop()
    station.give_order(terminal.id, b"\x0a")
    again = started(Terminal(tmp_path / "t", station, token=""))
    again.deliver(b"\x02", b"\x03")
    again.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    assert station.raws(terminal.id) == (b"\x01", b"\x02", b"\x03")


@pytest.mark.slow
def test_when_the_station_starts_anew_the_terminal_comes_back_by_itself(
    tmp_path: Path, running: Running, started: Start
) -> None:
    first = Station(tmp_path)
    first.start()
    terminal = started(Terminal(tmp_path / "t", first))
    terminal.deliver(b"\x01")
    first.stop()
    terminal.wait_phase(LinkPhase.SEARCHING)
    terminal.agent.append(b"\x02")
    terminal.wait_saved(2)
    second = running(Station(tmp_path, first), port=first.port)
    terminal.wait_received(2)
    assert second.raws(terminal.id) == (b"\x01", b"\x02")
    assert not second.alarms


def test_a_cloned_card_is_told_to_the_judge_and_refused(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.start()
    terminal.deliver(*bodies(3))
    terminal.agent.stop()
    db = terminal.journal
    with db:
        db._file._connection().execute("DELETE FROM own WHERE seq > 1")
    again = started(Terminal(tmp_path / "t", station, token=""))
    for body in bodies(4, first=50):
        again.agent.append(body)
    assert "call the judge" in again.wait_phase(LinkPhase.REFUSED).detail
    station.wait_for(lambda: bool(station.alarms))
    assert station.alarms[0][0] == terminal.id
    assert station.raws(terminal.id) == tuple(bodies(3))


def test_two_connections_of_one_terminal_double_nothing(
    station: Station, tmp_path: Path, terminal: Terminal
) -> None:
    terminal.deliver(b"\x01")
    context = terminal_context(
        station.identity[1].read_text(), tmp_path / "t" / "key.pem", tmp_path / "t" / "certificate.pem"
    )
    with socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain:
        with context.wrap_socket(plain):
            station.wait_for(lambda: [wire for _, wire in station.links].count("tcp") == 2)
        terminal.deliver(b"\x02")
    assert station.raws(terminal.id) == (b"\x01", b"\x02")


@pytest.mark.slow
def test_a_disk_that_refuses_is_never_acknowledged_and_loses_nothing(
    station: Station, terminal: Terminal
) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
    station.store.refuses = 1
    said = bodies(200)
    terminal.deliver(*said)
    assert station.raws(terminal.id) == tuple(said)
    assert not station.quarantine


def test_appending_from_many_threads_numbers_all_once(station: Station, terminal: Terminal) -> None:
    numbers: list[int] = []

    def append() -> None:
        numbers.extend(terminal.agent.append(b"\x01") for _ in range(50))

    threads = [threading.Thread(target=append) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 201))
    terminal.wait_received(200)


def wired_terminal(tmp_path: Path, station: Station) -> Terminal:
    return Terminal(tmp_path / "t", station, ways=(StationRoute("serial", lambda: serial(tmp_path / "a")),))


@pytest.mark.faults
@pytest.mark.parametrize("line", [0.0, 1e-5], indirect=True)
def test_over_a_serial_line_a_terminal_enrols_sends_and_obeys(
    line: ShapedLine, wired: Station, tmp_path: Path, started: Start
) -> None:
    terminal, said = started(wired_terminal(tmp_path, wired)), bodies(150)
    terminal.deliver(*said)
    wired.give_order(terminal.id, b"\x0a")
    terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    assert wired.links[-1] == (terminal.id, "serial")
    assert wired.raws(terminal.id) == tuple(said)
    assert min(line.bytes_carried()) > 1_000
    counted = wired.hub.counters(terminal.id)
    assert counted is not None
    assert counted.is_up
    assert counted.bytes_delivered > 150


@pytest.mark.faults
def test_a_pulled_and_replugged_cable_loses_nothing(
    line: ShapedLine, wired: Station, tmp_path: Path, started: Start
) -> None:
    terminal = started(wired_terminal(tmp_path, wired))
    terminal.deliver(b"\x01")
    line.cut()
    terminal.agent.append(b"\x02")
    terminal.wait_saved(2)
    line.join()
    terminal.wait_received(2)
    assert wired.raws(terminal.id) == (b"\x01", b"\x02")
