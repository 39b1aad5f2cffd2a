"""Times of day and the round clock for people in the hall, in the station's time zone."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Final, assert_never

import msgspec

from core.game.clock import (
    ClockEvent,
    ExtendClock,
    PauseClock,
    RequestTimeLeft,
    ResumeClock,
    StartClock,
)
from core.terms import Seconds, TableNo
from core.tournament.decisions import TournamentStep
from core.tournament.round_clock import (
    ClockDecision,
    ExtendRoundClock,
    PauseRoundClock,
    ResumeRoundClock,
    StartRoundClock,
)
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import time_left
from station.text.i18n import Words
from station.text.names import round_title


def describe_table_clock(event: ClockEvent, words: Words) -> str:
    """Describe an event of a table's clock."""
    _ = words.gettext
    match event:
        case StartClock():
            return _("The clock was started at the table")
        case PauseClock(left_s=left):
            return _("The clock was stopped at the table: {left} left").format(left=_clock_figures(left))
        case ResumeClock(paused_s=paused):
            return _("The clock resumed after {time}").format(time=_clock_figures(paused))
        case ExtendClock(seconds=seconds):
            text = words.ngettext("{count} more minute", "{count} more minutes", seconds // 60)
            return text.format(count=seconds // 60)
        case RequestTimeLeft(left_s=None):
            return _("The terminal doesn't know how much time is left, and asks the station")
        case RequestTimeLeft(left_s=left):
            known = 0 if left is None else left
            return _(
                "The terminal was off or disconnected and asks how much time is left: it "
                "continues from {left}"
            ).format(left=_clock_figures(known))
        case _:
            assert_never(event)


def describe_round_clock(event: ClockDecision, state: TournamentState, words: Words) -> str:
    """Describe an event of the tournament's clock, with any reason given."""
    _ = words.gettext
    if isinstance(event, StartRoundClock):
        return _("{round}: clock started").format(round=round_title(state, event.round, words))
    whom = _("all tables") if event.table is None else _("table {n}").format(n=event.table)
    match event:
        case PauseRoundClock():
            sentence = _("Clock stopped: {whom}").format(whom=whom)
        case ResumeRoundClock():
            sentence = _("Clock resumed: {whom}").format(whom=whom)
        case ExtendRoundClock(seconds=seconds):
            text = words.ngettext(
                "{count} more minute: {whom}", "{count} more minutes: {whom}", seconds // 60
            )
            sentence = text.format(count=seconds // 60, whom=whom)
        case _:
            assert_never(event)
    return f"{sentence} ({event.reason})" if event.reason else sentence


def _clock_figures(seconds: int) -> str:
    """Format seconds as ``34:05``, or ``−2:10`` if time is up."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"


_ALL_TABLES: Final = TableNo(0)
"""A number that no table has, so that changes at single tables do not apply."""


class RoundClockShown(msgspec.Struct, frozen=True):
    """The running round's clock for the whole hall, ignoring changes at single tables.

    minutes: minutes left, rounded up.
    ends, ends_text: when it ends, in ISO 8601 and as ``14:30``; empty while it is paused.
    """

    is_started: bool
    minutes: int
    ends: str
    ends_text: str


def _(word: str) -> str:
    return word


_MONTHS: Final = (
    _("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"),
    _("Nov"), _("Dec"),
)  # fmt: skip


def day_in_words(when: str | dt.date, translate: Callable[[str], str]) -> str:
    """Format a date, which may be an ISO date from an event, as ``21 Nov 2026``."""
    try:
        date = dt.date.fromisoformat(when) if isinstance(when, str) else when
    except ValueError:
        # Old entries may contain free text.
        return str(when)
    month = translate(_MONTHS[date.month - 1])
    return translate(_("{day} {month} {year}")).format(day=date.day, month=month, year=date.year)


def day_and_time(when: int | str | dt.datetime, translate: Callable[[str], str]) -> str:
    """Format a time as ``21 Nov 2026, 14:30:05`` in the station's time zone.

    when: milliseconds since 1970, ISO 8601, or a datetime with a zone.
    """
    if isinstance(when, str):
        local = dt.datetime.fromisoformat(when).astimezone()
    else:
        at = dt.datetime.fromtimestamp(when / 1000, dt.UTC) if isinstance(when, int) else when
        local = at.astimezone()
    return f"{day_in_words(local.date(), translate)}, {local:%H:%M:%S}"


def time_of_day(moment: dt.datetime) -> str:
    """Format a time as ``14:30``."""
    return moment.astimezone().strftime("%H:%M")


def round_clock(
    state: TournamentState, history: Sequence[TournamentStep], wall_ms: int
) -> RoundClockShown | None:
    """Return the running round's clock at ``wall_ms``, or None between rounds or if rounds have no limit."""
    running, minutes = state.running_round, state.waivers.time_limit_min
    if running is None or minutes is None:
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
        ends_text=time_of_day(ends) if runs else "",
    )


def duration_in_words(minutes: int, words: Words) -> str:
    """Return a duration as hours and minutes: ``2 h 05 min``."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return words.gettext("{n} min").format(n=rest)
    return words.gettext("{hours} h {minutes} min").format(hours=hours, minutes=f"{rest:02d}")
