"""Those who attack a real hub by TLS: an enrolled one writes its own stream, a stranger nothing."""

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
import structlog

from base.clock import SystemClock
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Epoch,
    Head,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
)
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    CodeProof,
    EnrolByToken,
    Enrolled,
    Entries,
    Farewell,
    Hello,
    JoinByCable,
    JoinByCode,
    Message,
    MessageReader,
    TerminalNonce,
    message_bytes,
)
from sync.protocol.session import WINDOW
from sync.terminal.agent_contract import EnrolmentStage, LinkPhase
from sync.tls.certificates import fingerprint_of_pem, own_identity
from sync.tls.trust import terminal_context
from tests.rigs.ends import PATIENCE_S, Newcomer, Start, Station, Terminal

EPOCH, ANOTHER = Epoch("a" * 16), Epoch("b" * 16)
SECRET = msgspec.msgpack.encode("orders of somebody else")
VICTIM = TerminalId("f" * 32)


def raw(number: int) -> bytes:
    return content_bytes(ClockReading(1, number, 0, trusted=False), msgspec.msgpack.encode(number))


RAWS = tuple(raw(i) for i in range(1, 4))


def answers(
    station: Station, context: ssl.SSLContext, *said: Message | bytes, silence_s: float | None = None
) -> tuple[Message, ...]:
    """Send messages, and return the station's until it closes, as it must.

    silence_s: that of an enrolled terminal, whose line may stay open. It is greeted before it speaks.
    """
    messages: list[Message] = []
    reader = MessageReader()
    faults = (ssl.SSLError, ConnectionError)
    with (
        socket.create_connection(("127.0.0.1", station.port), PATIENCE_S) as plain,
        context.wrap_socket(plain) as tls,
    ):
        with contextlib.suppress(*faults):
            if silence_s is not None:
                messages.extend(reader.feed(tls.recv(65536)))
                tls.settimeout(silence_s)
            for one in said:
                tls.sendall(one if isinstance(one, bytes) else message_bytes(one))
        # The station may have closed while it was spoken to: what it answered is there all the same.
        with contextlib.suppress(*faults, *(() if silence_s is None else (TimeoutError,))):
            while data := tls.recv(65536):
                messages.extend(reader.feed(data))
    return tuple(messages)


class Rogue:
    """A terminal with a valid key that sends any messages."""

    def __init__(self, station: Station, directory: Path) -> None:
        key, certificate = own_identity(directory, "rogue")
        self.id = fingerprint_of_pem(certificate.read_text(), "rogue")
        self.stream = StreamId(f"table/{self.id}")
        station.known[self.id] = certificate.read_text()
        self.station = station
        self.context = terminal_context(station.identity[1].read_text(), key, certificate)

    def hello(self, *, stream: StreamId | None = None, holding: Head | None = None, seq: int = 0) -> Hello:
        return Hello(1, Head(self.stream if stream is None else stream, EPOCH, seq, GENESIS), holding)

    def says(self, *said: Message | bytes) -> tuple[Message, ...]:
        """Send messages, and return the station's answers until it closes or is silent for a while."""
        return answers(self.station, self.context, *said, silence_s=0.3)


@pytest.fixture
def rogue(station: Station, tmp_path: Path) -> Iterator[Rogue]:
    station.give_order(VICTIM, SECRET)
    made = Rogue(station, tmp_path / "rogue")
    yield made
    streams = {stream for stream, _, _ in station.store.rows}
    assert streams <= {made.stream, StreamId(f"orders/{VICTIM}"), StreamId(f"orders/{made.id}")}
    assert station.store.head(StreamId(f"orders/{VICTIM}")) is not None


def stored(rogue: Rogue) -> int:
    head = rogue.station.store.head(rogue.stream)
    return 0 if head is None else head.seq


def test_what_it_may_do_works(rogue: Rogue) -> None:
    answer = rogue.says(rogue.hello(seq=3), Entries(EPOCH, 1, RAWS))
    assert isinstance(answer[0], Hello)
    assert Ack in [type(one) for one in answer]
    assert stored(rogue) == 3


@pytest.mark.parametrize(
    "stream",
    [
        "table/{victim}", "orders/{victim}", "station", "tournament", "", "table/", "table", "..",
        "table/{victim}/../x", "TABLE/{own}", "table/{own} ", "table/{own}\0", "./table/{own}",
    ],
)  # fmt: skip
def test_the_stream_of_another_is_refused(rogue: Rogue, stream: str) -> None:
    claimed = StreamId(stream.format(victim=VICTIM, own=rogue.id))
    answer = rogue.says(rogue.hello(stream=claimed), Entries(EPOCH, 1, RAWS))
    assert [type(one) for one in answer] == [Hello]
    assert stored(rogue) == 0


