"""What the station noticed of terminals, as entries of its own: an alarm outlives a restart.

Late steps and entries in quarantine are found in what is stored; only that a judge has seen them is
said here. A fork that two ends notice while they greet is stored nowhere else.
"""

import msgspec

from saloon.core.terms import GameId
from saloon.sync.entry import Entry, StreamId, TerminalId

ALARMS = StreamId("alarms/station")
"""The stream that the station writes of alarms."""


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AlarmRaised(_Body, frozen=True, tag="alarm-raised"):
    """Something is wrong with a terminal. subject: the same for the same trouble. problem: plain English."""

    subject: str
    terminal: TerminalId
    problem: str


class AlarmSeen(_Body, frozen=True, tag="alarm-seen"):
    """A judge has seen an alarm and has done what there was to do."""

    subject: str
    by: str


class GiftFound(_Body, frozen=True, tag="gift-found"):
    """A restored station found out that it had given a game to a terminal since its backup."""

    game: GameId
    terminal: TerminalId


class CallEnded(_Body, frozen=True, tag="call-ended"):
    """A judge says that a table's call is dealt with. calls: how many calls the table had made by then."""

    game: GameId
    calls: int
    by: str


def fork_subject(terminal: TerminalId, problem: str) -> str:
    """The subject of a fork that was noticed while two ends greeted."""
    return f"fork/{terminal}/{problem}"


def quarantine_subject(entry: Entry) -> str:
    """The subject of an entry in quarantine."""
    return f"quarantine/{entry.stream}/{entry.epoch}/{entry.seq}/{entry.hash.hex()[:16]}"


def stranger_subject(terminal: TerminalId, game: GameId) -> str:
    """The subject of steps of a game by a terminal that was never given it."""
    return f"{strangers_of(terminal)}{game}"


def strangers_of(terminal: TerminalId) -> str:
    """Return the prefix of the subjects of all games that a terminal was never given."""
    return f"stranger/{terminal}/"


Alarm = AlarmRaised | AlarmSeen | GiftFound | CallEnded
