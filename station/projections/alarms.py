"""Alarms about terminals, and calls of tables, stored as entries of the station.

Late steps and quarantined entries are found among the stored entries; this stream only records that a judge
has seen them. A fork noticed during a handshake is stored nowhere else. All methods run on the station's
event loop. ``by`` is the judge's name from the session.
"""

from typing import NewType

import msgspec

from core.terms import GameId
from sync.protocol.entry import Entry, Epoch, StreamId, TerminalId

ALARMS = StreamId("alarms/station")


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AlarmRaised(_Body, frozen=True, tag="alarm-raised"):
    """A problem with a terminal.

    subject: equal for the same problem.
    problem: in English.
    """

    subject: str
    terminal: TerminalId
    problem: str


class PinLock(msgspec.Struct, frozen=True):
    """The last lock of a terminal's keypad.

    subject: the subject of its alarm.
    wrong: number of wrong PINs before it.
    """

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


CallId = NewType("CallId", str)
"""A call's id: the origin of its step, which stays the same when the game moves to other terminals."""


class CallReceived(_Body, frozen=True, tag="call-received"):
    """The station has received a table's call. Waiting times start here, by the station's clock."""

    game: GameId
    call: CallId


class CallClaimed(_Body, frozen=True, tag="call-claimed"):
    """A judge is on the way to a calling table."""

    game: GameId
    call: CallId
    by: str


class CallReleased(_Body, frozen=True, tag="call-released"):
    """No judge is on the way to a table any more; the call is waiting again."""

    game: GameId
    call: CallId
    by: str


class CallHandedOver(_Body, frozen=True, tag="call-handed-over"):
    """A judge has handed over a call to another one, who is now on the way."""

    game: GameId
    call: CallId
    by: str
    to: str


class CallEscalated(_Body, frozen=True, tag="call-escalated"):
    """A judge has asked the head judge to answer the call."""

    game: GameId
    call: CallId
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


def fork_subject(terminal: TerminalId, problem: str) -> str:
    """Return the alarm subject of a fork noticed during a handshake."""
    return f"fork/{terminal}/{problem}"


def quarantine_subject(entry: Entry) -> str:
    return f"quarantine/{entry.stream}/{entry.epoch}/{entry.seq}/{entry.hash.hex()[:16]}"


def stranger_subject(terminal: TerminalId, game: GameId) -> str:
    """Return the alarm subject of a game's steps from a terminal that was never given the game."""
    return f"{strangers_of(terminal)}{game}"


def put_at_table_subject(terminal: TerminalId, game: str) -> str:
    """Return the alarm subject of a terminal that was put at a table during a game."""
    return f"placed/{terminal}/{game}"


def pin_lock_subject(terminal: TerminalId, epoch: Epoch, seq: int) -> str:
    """Return the alarm subject of a keypad's lock, by the entry that reports it."""
    return f"{pin_locks_of(terminal)}{epoch}/{seq}"


def is_about_table(subject: str) -> bool:
    """Return whether an alarm is about an event at a table rather than a problem with a journal."""
    return subject.startswith(("pins/", "placed/"))


def pin_locks_of(terminal: TerminalId) -> str:
    """Return the prefix of the alarm subjects of all locks of a terminal's keypad."""
    return f"pins/{terminal}/"


def strangers_of(terminal: TerminalId) -> str:
    """Return the prefix of the alarm subjects of games that a terminal was never given."""
    return f"stranger/{terminal}/"


CallEntry = CallReceived | CallClaimed | CallReleased | CallHandedOver | CallEscalated | CallEnded
Alarm = AlarmRaised | AlarmSeen | UnrecordedAssignmentFound | CallEntry
