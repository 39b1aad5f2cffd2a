"""The round's clock in words: judges' actions on it, at the station and at a table."""

from typing import assert_never

from saloon.core.game.clock.clock_events import (
    ClockDoubted,
    ClockEvent,
    ClockExtended,
    ClockPaused,
    ClockResumed,
    ClockStarted,
)
from saloon.core.tournament.clock import clock_events as hall
from saloon.station.web.i18n import Words


def describe_table_clock(event: ClockEvent, words: Words) -> str:
    """Return one event of a table's clock as a sentence."""
    _ = words.gettext
    match event:
        case ClockStarted():
            return _("The clock was started at the table")
        case ClockPaused(left_s=left):
            return _("The clock was stopped at the table: {left} left").format(left=clock_figures(left))
        case ClockResumed(paused_s=paused):
            return _("The clock resumed after {time}").format(time=clock_figures(paused))
        case ClockExtended(seconds=seconds):
            text = words.ngettext("{count} minute more", "{count} minutes more", seconds // 60)
            return text.format(count=seconds // 60)
        case ClockDoubted(left_s=None):
            return _("The terminal asks how much time is left: it doesn't know")
        case ClockDoubted(left_s=left):
            known = 0 if left is None else left
            return _(
                "The terminal was off or disconnected and asks how much time is left: it "
                "continues from {left}"
            ).format(left=clock_figures(known))
        case _:
            assert_never(event)


def describe_round_clock(event: hall.ClockEvent, words: Words) -> str:
    """Return one event of the tournament's clock as a sentence, with its reason if one was given."""
    _ = words.gettext
    if isinstance(event, hall.RoundClockStarted):
        return _("Round {round} clock started").format(round=event.round)
    whom = _("all tables") if event.table is None else _("table {n}").format(n=event.table)
    match event:
        case hall.RoundClockPaused():
            told = _("Clock stopped: {whom}").format(whom=whom)
        case hall.RoundClockResumed():
            told = _("Clock resumed: {whom}").format(whom=whom)
        case hall.RoundClockExtended(seconds=seconds):
            text = words.ngettext(
                "{count} minute more: {whom}", "{count} minutes more: {whom}", seconds // 60
            )
            told = text.format(count=seconds // 60, whom=whom)
        case _:
            assert_never(event)
    return f"{told} ({event.reason})" if event.reason else told


def clock_figures(seconds: int) -> str:
    """Format seconds: ``34:05``; of a time that is over, ``−2:10``."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"
