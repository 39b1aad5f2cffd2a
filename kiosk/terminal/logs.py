"""The logging of a terminal: lines for people at a screen, JSON for the system's journal.

Never in a log: PINs, tokens, or the values that a failing function held.
"""

import logging
import sys

import structlog

from saloon.base.journal import is_to_journal, make_printable, render_for_journal


def set_up_logs() -> None:
    """Log to standard error from now on; the door's single requests are left out."""
    plain = structlog.dev.plain_traceback
    renderers: tuple[structlog.typing.Processor, ...] = (
        (structlog.processors.format_exc_info, render_for_journal)
        if is_to_journal()
        # The library's own traceback shows the values of variables, so also a PIN.
        else (
            structlog.processors.format_exc_info,
            make_printable,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain),
        )
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=False),
            *renderers,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
