"""Entries and messages of a session, written by another hand."""

import itertools
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault
from sync.protocol.entry import GENESIS, ClockReading, chained_hash, content_bytes, content_of
from sync.protocol.messages import Hello, Message, MessageReader, message_bytes
from sync.update.messages import UpdateOffer

WIRE = Path(__file__).parents[1] / "golden" / "wire"


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
WORDS = {"length": "a message of", "message": "no message"}


def what(vector: Said | Refused) -> str:
    return vector.what


def in_words(message: Message) -> list[object]:
    """A message as the vectors tell it: bytes in hexadecimal."""
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
