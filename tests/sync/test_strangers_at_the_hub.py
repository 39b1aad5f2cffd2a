"""Admission at a real hub, and what a stranger may send."""

import random
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sync.certificates import own_identity
from sync.protocol.entry import Head, StreamId
from sync.protocol.messages import Beat, EnrolByToken, Enrolled, Farewell, MessageReader, message_bytes
from sync.terminal.agent_contract import LinkPhase
from sync.tls import terminal_context
from tests.rigs.ends import PATIENCE_S, Station, Terminal
from tests.sync.agents import CleanUp, detail, is_phase, started


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
    """Return the answer to a stranger without a certificate, until the station closes."""
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
"""PEM around bytes that TLS cannot load."""


def test_when_the_answer_to_an_enrolment_is_lost_it_is_given_again(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    certificate = own_identity(tmp_path / "t", "terminal")[1].read_text()
    said_by_a_stranger(station, message_bytes(EnrolByToken("welcome", certificate)))
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
