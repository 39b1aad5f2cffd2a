"""Moments as people in the hall read them: by the station's own time zone."""

import datetime as dt
from collections.abc import Sequence

import msgspec

from saloon.core.tournament.events import DrawPublished, TournamentStep
from saloon.core.tournament.state import TournamentState


class RoundClock(msgspec.Struct, frozen=True):
    """When a round with a time limit ends: ISO 8601 for programs, and ``14:30`` for people."""

    ends: str
    ends_text: str


def day_and_time(iso: str) -> str:
    """``2026-11-21 14:30:05`` of a moment in ISO 8601."""
    return _local(iso).strftime("%Y-%m-%d %H:%M:%S")


def round_clock(state: TournamentState, history: Sequence[TournamentStep]) -> RoundClock | None:
    """When the running round ends; None without a time limit, or between rounds."""
    running, minutes = state.running_round, state.waivers.time_limit_min
    if running is None or minutes is None:
        return None
    began = [
        step.at
        for step in history
        for event in step.events
        if isinstance(event, DrawPublished) and event.round == running.round
    ]
    ends = _local(began[-1]) + dt.timedelta(minutes=minutes)
    return RoundClock(ends.isoformat(), ends.strftime("%H:%M"))


def _local(iso: str) -> dt.datetime:
    return dt.datetime.fromisoformat(iso).astimezone()