def test_its_own_orders_it_may_read_and_not_write(rogue: Rogue) -> None:
    stream = StreamId(f"orders/{rogue.id}")
    rogue.says(rogue.hello(stream=stream), Entries(EPOCH, 1, RAWS))
    assert rogue.station.store.head(stream) is None


@pytest.mark.slow
def test_the_orders_of_another_are_not_told_whatever_it_claims_to_hold(rogue: Rogue) -> None:
    theirs = StreamId(f"orders/{VICTIM}")
    head = rogue.station.store.head(theirs)
    assert head is not None
    for holding in (
        head,
        Head(theirs, head.epoch, 0, GENESIS),
        Head(theirs, ANOTHER, 0, GENESIS),
        Head(StreamId(f"orders/{rogue.id}"), head.epoch, 1, head.hash),
        Head(StreamId(f"orders/{rogue.id}"), head.epoch, 0, GENESIS),
        None,
    ):
        answer = rogue.says(rogue.hello(holding=holding))
        assert SECRET not in b"".join(map(message_bytes, answer))
        assert not [one for one in answer if isinstance(one, Entries)]


WRONG: dict[str, Callable[[Rogue], tuple[Message | bytes, ...]]] = {
    "entries before hello": lambda _: (Entries(EPOCH, 1, RAWS),),
    "ack before hello": lambda _: (Ack(EPOCH, 1, GENESIS),),
    "beat before hello": lambda _: (Beat(),),
    "a second hello": lambda r: (r.hello(), r.hello()),
    "a second hello for another stream": lambda r: (r.hello(), r.hello(stream=StreamId(f"table/{VICTIM}"))),
    "another version": lambda r: (msgspec.structs.replace(r.hello(), version=2),),
    "another epoch than the one it said": lambda r: (r.hello(), Entries(ANOTHER, 1, RAWS)),
    "a gap": lambda r: (r.hello(), Entries(EPOCH, 2, RAWS)),
    "number zero": lambda r: (r.hello(), Entries(EPOCH, 0, RAWS)),
    "a negative number": lambda r: (r.hello(), Entries(EPOCH, -1, RAWS)),
    "no entries": lambda r: (r.hello(), Entries(EPOCH, 1, ())),
    "an ack of what was never sent": lambda r: (r.hello(), Ack(r.station.store.own_epoch(), 1, GENESIS)),
    "an ack of another epoch": lambda r: (r.hello(), Ack(ANOTHER, 0, GENESIS)),
    "a negative ack": lambda r: (r.hello(), Ack(r.station.store.own_epoch(), -1, GENESIS)),
    "a message too long": lambda r: (message_bytes(r.hello()), (LONGEST + 1).to_bytes(4)),
    "half a gigabyte announced": lambda r: (message_bytes(r.hello()), (1 << 29).to_bytes(4)),
    "junk": lambda _: (b"\0\0\0\x04junk",),
    "an unknown message": lambda r: (
        r.hello(),
        b"\0\0\0\x07" + msgspec.msgpack.encode(["secret"])[:7].ljust(7, b"\0"),
    ),
    "an enrolment in a session": lambda r: (r.hello(), EnrolByToken("welcome", "x")),
    "an enrolment instead of one": lambda _: (EnrolByToken("welcome", "x"),),
    "a cable": lambda _: (JoinByCable("x", GENESIS),),
    "a code": lambda _: (JoinByCode("x", GENESIS),),
    "a proof": lambda r: (r.hello(), CodeProof(GENESIS)),
    "a nonce": lambda r: (r.hello(), TerminalNonce(GENESIS)),
    "the station's own words": lambda r: (r.hello(), Enrolled()),
}


@pytest.mark.parametrize("said", WRONG.values(), ids=WRONG)
def test_what_it_may_not_say_ends_the_line_and_changes_nothing(
    rogue: Rogue, said: Callable[[Rogue], tuple[Message | bytes, ...]]
) -> None:
    before = SystemClock().monotonic_ms()
    answer = rogue.says(*said(rogue))
    rogue.station.wait_for(lambda: rogue.station.links[-1:] == [(rogue.id, None)])
    assert SystemClock().monotonic_ms() - before < 5_000, "it was left to the silence"
    assert not [one for one in answer if isinstance(one, Ack | Entries | Enrolled)]
    assert stored(rogue) == 0
    assert rogue.station.tokens == {"welcome"}


def test_more_than_the_window_without_waiting_for_an_ack_ends_the_line(rogue: Rogue) -> None:
    rogue.station.store.refuses = 1_000
    many = tuple(raw(i) for i in range(1, WINDOW + 2))
    answer = rogue.says(rogue.hello(seq=WINDOW + 1), Entries(EPOCH, 1, many))
    assert Ack not in [type(one) for one in answer]
    assert stored(rogue) == 0


