"""Alarms about terminals, stored as entries of the station.

Late steps and quarantined entries are found among the stored entries; this stream only records that a judge
has seen them. A fork noticed during a handshake is stored nowhere else.
"""

import msgspec

from core.terms import GameId
from station.projections.call_records import CallEntry
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


Alarm = AlarmRaised | AlarmSeen | UnrecordedAssignmentFound | CallEntry
