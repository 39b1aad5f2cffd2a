"""Alarms about terminals and calls of tables, stored as entries of one stream, and the history of each call.

Late steps and quarantined entries are found among the stored entries; for them, this stream only records that
a judge has seen them. A conflict noticed during a handshake is stored nowhere else.
"""

from typing import NewType, assert_never

import msgspec

from core.game.state.game import CallReason
from core.terms import GameId
from sync.protocol.entry import Entry, Epoch, StreamId, TerminalId

ALARMS = StreamId("alarms/station")


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AlarmRaised(_Body, frozen=True, tag="alarm-raised"):
    """A problem with a terminal, in English. ``subject`` is the same when the problem occurs again."""

    subject: str
    terminal: TerminalId
    problem: str


class PinLock(msgspec.Struct, frozen=True):
    """The last lock of a terminal's keypad. ``wrong`` is the number of wrong PINs before it."""

    subject: str
    wrong: int


class AlarmSeen(_Body, frozen=True, tag="alarm-seen"):
    """A judge has seen and dealt with an alarm."""

    subject: str
    by: str


class UnrecordedAssignmentFound(_Body, frozen=True, tag="gift-found"):
    """A restored station has found that it gave a game to a terminal after its backup was made."""

    game: GameId
    terminal: TerminalId


def fork_subject(terminal: TerminalId, problem: str) -> str:
    return f"fork/{terminal}/{problem}"


def quarantine_subject(entry: Entry) -> str:
    return f"quarantine/{entry.stream}/{entry.epoch}/{entry.seq}/{entry.hash.hex()[:16]}"


def stranger_subject(terminal: TerminalId, game: GameId) -> str:
    return f"{strangers_of(terminal)}{game}"


def put_at_table_subject(terminal: TerminalId, game: str) -> str:
    return f"placed/{terminal}/{game}"


def pin_lock_subject(terminal: TerminalId, epoch: Epoch, seq: int) -> str:
    return f"{pin_locks_of(terminal)}{epoch}/{seq}"


def is_about_table(subject: str) -> bool:
    """Return whether an alarm is about an event at a table rather than a problem with a journal."""
    return subject.startswith(("pins/", "placed/"))


def pin_locks_of(terminal: TerminalId) -> str:
    return f"pins/{terminal}/"


def strangers_of(terminal: TerminalId) -> str:
    return f"stranger/{terminal}/"


CallId = NewType("CallId", str)
"""A call's id: the origin of its step, which stays the same when the game moves to other terminals."""


class _OfCall(_Body, frozen=True, tag=True):
    game: GameId
    call: CallId


class CallReceived(_OfCall, frozen=True, tag="call-received"):
    """The station has received a table's call. Waiting times start here, by the station's clock."""


class CallClaimed(_OfCall, frozen=True, tag="call-claimed"):
    """A judge is on the way to a calling table."""

    by: str


class CallReleased(_OfCall, frozen=True, tag="call-released"):
    """No judge is on the way to a table any more; the call is waiting again."""

    by: str


class CallHandedOver(_OfCall, frozen=True, tag="call-handed-over"):
    """A judge has handed over a call to another one, who is now on the way."""

    by: str
    to: str


class CallEscalated(_OfCall, frozen=True, tag="call-escalated"):
    """A judge has asked the head judge to answer the call."""

    by: str


class CallEnded(_Body, frozen=True, tag="call-ended", omit_defaults=True):
    """A table's call has ended. ``calls`` is the number of calls that the table had made by then.

    by: the judge who closed it at the station, or empty if it ended at the table or with its game.
    call: empty in entries of older stations, which closed all calls up to this number.
    """

    game: GameId
    calls: int
    by: str
    call: CallId = CallId("")


CallEntry = CallReceived | CallClaimed | CallReleased | CallHandedOver | CallEscalated | CallEnded
Alarm = AlarmRaised | AlarmSeen | UnrecordedAssignmentFound | CallEntry


class TableCall(msgspec.Struct, frozen=True):
    """A call in a game's log. ``position`` is that of its entry among all entries."""

    call: CallId
    position: int
    reason: CallReason | None = None


class CallRecord(msgspec.Struct, frozen=True):
    """A call and what judges did about it. Times are the station's wall clock, ms since 1970.

    coming: the judge who is on the way, or empty if there is none.
    claimed_ms: when the first judge claimed it.
    escalated_by: the judge who asked for the head judge, or empty.
    ended_by: as in ``CallEnded``.
    """

    game: GameId
    call: CallId
    received_ms: int
    coming: str = ""
    claimed_ms: int | None = None
    escalated_by: str = ""
    ended_ms: int | None = None
    ended_by: str = ""


def evolve_call(record: CallRecord | None, entry: CallEntry, wall_ms: int) -> CallRecord:
    """Return the record of a call after another entry."""
    before = record or CallRecord(entry.game, entry.call, wall_ms)
    match entry:
        case CallReceived():
            return before
        case CallClaimed(by=judge) | CallHandedOver(to=judge):
            first_ms = wall_ms if before.claimed_ms is None else before.claimed_ms
            return msgspec.structs.replace(before, coming=judge, claimed_ms=first_ms)
        case CallReleased():
            return msgspec.structs.replace(before, coming="")
        case CallEscalated(by=judge):
            return msgspec.structs.replace(before, coming="", escalated_by=judge)
        case CallEnded(by=judge):
            return msgspec.structs.replace(before, ended_ms=wall_ms, ended_by=judge)
        case _:
            assert_never(entry)


class CallRecords:
    """The records of all calls, in order."""

    def __init__(self) -> None:
        self._records: dict[CallId, CallRecord] = {}
        self._ended: dict[GameId, int] = {}

    @property
    def all(self) -> tuple[CallRecord, ...]:
        return tuple(self._records.values())

    def get(self, call: CallId) -> CallRecord | None:
        return self._records.get(call)

    def on_entry(self, entry: CallEntry, wall_ms: int) -> None:
        """Apply an entry. One that ends calls without naming one ends all earlier calls of the game."""
        if isinstance(entry, CallEnded) and not entry.call:
            self._ended[entry.game] = max(entry.calls, self._ended.get(entry.game, 0))
        else:
            self._records[entry.call] = evolve_call(self._records.get(entry.call), entry, wall_ms)

    def is_ended(self, game: GameId, call: CallId, number: int) -> bool:
        """Return whether a call has ended. ``number`` counts the calls in the game's log from 1."""
        record = self.get(call)
        is_closed = record is not None and record.ended_ms is not None
        return is_closed or number <= self._ended.get(game, 0)
