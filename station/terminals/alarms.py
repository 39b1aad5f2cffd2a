"""Alarms about terminals, stored as entries of the station so that they survive a restart.

Late steps and entries in quarantine are found among the stored entries; this stream only records that a
judge has seen them. A fork that is noticed during a handshake is stored nowhere else.
"""

import msgspec

from saloon.core.terms import GameId
from saloon.sync.protocol.entry import Entry, StreamId, TerminalId

ALARMS = StreamId("alarms/station")
"""The station's stream of alarms."""


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AlarmRaised(_Body, frozen=True, tag="alarm-raised"):
    """Something is wrong with a terminal. subject: the same for the same problem. problem: plain English."""

    subject: str
    terminal: TerminalId
    problem: str


class AlarmSeen(_Body, frozen=True, tag="alarm-seen"):
    """A judge has seen an alarm and dealt with it."""

    subject: str
    by: str


class GiftFound(_Body, frozen=True, tag="gift-found"):
    """A restored station has learnt that it gave a game to a terminal after its backup was made."""

    game: GameId
    terminal: TerminalId


class CallEnded(_Body, frozen=True, tag="call-ended"):
    """A judge has dealt with a table's call. calls: the number of calls that the table had made by then."""

    game: GameId
    calls: int
    by: str


def fork_subject(terminal: TerminalId, problem: str) -> str:
    """Return the alarm subject of a fork that was noticed during a handshake."""
    return f"fork/{terminal}/{problem}"


def quarantine_subject(entry: Entry) -> str:
    """Return the alarm subject of an entry in quarantine."""
    return f"quarantine/{entry.stream}/{entry.epoch}/{entry.seq}/{entry.hash.hex()[:16]}"


def stranger_subject(terminal: TerminalId, game: GameId) -> str:
    """Return the alarm subject of steps of a game from a terminal that was never given that game."""
    return f"{strangers_of(terminal)}{game}"


def strangers_of(terminal: TerminalId) -> str:
    """Return the prefix of the alarm subjects of all games that a terminal was never given."""
    return f"stranger/{terminal}/"


Alarm = AlarmRaised | AlarmSeen | GiftFound | CallEnded
