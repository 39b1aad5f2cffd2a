"""Priorities for the system's journal, as sd-daemon(3) has them: a line that begins with <4> is a warning."""

import logging
import os
from collections.abc import Mapping
from typing import Final

import structlog

_INFO: Final = 6
_PRIORITIES: Final[Mapping[str, int]] = {
    "critical": 2, "exception": 3, "error": 3, "warning": 4, "info": _INFO, "debug": 7,
}  # fmt: skip


_JSON: Final = structlog.processors.JSONRenderer()


def is_to_journal() -> bool:
    """Return whether standard error goes to the journal, so that lines are for programs."""
    return "JOURNAL_STREAM" in os.environ


def render_for_journal(logger: object, method: str, event: structlog.typing.EventDict) -> str:
    """Return a line of structlog as JSON, with the priority of its level."""
    line = _JSON(logger, method, event)
    return f"<{_PRIORITIES.get(method, _INFO)}>{line if isinstance(line, str) else line.decode()}"


class JournalFormatter(logging.Formatter):
    """Formats lines of the standard library's loggers, each with its priority, tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        priority = _PRIORITIES.get(record.levelname.lower(), _INFO)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())
