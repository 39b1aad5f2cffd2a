"""A farewell must arrive although the other end is still sending: whoever says it closes second.

A kernel that gets bytes for a closed connection answers with a reset, which may discard the farewell.
"""

import contextlib
import socket
import ssl
import time
from pathlib import Path

from sync.ports.tcp import TcpPort
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId, orders_of
from sync.protocol.messages import Beat, Farewell, Hello, Message, MessageReader, message_bytes
from sync.terminal.agent_contract import JournalsDisagree, LinkPhase
from sync.terminal.routes import StationRoute
from sync.tls.certificates import fingerprint_of_pem, own_identity
from sync.tls.trust import station_context, terminal_context
from tests.rigs.ends import PATIENCE_S, Start, Station, Terminal

OTHER_LAST_ENTRY = b"?" * 32


def read_until_farewell(tls: ssl.SSLSocket) -> Message:
    reader = MessageReader()
    while data := tls.recv(65536):
        for message in reader.feed(data):
            if isinstance(message, Farewell):
                return message
    raise AssertionError("closed without a farewell")


def test_a_terminal_that_disagrees_waits_until_the_station_has_closed(
    station: Station, tmp_path: Path, started: Start
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        port = server.getsockname()[1]
        way = StationRoute("tcp", lambda: TcpPort("127.0.0.1", port))
        terminal = Terminal(tmp_path / "t", station, token="", ways=(way,))
        own = (tmp_path / "t" / "certificate.pem").read_text()
        context = station_context(*station.identity, (own,))
        started(terminal)
        plain, _ = server.accept()
        plain.settimeout(PATIENCE_S)
        with context.wrap_socket(plain, server_side=True) as tls:
            hello = next(iter(MessageReader().feed(tls.recv(65536))))
            assert isinstance(hello, Hello)
            wrong = Head(terminal.stream, hello.sending.epoch, hello.sending.seq, OTHER_LAST_ENTRY)
            ours = Head(orders_of(terminal.id), Epoch("s" * 16), 0, GENESIS)
            tls.sendall(message_bytes(Hello(1, ours, wrong)))
            terminal.wait_for(lambda news: isinstance(news, JournalsDisagree))
            for _ in range(10):
                # A closed connection would answer the first of these with a reset.
                tls.sendall(message_bytes(Beat()))
                time.sleep(0.02)
            farewell = read_until_farewell(tls)
            assert isinstance(farewell, Farewell)
            assert farewell.forked
        assert "call the judge" in terminal.wait_phase(LinkPhase.REFUSED).detail


def test_a_station_that_disagrees_waits_until_the_terminal_has_closed(
    station: Station, tmp_path: Path
) -> None:
    key, certificate = own_identity(tmp_path / "t", "terminal")
    terminal = fingerprint_of_pem(certificate.read_text(), "terminal")
    station.known[terminal] = certificate.read_text()
    context = terminal_context(station.identity[1].read_text(), key, certificate)
    stream, epoch = StreamId(f"table/{terminal}"), Epoch("t" * 16)
    orders = Head(orders_of(terminal), station.store.own_epoch(), 0, OTHER_LAST_ENTRY)
    with (
        socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain,
        context.wrap_socket(plain) as tls,
    ):
        tls.sendall(message_bytes(Hello(1, Head(stream, epoch, 0, GENESIS), orders)))
        station.wait_for(lambda: bool(station.alarms))
        for _ in range(10):
            tls.sendall(message_bytes(Beat()))
            time.sleep(0.02)
        farewell = read_until_farewell(tls)
        assert isinstance(farewell, Farewell)
        assert farewell.forked
        tls.settimeout(0.1)
        with contextlib.suppress(TimeoutError):
            assert tls.recv(1), "closed before the terminal could read it"
    station.wait_for(lambda: station.links[-1:] == [(terminal, None)])
