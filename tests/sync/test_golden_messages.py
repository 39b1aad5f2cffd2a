"""Entries and messages of a session that were encoded by another implementation."""

import itertools
from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Epoch,
    Head,
    StreamId,
    chained_hash,
    content_bytes,
    content_of,
)
from sync.protocol.messages import Hello, Message, MessageReader, message_bytes
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from sync.update.messages import UpdateOffer
from tests.sync.two_ends import Log

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


PIECES = [1, 3, 1_000_000]


class Journal(msgspec.Struct, frozen=True):
    stream: StreamId
    epoch: Epoch
    raws: list[str]


class Held(msgspec.Struct, frozen=True):
    stream: StreamId
    epoch: Epoch
    number: int
    hash: str

    @property
    def head(self) -> Head:
        return Head(self.stream, self.epoch, self.number, bytes.fromhex(self.hash))


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event at one end, and its expected effects."""

    at_ms: int
    hears: str = ""
    outcomes: list[list[object]] = []
    says: str = ""
    refused: str = ""
    advances: bool = False
    silent: bool = False


class Case(msgspec.Struct, frozen=True):
    what: str
    sends: Journal
    receives: StreamId
    held: Held | None
    steps: list[Step]


class Cases(msgspec.Struct, frozen=True):
    cases: list[Case]


class Party(msgspec.Struct, frozen=True):
    sends: Journal
    receives: StreamId
    held: Held | None


class Turn(msgspec.Struct, frozen=True, rename={"sender": "from"}, forbid_unknown_fields=True):
    """Bytes from one end to the other with their meaning there, or an action of one end."""

    at_ms: int
    sender: str = ""
    bytes: str = ""
    outcomes: list[list[object]] = []
    refused: str = ""
    at: str = ""
    does: str = ""
    number: int = 0
    raws: list[str] = []
    reason: str = ""
    forked: bool = False


class Conversation(msgspec.Struct, frozen=True):
    what: str
    terminal: Party
    station: Party
    steps: list[Turn]


def kept(journal: Journal) -> Log:
    log = Log(journal.stream, journal.epoch)
    log.add(*map(bytes.fromhex, journal.raws))
    return log


def outcome_in_words(outcome: Outcome) -> list[object]:
    match outcome:
        case StoreEntries():
            return ["store", outcome.first, len(outcome.raws)]
        case Acknowledged():
            return ["acknowledged", outcome.seq]
        case PeerOwes():
            return ["owes", outcome.entries]
        case Forked():
            return ["forked", outcome.stream, outcome.seq]
        case OfUpdate():
            return ["of-update", type(outcome.message).__name__]


def outcomes_of(session: Session, line: str, now_ms: int, size: int) -> list[list[object]]:
    data = bytes.fromhex(line)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return [outcome_in_words(outcome) for piece in pieces for outcome in session.receive(piece, now_ms)]


CASES = msgspec.json.decode((WIRE / "sessions.json").read_bytes(), type=Cases).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
@pytest.mark.parametrize("size", PIECES)
def test_one_end_does_as_written(case: Case, size: int) -> None:
    held = case.held.head if case.held is not None else None
    session = Session(kept(case.sends), case.receives, held, 0)
    for step in case.steps:
        if step.refused:
            with pytest.raises(PeerFault, match=step.refused):
                outcomes_of(session, step.hears, step.at_ms, size)
            return
        if step.silent:
            with pytest.raises(Unavailable):
                session.advance(step.at_ms)
            return
        if step.advances:
            session.advance(step.at_ms)
        assert outcomes_of(session, step.hears, step.at_ms, size) == step.outcomes
        assert session.outgoing().hex() == step.says


def test_what_two_messages_mean_does_not_depend_on_how_they_come() -> None:
    """The second message follows the first one in the same piece."""
    for case in CASES:
        texts = [step.hears for step in case.steps if step.hears and not step.refused]
        outcomes = [outcome for step in case.steps if not step.refused for outcome in step.outcomes]
        session = Session(
            kept(case.sends), case.receives, case.held.head if case.held is not None else None, 0
        )
        assert outcomes_of(session, "".join(texts), 1, 1_000_000) == outcomes


@pytest.mark.parametrize("size", PIECES)
def test_a_whole_conversation_goes_as_written(size: int) -> None:
    conversation = msgspec.json.decode((WIRE / "conversation.json").read_bytes(), type=Conversation)
    journals = {"terminal": kept(conversation.terminal.sends), "station": kept(conversation.station.sends)}
    sessions = {
        "terminal": Session(journals["terminal"], conversation.terminal.receives, None, 0),
        "station": Session(journals["station"], conversation.station.receives, None, 0),
    }
    others = {"terminal": "station", "station": "terminal"}
    for turn in conversation.steps:
        if turn.sender:
            assert sessions[turn.sender].outgoing().hex() == turn.bytes
            hearer = sessions[others[turn.sender]]
            if turn.refused:
                with pytest.raises(PeerFault, match=turn.refused):
                    outcomes_of(hearer, turn.bytes, turn.at_ms, size)
            else:
                assert outcomes_of(hearer, turn.bytes, turn.at_ms, size) == turn.outcomes
            continue
        session = sessions[turn.at]
        match turn.does:
            case "stored":
                session.on_stored(journals[others[turn.at]].head_at(turn.number), turn.at_ms)
            case "appends":
                journals[turn.at].add(*map(bytes.fromhex, turn.raws))
                session.on_append(turn.at_ms)
            case "advances":
                session.advance(turn.at_ms)
            case "farewell":
                session.farewell(turn.reason, turn.at_ms, forked=turn.forked)
            case _:
                pytest.fail(turn.does)
