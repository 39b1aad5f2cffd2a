"""The round's clock in words: what a table's judge did to it."""

from typing import assert_never

from saloon.core.game.clock_events import (
    ClockDoubted,
    ClockEvent,
    ClockExtended,
    ClockPaused,
    ClockResumed,
    ClockStarted,
)
from saloon.station.web.i18n import Words


def told_of_the_clock(event: ClockEvent, words: Words) -> str:
    """One event of a table's clock as a sentence."""
    _ = words.gettext
    match event:
        case ClockStarted():
            return _("The clock is started at the table")
        case ClockPaused(left_s=left):
            return _("The clock is stopped at the table: {left} left").format(left=clock_figures(left))
        case ClockResumed(paused_s=paused):
            return _("The clock runs again after {time}").format(time=clock_figures(paused))
        case ClockExtended(seconds=seconds):
            text = words.ngettext("{count} minute more", "{count} minutes more", seconds // 60)
            return text.format(count=seconds // 60)
        case ClockDoubted(left_s=None):
            return _("The terminal asks what is left: it does not know")
        case ClockDoubted(left_s=left):
            known = 0 if left is None else left
            return _("The terminal was off or away and asks what is left: it goes on from {left}").format(
                left=clock_figures(known)
            )
        case _:
            assert_never(event)


def clock_figures(seconds: int) -> str:
    """``34:05``; of a time that is over, ``−2:10``."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"
