import itertools
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.protocol.entry import GENESIS, ClockReading, Epoch, chained_hash, content_bytes, content_of
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    CloseCause,
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
    StationNonce,
    TerminalNonce,
    message_bytes,
)
from sync.update.messages import UpdateOffer

WIRE = Path(__file__).parents[2] / "golden" / "wire"
MESSAGES = st.one_of(
    st.just(Beat()),
    st.builds(Enrolled, st.lists(st.text(max_size=9), max_size=3).map(tuple)),
    st.builds(JoinByCable, st.text(max_size=9), st.binary(max_size=32)),
    st.builds(JoinByCode, st.text(max_size=9), st.binary(max_size=32)),
    st.builds(StationNonce, st.binary(max_size=32)),
    st.builds(TerminalNonce, st.binary(max_size=32)),
    st.builds(CodeProof, st.binary(max_size=32)),
    st.builds(EnrolByToken, st.text(max_size=9), st.text(max_size=9)),
    st.builds(Farewell, st.text(max_size=9), st.booleans(), st.sampled_from(CloseCause)),
    st.builds(Ack, st.just(Epoch("e")), st.integers(0, 2**40), st.binary(max_size=32)),
    st.builds(
        Entries,
        st.just(Epoch("e")),
        st.integers(0, 2**40),
        st.lists(st.binary(max_size=300), max_size=4).map(tuple),
    ),
)


@given(st.lists(MESSAGES, max_size=5), st.integers(1, 40))
def test_messages_come_back_however_the_stream_is_cut(messages: list[Message], size: int) -> None:
    stream = b"".join(map(message_bytes, messages))
    reader = MessageReader()
    read = [m for i in range(0, len(stream), size) for m in reader.feed(stream[i : i + size])]
    assert read == messages


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_are_messages_or_a_fault_of_the_peer(pieces: list[bytes]) -> None:
    reader = MessageReader()
    try:
        for piece in pieces:
            reader.feed(piece)
    except PeerFault:
        return


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ((LONGEST + 1).to_bytes(4), "262145 bytes; 262144 are allowed"),
        (b"\xff\xff\xff\xff", "4294967295 bytes"),
        (b"\0\0\0\2\x91\xa0", "an invalid message"),
        (bytes.fromhex("00000006" + "91a562656174"), "an invalid message"),
        (message_bytes(Farewell("over")).replace(b"over", b"\xff\xff\xff\xff"), "an invalid message"),
    ],
    ids=["a byte too long", "as long as can be", "no name", "an unknown name", "a text that is no UTF-8"],
)
def test_what_is_no_message_is_a_fault_of_the_peer(line: bytes, said: str) -> None:
    with pytest.raises(PeerFault, match=said):
        MessageReader().feed(line)


def test_a_stranger_may_be_given_less_room() -> None:
    with pytest.raises(PeerFault, match="100 are allowed"):
        MessageReader(100).feed((101).to_bytes(4))


class Clock(msgspec.Struct, frozen=True):
    start: int
    milliseconds: int
    since_1970: int
    trusted: bool


class OneEntry(msgspec.Struct, frozen=True):
    number: int
    clock: Clock
    body: str
    raw: str
    hash: str


class Chain(msgspec.Struct, frozen=True):
    epoch: str
    genesis: str
    entries: list[OneEntry]


class Said(msgspec.Struct, frozen=True):
    what: str
    message: list[object]
    line: str


class Refused(msgspec.Struct, frozen=True):
    what: str
    line: str
    refused: str


class Vectors(msgspec.Struct, frozen=True):
    messages: list[Said]
    refused: list[Refused]


VECTORS = msgspec.json.decode((WIRE / "messages.json").read_bytes(), type=Vectors)
WORDS = {"length": "a message of", "message": "an invalid message"}


def what(vector: Said | Refused) -> str:
    return vector.what


def in_words(message: Message) -> list[object]:
    """Return a message in the form of the vectors, with bytes in hexadecimal."""
    fields: list[object] = msgspec.to_builtins(message, builtin_types=(bytes,))
    if isinstance(message, Hello) and not message.at_ms:
        # An end that does not say what it runs, or what its clock shows, leaves the field out.
        del fields[4 if message.about is None else 5 :]
    if isinstance(message, UpdateOffer) and not message.again:
        del fields[2:]
    return [plain(field) for field in fields]


def plain(field: object) -> object:
    if isinstance(field, bytes):
        return field.hex()
    return [plain(part) for part in field] if isinstance(field, list | tuple) else field


def test_entries_are_chained_as_written() -> None:
    chain = msgspec.json.decode((WIRE / "entries.json").read_bytes(), type=Chain)
    assert chain.genesis == GENESIS.hex()
    before = GENESIS
    for entry in chain.entries:
        clock = entry.clock
        reading = ClockReading(clock.start, clock.milliseconds, clock.since_1970, trusted=clock.trusted)
        raw = content_bytes(reading, bytes.fromhex(entry.body))
        assert raw.hex() == entry.raw
        assert content_of(raw).clock == reading
        before = chained_hash(before, raw)
        assert before.hex() == entry.hash


@pytest.mark.parametrize("vector", VECTORS.messages, ids=what)
def test_a_message_lies_on_the_stream_as_written(vector: Said) -> None:
    line = bytes.fromhex(vector.line)
    (message,) = MessageReader().feed(line)
    assert in_words(message) == vector.message
    assert message_bytes(message).hex() == vector.line
    by_bytes = MessageReader()
    messages = [by_bytes.feed(bytes([byte])) for byte in line]
    assert messages[-1] == (message,)
    assert not any(messages[:-1])


@pytest.mark.parametrize(("one", "next_one"), list(itertools.pairwise(VECTORS.messages)), ids=what)
def test_a_message_is_read_with_the_next_one_behind_it(one: Said, next_one: Said) -> None:
    messages = MessageReader().feed(bytes.fromhex(one.line + next_one.line))
    assert [in_words(message) for message in messages] == [one.message, next_one.message]


@pytest.mark.parametrize("vector", VECTORS.refused, ids=what)
def test_what_is_no_message_is_refused(vector: Refused) -> None:
    with pytest.raises(PeerFault, match=WORDS[vector.refused]):
        MessageReader().feed(bytes.fromhex(vector.line))


def test_the_vectors_hold_each_message_of_a_session() -> None:
    kinds = {str(vector.message[0]) for vector in VECTORS.messages}
    updates = {"update-offer", "update-want", "update-piece", "update-told"}
    assert kinds == {"hello", "entries", "ack", "beat", "farewell", *updates}
