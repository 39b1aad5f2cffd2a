"""Sessions that another implementation has played."""

from pathlib import Path

import msgspec
import pytest

from base.errors import PeerFault, Unavailable
from sync.protocol.entry import (
    Epoch,
    Head,
    StreamId,
)
from sync.protocol.session import Acknowledged, Forked, OfUpdate, Outcome, PeerOwes, Session, StoreEntries
from tests.sync.two_ends import Log

WIRE = Path(__file__).parents[2] / "golden" / "wire"


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
