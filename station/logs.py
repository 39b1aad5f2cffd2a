"""How the station logs: lines for people at a screen, JSON for the system's journal.

Never in a log: PINs, passwords, tokens, seeds, standings, or what a page shows of them.
"""

import logging
import os
import sys

import structlog


def set_up_logs() -> None:
    """Log to standard error from now on."""
    for_people = "JOURNAL_STREAM" not in os.environ
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if for_people
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=False),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
