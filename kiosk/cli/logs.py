"""The logging of a terminal: text for people at a console, JSON for the system's journal.

Logs never contain PINs, tokens, or local variables of failed functions.
"""

import logging
import sys

import structlog

from base.journal import is_to_journal, make_printable, render_for_journal


def set_up_logs() -> None:
    """Start logging to standard error, without the requests to the virtual terminal."""
    plain = structlog.dev.plain_traceback
    renderers: tuple[structlog.typing.Processor, ...] = (
        (structlog.processors.format_exc_info, render_for_journal)
        if is_to_journal()
        # The library's own traceback would show values of variables, including PINs.
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
