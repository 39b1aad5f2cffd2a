"""Moments as people in the hall read them: in the station's time zone."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

import msgspec

from saloon.core.terms import Seconds, TableNo
from saloon.core.tournament.clock.clock import time_left
from saloon.core.tournament.events import TournamentStep
from saloon.core.tournament.state import TournamentState
from saloon.station.services.tables.floor_cards import FloorCard

_ALL_TABLES: Final = TableNo(0)
"""A number that stands for all tables: changes to single tables do not apply to it."""


class RoundClockShown(msgspec.Struct, frozen=True):
    """The clock of the running round for all tables; changes to single tables are left out.

    ends: ISO 8601 for programs, ``ends_text``: ``14:30`` for people; both empty while it is stopped. minutes:
    left, a begun one as a whole.
    """

    is_started: bool
    minutes: int
    ends: str
    ends_text: str


def day_and_time(iso: str) -> str:
    """Return ``2026-11-21 14:30:05`` for a moment in ISO 8601."""
    return _local(iso).strftime("%Y-%m-%d %H:%M:%S")


def round_clock(
    state: TournamentState, history: Sequence[TournamentStep], cards: Sequence[FloorCard]
) -> RoundClockShown | None:
    """Return the running round's clock as of its cards; None without a limit, or between rounds."""
    running, minutes = state.running_round, state.waivers.time_limit_min
    wall_ms = next((card.time.wall_ms for card in cards if card.time is not None), None)
    if running is None or minutes is None or wall_ms is None:
        return None
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    limit = Seconds(60 * minutes)
    left = time_left(history, running.round, _ALL_TABLES, limit, now)
    ends = (now + dt.timedelta(seconds=left.left_s)).astimezone()
    runs = left.clock.is_started and not left.clock.is_held
    return RoundClockShown(
        is_started=left.clock.is_started,
        minutes=max(0, -(-left.left_s // 60)),
        ends=ends.isoformat() if runs else "",
        ends_text=ends.strftime("%H:%M") if runs else "",
    )


def _local(iso: str) -> dt.datetime:
    return dt.datetime.fromisoformat(iso).astimezone()
