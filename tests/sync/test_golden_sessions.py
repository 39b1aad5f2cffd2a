"""Sessions on the wire, written by another hand: the hello's cases, refusals, a whole conversation."""

from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import GENESIS, Epoch, Head, StreamId, chained_hash
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries

WIRE = Path(__file__).parents[1] / "golden" / "wire"
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
    """An event at one end, and what must follow."""

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
    """Bytes from one end to the other with what they mean there, or what one end does by itself."""

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


class Kept:
    """A journal of a stream in memory."""

    def __init__(self, journal: Journal) -> None:
        self._stream, self._epoch = journal.stream, journal.epoch
        self._raws: list[bytes] = []
        self._hashes = [GENESIS]
        self.append(journal.raws)

    def append(self, raws: list[str]) -> None:
        for raw in map(bytes.fromhex, raws):
            self._raws.append(raw)
            self._hashes.append(chained_hash(self._hashes[-1], raw))

    def head(self) -> Head:
        return Head(self._stream, self._epoch, len(self._raws), self._hashes[-1])

    def head_at(self, seq: int) -> Head:
        return Head(self._stream, self._epoch, seq, self._hashes[seq])

    def hash_at(self, seq: int) -> bytes | None:
        return self._hashes[seq] if 0 <= seq < len(self._hashes) else None

    def after(self, seq: int, count: int) -> tuple[bytes, ...]:
        return tuple(self._raws[seq : seq + count])


def in_words(outcome: Outcome) -> list[object]:
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
    return [in_words(outcome) for piece in pieces for outcome in session.receive(piece, now_ms)]


CASES = msgspec.json.decode((WIRE / "sessions.json").read_bytes(), type=Cases).cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
@pytest.mark.parametrize("size", PIECES)
def test_one_end_does_as_written(case: Case, size: int) -> None:
    held = case.held.head if case.held is not None else None
    session = Session(Kept(case.sends), case.receives, held, 0)
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
    """The next message behind the first in the same piece."""
    for case in CASES:
        texts = [step.hears for step in case.steps if step.hears and not step.refused]
        outcomes = [outcome for step in case.steps if not step.refused for outcome in step.outcomes]
        session = Session(
            Kept(case.sends), case.receives, case.held.head if case.held is not None else None, 0
        )
        assert outcomes_of(session, "".join(texts), 1, 1_000_000) == outcomes


@pytest.mark.parametrize("size", PIECES)
def test_a_whole_conversation_goes_as_written(size: int) -> None:
    conversation = msgspec.json.decode((WIRE / "conversation.json").read_bytes(), type=Conversation)
    journals = {"terminal": Kept(conversation.terminal.sends), "station": Kept(conversation.station.sends)}
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
                journals[turn.at].append(turn.raws)
                session.on_append(turn.at_ms)
            case "advances":
                session.advance(turn.at_ms)
            case "farewell":
                session.farewell(turn.reason, turn.at_ms, forked=turn.forked)
            case _:
                pytest.fail(turn.does)
