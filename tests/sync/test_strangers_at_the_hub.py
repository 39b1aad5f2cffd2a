"""Admission at a real hub, and the messages that a stranger may send."""

import random
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import structlog

from sync.protocol.entry import Head, StreamId
from sync.protocol.messages import Beat, EnrolByToken, Enrolled, Farewell, MessageReader, message_bytes
from sync.terminal.agent_contract import LinkPhase
from sync.tls.certificates import own_identity
from sync.tls.trust import terminal_context
from tests.rigs.ends import PATIENCE_S, CleanUp, Start, Station, Terminal


def test_a_station_with_another_certificate_is_refused(
    station: Station, tmp_path: Path, started: Start
) -> None:
    other = own_identity(tmp_path / "other", "other station")
    terminal = Terminal(tmp_path / "t", station)
    uplink = terminal.uplink
    uplink._credentials = msgspec.structs.replace(
        uplink._credentials, station_certificate=other[1].read_text()
    )
    started(terminal)
    assert "CERTIFICATE_VERIFY_FAILED" in terminal.wait_phase(LinkPhase.REFUSED).detail
    assert not station.known


def test_a_certificate_that_was_never_enrolled_is_refused(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = started(Terminal(tmp_path / "t", station, token=""))
    terminal.agent.append(b"\x01")
    terminal.wait_phase(LinkPhase.REVOKED)
    assert not station.links


@pytest.mark.parametrize("token", ["guessed", "welcome "])
def test_a_wrong_token_is_refused(station: Station, tmp_path: Path, token: str, started: Start) -> None:
    terminal = started(Terminal(tmp_path / "t", station, token=token))
    assert "token of the provisioning file is not valid" in terminal.wait_phase(LinkPhase.REFUSED).detail
    assert not station.known
    assert station.tokens == {"welcome"}


def test_a_token_works_once(station: Station, tmp_path: Path, started: Start) -> None:
    first = started(Terminal(tmp_path / "t1", station))
    first.wait_phase(LinkPhase.CONNECTED)
    second = started(Terminal(tmp_path / "t2", station))
    second.wait_phase(LinkPhase.REFUSED)
    assert list(station.known) == [first.id]


def test_a_revoked_terminal_is_sent_away_and_not_let_in_again(station: Station, terminal: Terminal) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
    station.known.clear()
    station.on_loop(lambda: station.hub.hang_up(terminal.id, "revoked by the judge"))
    assert "revoked by the judge" in terminal.wait_phase(LinkPhase.REVOKED).detail
    station.wait_for(lambda: station.links[-1] == (terminal.id, None))
    terminal.agent.append(b"\x01")
    terminal.wait_saved(1)
    assert station.raws(terminal.id) == ()


def test_junk_on_the_port_disturbs_nobody(station: Station, terminal: Terminal) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
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
    terminal.deliver(b"\x01")


def said_by_a_stranger(station: Station, *messages: bytes) -> bytes:
    """Return the answer to a stranger that has no certificate, until the station closes."""
    context = terminal_context(station.identity[1].read_text(), None, None)
    with (
        socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain,
        context.wrap_socket(plain) as tls,
    ):
        received = b""
        try:
            for message in messages:
                tls.sendall(message)
            while data := tls.recv(4096):
                received += data
        except (ssl.SSLError, ConnectionError):
            pass
        return received


def test_a_stranger_may_enrol_and_nothing_else(station: Station, tmp_path: Path) -> None:
    certificate = own_identity(tmp_path / "x", "x")[1].read_text()
    assert said_by_a_stranger(station, message_bytes(Beat())) == b""
    assert said_by_a_stranger(station, (1 << 20).to_bytes(4)) == b""
    for token, sent in (
        ("no", certificate),
        ("welcome", "none"),
        ("welcome", certificate * 2),
        ("welcome", POISON),
    ):
        answer = said_by_a_stranger(station, message_bytes(EnrolByToken(token, sent)))
        (refusal,) = MessageReader().feed(answer)
        assert isinstance(refusal, Farewell)
        assert not station.known
    answer = said_by_a_stranger(station, message_bytes(EnrolByToken("welcome", certificate)))
    assert MessageReader().feed(answer) == (Enrolled((f"127.0.0.1:{station.port}",)),)


POISON = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
"""A PEM file whose bytes TLS can't load."""


def test_when_the_answer_to_an_enrolment_is_lost_it_is_given_again(
    station: Station, tmp_path: Path, started: Start
) -> None:
    certificate = own_identity(tmp_path / "t", "terminal")[1].read_text()
    said_by_a_stranger(station, message_bytes(EnrolByToken("welcome", certificate)))
    assert not station.tokens
    terminal = started(Terminal(tmp_path / "t", station))
    terminal.wait_phase(LinkPhase.CONNECTED)
    assert terminal.enrolled == 1


def test_what_an_enrolled_key_has_signed_is_not_enrolled(
    station: Station,
    tmp_path: Path,
    signed_by: Callable[[Path, Path], None],
    terminal: Terminal,
    started: Start,
) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
    signed_by(tmp_path / "t", tmp_path / "child")
    child = started(Terminal(tmp_path / "child", station, token=""))
    child.agent.append(b"\x01")
    with pytest.raises(TimeoutError):
        child.wait_phase(LinkPhase.CONNECTED, patience_s=0.5)
    assert [terminal.id] == [who for who, wire in station.links if wire]


@pytest.mark.faults
def test_strangers_who_say_nothing_keep_no_terminal_out(
    station: Station, tmp_path: Path, clean_up: CleanUp, started: Start
) -> None:
    for _ in range(300):
        stranger = socket.socket()
        clean_up(stranger.close)
        stranger.bind(("127.0.0.2", 0))
        stranger.connect(("127.0.0.1", station.port))
    terminal = started(Terminal(tmp_path / "t", station))
    terminal.deliver(b"\x01")


@pytest.mark.faults
def test_a_terminal_revoked_in_the_middle_of_its_greeting_is_sent_away(
    station: Station, tmp_path: Path, started: Start
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    read = station.store.head

    def revoking(stream: StreamId) -> Head | None:
        station.known.clear()
        return read(stream)

    station.store.head = revoking  # type: ignore[method-assign]  # the judge in the worst moment
    started(terminal)
    assert "has been revoked" in terminal.wait_phase(LinkPhase.REVOKED).detail


def test_a_flood_of_strangers_is_a_line_and_not_a_flood(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as lines:
        station = Station(tmp_path)
        station.start()
        try:
            for _ in range(50):
                with socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as stranger:
                    stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    while stranger.recv(4096):
                        pass
            station.wait_for(lambda: len([line for line in lines if line["log_level"] == "debug"]) >= 50)
        finally:
            station.stop()
    loud = [line for line in lines if line["log_level"] != "debug"]
    assert len(loud) == 1
    assert loud[0]["event"] == "unknown connections refused"
