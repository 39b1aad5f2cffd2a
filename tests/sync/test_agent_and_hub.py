"""Real agents and a real hub: TLS over the loopback, and over a serial line that flips bits."""

import random
import socket
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from saloon.core.errors import PeerFault, Unavailable
from saloon.sync.agent import JournalAgent
from saloon.sync.agent_contract import LinkChanged, LinkPhase, OrderArrived
from saloon.sync.entry import Epoch, Head, StreamId
from saloon.sync.messages import Beat, Enrolled, EnrolMe, Farewell, MessageReader, message_bytes
from saloon.sync.ports.link_port import LinkPort
from saloon.sync.ports.serial import SerialPort
from saloon.sync.ports.stream_port import StreamPort
from saloon.sync.rig.ends import PATIENCE_S, Station, Terminal
from saloon.sync.rig.line import ShapedLine
from saloon.sync.station_clock import system_ms
from saloon.sync.trust import TlsStream, own_identity, terminal_context
from saloon.sync.uplink import Way

BAUD = 921_600
"""A fast line, so that tests wait little; noise is counted by the bit."""

CleanUp = Callable[[Callable[[], None]], None]


def bodies(count: int, first: int = 0) -> list[bytes]:
    return [msgspec.msgpack.encode(("entry", first + i)) for i in range(count)]


def started(terminal: Terminal, clean_up: CleanUp) -> Terminal:
    terminal.agent.start()
    clean_up(terminal.agent.stop)
    return terminal


def is_phase(phase: LinkPhase) -> Callable[[object], bool]:
    return lambda news: isinstance(news, LinkChanged) and news.phase is phase


def detail(terminal: Terminal, phase: LinkPhase) -> str:
    found = terminal.wait_for(is_phase(phase))
    assert isinstance(found, LinkChanged)
    return found.detail


