"""The history of each table's calls, folded from the station's entries."""

from typing import assert_never

import msgspec

from core.game.state.game import CallReason
from core.terms import GameId
from station.projections.alarms import (
    CallClaimed,
    CallEnded,
    CallEntry,
    CallEscalated,
    CallHandedOver,
    CallId,
    CallReceived,
    CallReleased,
)


class TableCall(msgspec.Struct, frozen=True):
    """A call in a game's log.

    position: its entry's among all entries.
    reason: None until one is given.
    """

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
    """Return the record of a call after another entry.

    record: None for the first.
    wall_ms: the entry's.
    """
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
        """Return all records, in order of the calls."""
        return tuple(self._records.values())

    def get(self, call: CallId) -> CallRecord | None:
        """Return the record of a call, or None if the station does not know it."""
        return self._records.get(call)

    def on_entry(self, entry: CallEntry, wall_ms: int) -> None:
        """Apply an entry. One that ends calls without naming one ends all earlier calls of the game."""
        if isinstance(entry, CallEnded) and not entry.call:
            self._ended[entry.game] = max(entry.calls, self._ended.get(entry.game, 0))
        else:
            self._records[entry.call] = evolve_call(self._records.get(entry.call), entry, wall_ms)

    def is_ended(self, game: GameId, call: CallId, number: int) -> bool:
        """Return whether a call has ended.

        ``number`` is its number among the calls in the game's log, from 1.
        """
        record = self.get(call)
        is_closed = record is not None and record.ended_ms is not None
        return is_closed or number <= self._ended.get(game, 0)