def test_a_claim_of_more_than_it_sends_lies_to_nobody_but_itself(rogue: Rogue) -> None:
    rogue.says(rogue.hello(seq=1_000_000), Entries(EPOCH, 1, RAWS))
    assert stored(rogue) == 3
    assert (rogue.id, 1_000_000) in rogue.station.claims


def test_a_head_that_contradicts_what_is_stored_is_told_to_the_judge(rogue: Rogue) -> None:
    rogue.says(rogue.hello(seq=3), Entries(EPOCH, 1, RAWS))
    last = chained_hash(GENESIS, b"another")
    answer = rogue.says(Hello(1, Head(rogue.stream, EPOCH, 3, last), None))
    assert [one for one in answer if isinstance(one, Farewell) and one.forked]
    assert rogue.station.alarms
    assert stored(rogue) == 3


def test_the_line_is_closed_at_once_and_the_terminal_told_why(station: Station, terminal: Terminal) -> None:
    terminal.wait_phase(LinkPhase.CONNECTED)
    begun = time.monotonic()
    station.revoke(terminal.id)
    assert "revoked" in terminal.wait_phase(LinkPhase.REVOKED).detail
    # Less than the second that an idle line looks at its wire in one go.
    assert time.monotonic() - begun < 0.9
    station.wait_for(lambda: station.links[-1] == (terminal.id, None))


def test_nothing_that_arrives_after_the_revocation_is_stored(station: Station, tmp_path: Path) -> None:
    rogue = Rogue(station, tmp_path / "rogue")
    read = station.store.head

    def revoking(stream: StreamId) -> Head | None:
        station.known.pop(rogue.id, None)
        return read(stream)

    station.store.head = revoking  # type: ignore[method-assign]  # the judge in the worst moment
    answer = rogue.says(rogue.hello(seq=3), Entries(EPOCH, 1, RAWS))
    assert [one.cause.value for one in answer if isinstance(one, Farewell)] == ["revoked"]
    assert read(rogue.stream) is None
    assert not station.links


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_revocation_while_an_enrolment_is_under_way_is_the_last_word_until_a_new_code(
    station: Station, tmp_path: Path, when: str, started: Start
) -> None:
    new = Newcomer(tmp_path / "t")
    first = station.try_code

    async def interrupted(*arguments: object) -> bytes:
        proof = await first(*arguments)  # type: ignore[arg-type]  # handed on
        if when == "before":
            del station.known[new.id]
        return proof

    station.try_code = interrupted  # type: ignore[method-assign,assignment]  # the judge in the worst moment
    started(new)
    new.agent.append(b"\x01")
    new.enrol_at(station)
    new.wait_stage(EnrolmentStage.DONE)
    if when == "after":
        new.wait_received(1)
        station.revoke(new.id)
    new.wait_phase(LinkPhase.REVOKED)
    assert station.raws(new.id) == (() if when == "before" else (b"\x01",))
    station.try_code = first  # type: ignore[method-assign]
    new.agent.append(b"\x02")
    new.enrol_at(station)
    new.wait_received(2)
    assert station.raws(new.id) == (b"\x01", b"\x02")


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


def says_as_a_stranger(station: Station, *said: Message | bytes) -> tuple[Message, ...]:
    return answers(station, terminal_context(station.identity[1].read_text(), None, None), *said)


def test_a_stranger_may_enrol_and_nothing_else(station: Station, tmp_path: Path) -> None:
    certificate = own_identity(tmp_path / "x", "x")[1].read_text()
    for junk in (Beat(), (1 << 20).to_bytes(4)):
        assert says_as_a_stranger(station, junk) == ()
    for token, sent in (
        ("no", certificate),
        ("welcome", "none"),
        ("welcome", certificate * 2),
        ("welcome", POISON),
    ):
        (refusal,) = says_as_a_stranger(station, EnrolByToken(token, sent))
        assert isinstance(refusal, Farewell)
        assert not station.known
    welcome = Enrolled((station.address,))
    assert says_as_a_stranger(station, EnrolByToken("welcome", certificate)) == (welcome,)


POISON = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
"""A PEM file whose bytes TLS can't load."""


def test_when_the_answer_to_an_enrolment_is_lost_it_is_given_again(
    station: Station, tmp_path: Path, started: Start
) -> None:
    certificate = own_identity(tmp_path / "t", "terminal")[1].read_text()
    says_as_a_stranger(station, EnrolByToken("welcome", certificate))
    assert not station.tokens
    terminal = started(Terminal(tmp_path / "t", station))
    terminal.wait_phase(LinkPhase.CONNECTED)
    assert terminal.enrolled == 1


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