def test_a_terminal_saves_entries_before_its_way_to_the_station_is_made(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.stop()
    terminal.agent = JournalAgent(terminal.journal, None)
    started(terminal, clean_up)
    for body in bodies(3):
        terminal.agent.append(body)
    terminal.wait_saved(3)
    terminal.agent.connect(lambda: terminal.uplink)
    terminal.wait_received(3)
    assert terminal.enrolled == 1


def test_a_terminal_enrols_and_its_entries_and_orders_go_both_ways(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
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
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    shown: list[int] = []
    terminal.uplink.tell_time_to(shown.append)
    before_ms = system_ms()
    started(terminal, clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    (shown_ms,) = shown
    assert before_ms <= shown_ms <= system_ms()


def test_orders_written_while_a_terminal_connects_arrive(
    station: Station, tmp_path: Path, clean_up: CleanUp
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
    started(terminal, clean_up)
    terminal.wait_for(lambda news: isinstance(news, OrderArrived) and news.seq == 1)


ORDER = msgspec.msgpack.encode(((0, 0, 0, True), "go"))


@pytest.mark.faults
def test_an_order_whose_commit_was_reported_as_failed_is_shown_once_all_the_same(
    station: Station, tmp_path: Path, clean_up: CleanUp
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
    started(terminal, clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    station.give_order(terminal.id, b"\x0a")
    terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    station.give_order(terminal.id, b"\x0b")
    terminal.wait_for(lambda news: news == OrderArrived(2, b"\x0b"))
    assert len([news for news in terminal.seen if isinstance(news, OrderArrived)]) == 2
    assert not station.alarms


def test_an_order_that_is_no_entry_is_refused_and_not_kept(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    station.store.append_own(StreamId(f"orders/{terminal.id}"), [b"\xc1"])
    started(terminal, clean_up)
    assert "is no entry" in detail(terminal, LinkPhase.REFUSED)
    terminal.agent.append(b"\x01")
    terminal.wait_saved(1)
    assert terminal.journal.orders_known() == 0


def test_a_station_with_another_certificate_is_refused(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    other = own_identity(tmp_path / "other", "other station")
    terminal = Terminal(tmp_path / "t", station)
    uplink = terminal.uplink
    uplink._credentials = msgspec.structs.replace(
        uplink._credentials, station_certificate=other[1].read_text()
    )
    started(terminal, clean_up)
    assert "CERTIFICATE_VERIFY_FAILED" in detail(terminal, LinkPhase.REFUSED)
    assert not station.known


def test_a_certificate_that_was_never_enrolled_is_refused(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station, token=""), clean_up)
    terminal.agent.append(b"\x01")
    terminal.wait_for(is_phase(LinkPhase.REVOKED))
    assert not station.links


@pytest.mark.parametrize("token", ["guessed", "welcome "])
def test_a_wrong_token_is_refused(station: Station, tmp_path: Path, clean_up: CleanUp, token: str) -> None:
    terminal = started(Terminal(tmp_path / "t", station, token=token), clean_up)
    assert "token of the provisioning file is not valid" in detail(terminal, LinkPhase.REFUSED)
    assert not station.known
    assert station.tokens == {"welcome"}


def test_a_token_works_once(station: Station, tmp_path: Path, clean_up: CleanUp) -> None:
    first = started(Terminal(tmp_path / "t1", station), clean_up)
    first.wait_for(is_phase(LinkPhase.CONNECTED))
    second = started(Terminal(tmp_path / "t2", station), clean_up)
    second.wait_for(is_phase(LinkPhase.REFUSED))
    assert list(station.known) == [first.id]


def test_a_revoked_terminal_is_sent_away_and_not_let_in_again(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    station.known.clear()
    station.on_loop(lambda: station.hub.hang_up(terminal.id, "revoked by the judge"))
    assert "revoked by the judge" in detail(terminal, LinkPhase.REVOKED)
    station.wait_for(lambda: station.links[-1] == (terminal.id, None))
    terminal.agent.append(b"\x01")
    terminal.wait_saved(1)
    assert station.raws(terminal.id) == ()


def test_junk_on_the_port_disturbs_nobody(station: Station, tmp_path: Path, clean_up: CleanUp) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    chance = random.Random(5)
    for size in (1, 100, 70_000):
        with socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as stranger:
            try:
                stranger.sendall(chance.randbytes(size))
                stranger.shutdown(socket.SHUT_WR)
                while stranger.recv(4096):
                    pass
            except ConnectionError:
                pass
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)


def said_by_a_stranger(station: Station, *messages: bytes) -> bytes:
    """What a stranger without a certificate is answered, until the station closes."""
    context = terminal_context(station.identity[1].read_text(), None, None)
    with (
        socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain,
        context.wrap_socket(plain) as tls,
    ):
        heard = b""
        try:
            for message in messages:
                tls.sendall(message)
            while data := tls.recv(4096):
                heard += data
        except (ssl.SSLError, ConnectionError):
            pass
        return heard


def test_a_stranger_may_enrol_and_nothing_else(station: Station, tmp_path: Path) -> None:
    certificate = own_identity(tmp_path / "x", "x")[1].read_text()
    assert said_by_a_stranger(station, message_bytes(Beat())) == b""
    assert said_by_a_stranger(station, (1 << 20).to_bytes(4)) == b""
    for token, shown in (
        ("no", certificate),
        ("welcome", "none"),
        ("welcome", certificate * 2),
        ("welcome", POISON),
    ):
        answer = said_by_a_stranger(station, message_bytes(EnrolMe(token, shown)))
        (refusal,) = MessageReader().feed(answer)
        assert isinstance(refusal, Farewell)
        assert not station.known
    answer = said_by_a_stranger(station, message_bytes(EnrolMe("welcome", certificate)))
    assert MessageReader().feed(answer) == (Enrolled((f"127.0.0.1:{station.port}",)),)


POISON = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
"""PEM around bytes that TLS cannot load."""


def test_when_the_answer_to_an_enrolment_is_lost_it_is_given_again(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    certificate = own_identity(tmp_path / "t", "terminal")[1].read_text()
    said_by_a_stranger(station, message_bytes(EnrolMe("welcome", certificate)))
    assert not station.tokens
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    assert terminal.enrolled == 1


def test_what_an_enrolled_key_has_signed_is_not_enrolled(
    station: Station, tmp_path: Path, clean_up: CleanUp, signed_by: Callable[[Path, Path], None]
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    signed_by(tmp_path / "t", tmp_path / "child")
    child = started(Terminal(tmp_path / "child", station, token=""), clean_up)
    child.agent.append(b"\x01")
    with pytest.raises(TimeoutError):
        child.wait_for(is_phase(LinkPhase.CONNECTED), patience_s=0.5)
    assert [terminal.id] == [who for who, wire in station.links if wire]


def test_a_terminal_that_was_away_catches_up_with_both_streams(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.start()
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
    terminal.agent.stop()
    station.give_order(terminal.id, b"\x0a")
    again = started(Terminal(tmp_path / "t", station, token=""), clean_up)
    for body in (b"\x02", b"\x03"):
        again.agent.append(body)
    again.wait_received(3)
    again.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
    assert station.raws(terminal.id) == (b"\x01", b"\x02", b"\x03")


def test_when_the_station_starts_anew_the_terminal_comes_back_by_itself(
    tmp_path: Path, clean_up: CleanUp
) -> None:
    first = Station(tmp_path)
    first.start()
    terminal = started(Terminal(tmp_path / "t", first), clean_up)
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
    first.stop()
    terminal.wait_for(is_phase(LinkPhase.SEARCHING))
    terminal.agent.append(b"\x02")
    terminal.wait_saved(2)
    second = Station(tmp_path, first)
    second.start(first.port)
    clean_up(second.stop)
    terminal.wait_received(2)
    assert second.raws(terminal.id) == (b"\x01", b"\x02")
    assert not second.alarms


def test_a_cloned_card_is_told_to_the_judge_and_refused(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.start()
    for body in bodies(3):
        terminal.agent.append(body)
    terminal.wait_received(3)
    terminal.agent.stop()
    db = terminal.journal
    with db:
        db._file._connection().execute("DELETE FROM own WHERE seq > 1")
    again = started(Terminal(tmp_path / "t", station, token=""), clean_up)
    for body in bodies(4, first=50):
        again.agent.append(body)
    assert "call the judge" in detail(again, LinkPhase.REFUSED)
    station.wait_for(lambda: bool(station.alarms))
    assert station.alarms[0][0] == terminal.id
    assert station.raws(terminal.id) == tuple(bodies(3))


def test_two_connections_of_one_terminal_double_nothing(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)
    context = terminal_context(
        station.identity[1].read_text(), tmp_path / "t" / "key.pem", tmp_path / "t" / "certificate.pem"
    )
    with socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain:
        with context.wrap_socket(plain):
            station.wait_for(lambda: [wire for _, wire in station.links].count("tcp") == 2)
        terminal.agent.append(b"\x02")
        terminal.wait_received(2)
    assert station.raws(terminal.id) == (b"\x01", b"\x02")


@pytest.mark.faults
def test_strangers_who_say_nothing_keep_no_terminal_out(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    for _ in range(300):
        stranger = socket.socket()
        clean_up(stranger.close)
        stranger.bind(("127.0.0.2", 0))
        stranger.connect(("127.0.0.1", station.port))
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.agent.append(b"\x01")
    terminal.wait_received(1)


@pytest.mark.faults
def test_a_terminal_revoked_in_the_middle_of_its_greeting_is_sent_away(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    read = station.store.head

    def revoking(stream: StreamId) -> Head | None:
        station.known.clear()
        return read(stream)

    station.store.head = revoking  # type: ignore[method-assign]  # the judge in the worst moment
    started(terminal, clean_up)
    assert "has been revoked" in detail(terminal, LinkPhase.REVOKED)


def test_a_disk_that_refuses_is_never_acknowledged_and_loses_nothing(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
    terminal.wait_for(is_phase(LinkPhase.CONNECTED))
    station.store.refuses = 1
    said = bodies(200)
    for body in said:
        terminal.agent.append(body)
    terminal.wait_received(200)
    assert station.raws(terminal.id) == tuple(said)
    assert not station.quarantine


@pytest.mark.faults
@pytest.mark.parametrize("flips", [0.0, 1e-5])
def test_over_a_serial_line_a_terminal_enrols_sends_and_obeys(
    tmp_path: Path, clean_up: CleanUp, flips: float
) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD, flips=flips) as line:
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        terminal = Terminal(tmp_path / "t", station, ways=(Way("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        said = bodies(150)
        try:
            for body in said:
                terminal.agent.append(body)
            terminal.wait_received(150)
            station.give_order(terminal.id, b"\x0a")
            terminal.wait_for(lambda news: news == OrderArrived(1, b"\x0a"))
            assert station.links[-1] == (terminal.id, "serial")
            assert station.raws(terminal.id) == tuple(said)
            assert min(line.carried()) > 1_000
            counted = station.hub.counters(terminal.id)
            assert counted is not None
            assert counted.is_up
            assert counted.bytes_delivered > 150
            assert list(station.hub.serial_counters()) == ["b"]
        finally:
            terminal.agent.stop()
            station.stop()


@pytest.mark.faults
def test_a_pulled_and_replugged_cable_loses_nothing(tmp_path: Path, clean_up: CleanUp) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD) as line:
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        terminal = Terminal(tmp_path / "t", station, ways=(Way("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        try:
            terminal.agent.append(b"\x01")
            terminal.wait_received(1)
            line.cut()
            terminal.agent.append(b"\x02")
            terminal.wait_saved(2)
            line.join()
            terminal.wait_received(2)
            assert station.raws(terminal.id) == (b"\x01", b"\x02")
        finally:
            terminal.agent.stop()
            station.stop()


@pytest.mark.faults
def test_junk_on_the_cable_is_counted_and_the_terminal_still_comes(tmp_path: Path, clean_up: CleanUp) -> None:
    with ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD):
        station = Station(tmp_path)
        station.start(0, [("b", serial(tmp_path / "b"))])
        stranger = SerialPort(str(tmp_path / "a"), BAUD)
        stranger.open()
        chance = random.Random(9)
        for _ in range(40):
            stranger.write(chance.randbytes(512))
            time.sleep(0.005)
        stranger.close()
        terminal = Terminal(tmp_path / "t", station, ways=(Way("serial", serial(tmp_path / "a")),))
        terminal.agent.start()
        try:
            terminal.agent.append(b"\x01")
            terminal.wait_received(1)
        finally:
            terminal.agent.stop()
            station.stop()


def serial(path: Path) -> Callable[[], StreamPort]:
    return lambda: LinkPort(SerialPort(str(path), BAUD), now_ms, baud=BAUD)


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def test_appending_from_many_threads_numbers_all_once(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = started(Terminal(tmp_path / "t", station), clean_up)
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


def test_a_connection_that_is_cut_after_any_flight_ends_in_words(station: Station) -> None:
    context = terminal_context(station.identity[1].read_text(), None, None)
    tls = TlsStream(context, is_station=False)
    tls.start()
    with pytest.raises(PeerFault, match="TLS"):
        tls.from_wire(b"HTTP/1.1 400 Bad Request\r\n")
