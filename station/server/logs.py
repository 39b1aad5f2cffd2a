"""Logging of the station: lines for people on a console, JSON for the system's journal.

Never log PINs, passwords, tokens, seeds, standings, or page content that contains them.
"""

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from base.journal import (
    JournalFormatter,
    PrintableFormatter,
    is_to_journal,
    make_printable,
    render_for_journal,
)

_MOST_EVENTS: Final = 500
"""The most events with counts of their own; the code logs fewer."""


class LogQuota(msgspec.Struct, frozen=True):
    """The lines of one event that may be logged in a burst, and per minute afterwards."""

    burst: int
    each_minute: float


LINES: Final = LogQuota(burst=200, each_minute=20)
TRACEBACKS: Final = LogQuota(burst=10, each_minute=1)
"""A lower quota, as each traceback takes about 7 kB."""


@dataclass
class _Count:
    left: float
    at: float
    left_out: int = 0


class LogLimiter:
    """A rate limit for each log event, so that nobody can fill the disk from outside.

    now: returns the monotonic time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counts: dict[tuple[str, bool], _Count] = {}

    def admit(self, event: str, *, has_traceback: bool) -> int | None:
        """Return how many lines of this event were dropped since the last one, or None to drop this one."""
        quota = TRACEBACKS if has_traceback else LINES
        now = self._now()
        count = self._counts.setdefault((event, has_traceback), _Count(quota.burst, now))
        count.left = min(quota.burst, count.left + (now - count.at) * quota.each_minute / 60)
        count.at = now
        while len(self._counts) > _MOST_EVENTS:
            del self._counts[next(iter(self._counts))]
        if count.left < 1:
            count.left_out += 1
            return None
        count.left -= 1
        left_out, count.left_out = count.left_out, 0
        return left_out

    def process(
        self, _logger: object, _method: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        """Apply the limit to a structlog event. Raises structlog.DropEvent to drop it."""
        left_out = self.admit(str(event.get("event", "")), has_traceback=bool(event.get("exc_info")))
        if left_out is None:
            raise structlog.DropEvent
        if left_out:
            event["left_out"] = left_out
        return event

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record from the standard library, as asyncio and uvicorn make."""
        # asyncio adds details after the first line, each time with another memory address.
        event = f"{record.name}: {str(record.msg).partition(chr(10))[0]}"
        left_out = self.admit(event, has_traceback=bool(record.exc_info))
        if left_out:
            record.msg = f"{record.msg} (left out before: {left_out})"
        return left_out is not None


def set_up_logs() -> None:
    """Send the logs of structlog and the standard library to standard error."""
    limiter = LogLimiter()
    renderers: tuple[structlog.typing.Processor, ...] = (
        (render_for_journal,)
        if is_to_journal()
        else (make_printable, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))
    )
    structlog.configure(
        processors=[
            limiter.process,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=False),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            *renderers,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    lines = "%(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format=lines)
    for handler in logging.getLogger().handlers:
        handler.addFilter(limiter.filter)
        handler.setFormatter((JournalFormatter if is_to_journal() else PrintableFormatter)(lines))
