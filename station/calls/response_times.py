"""Compute how long tables waited for a judge, by day and tournament, from the station's entries alone."""

import datetime as dt
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from core.game.events import CallReason
from core.terms import GameId, TableNo, TournamentId
from station.projections.alarms import CallId
from station.projections.call_records import CallRecord
from station.projections.projections import GamePlace, Projections


class Waits(msgspec.Struct, frozen=True):
    """Waiting times in seconds. count: number of calls. slowest_at: the table that waited longest."""

    count: int
    median_s: float
    slowest_s: float
    slowest_at: TableNo


class DayReport(msgspec.Struct, frozen=True):
    """The calls of one day in one tournament. claimed: the waits until a judge was on the way.

    ended: the waits until the call ended. None without such a call. reasons: how often each was given, most
    frequent first; None for calls without a reason.
    """

    day: dt.date
    tournament: TournamentId
    calls: int
    claimed: Waits | None
    ended: Waits | None
    reasons: tuple[tuple[CallReason | None, int], ...]


def day_reports(projections: Projections) -> tuple[DayReport, ...]:
    """Return a report for each day and tournament with a call, newest day first."""
    places = projections.drawn
    by_day: dict[tuple[dt.date, TournamentId], list[CallRecord]] = defaultdict(list)
    for record in projections.calls.all:
        place = places.get(record.game)
        if place is not None:
            by_day[_day(record.received_ms), place.tournament].append(record)
    reasons = _reasons(projections)
    found = (_report(day, played, records, projections, reasons) for (day, played), records in by_day.items())
    return tuple(sorted(found, key=lambda report: report.day, reverse=True))


def _day(wall_ms: int) -> dt.date:
    """Return the date of a time in the station's time zone."""
    return dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC).astimezone().date()


def _reasons(projections: Projections) -> dict[CallId, CallReason]:
    """Return the reason of each call that has one, including logs copied to other terminals."""
    called = dict.fromkeys(record.game for record in projections.calls.all)
    tracks = (track for game in called for track in projections.games.get(game, ()))
    calls = (call for track in tracks for call in track.made_calls)
    return {call.call: call.reason for call in calls if call.reason is not None}


def _report(
    day: dt.date,
    tournament: TournamentId,
    records: Sequence[CallRecord],
    projections: Projections,
    reasons: Mapping[CallId, CallReason],
) -> DayReport:
    counted = Counter(reasons.get(record.call) for record in records)
    return DayReport(
        day=day,
        tournament=tournament,
        calls=len(records),
        claimed=_waits(records, lambda record: record.claimed_ms, projections.drawn),
        ended=_waits(records, lambda record: record.ended_ms, projections.drawn),
        reasons=tuple(counted.most_common()),
    )


def _waits(
    records: Iterable[CallRecord],
    until: Callable[[CallRecord], int | None],
    places: Mapping[GameId, GamePlace],
) -> Waits | None:
    """Return the waiting times of the calls that have reached this stage; None if there are none."""
    waits = [
        (max(0, end_ms - record.received_ms) / 1000, places[record.game].table)
        for record in records
        if (end_ms := until(record)) is not None
    ]
    if not waits:
        return None
    slowest_s, table = max(waits)
    return Waits(len(waits), statistics.median(wait for wait, _ in waits), slowest_s, table)
