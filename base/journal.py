"""Log lines that are safe to print, and have priorities for the system's journal.

According to sd-daemon(3), a line that starts with <4> is a warning.
"""

import logging
import os
from collections.abc import Mapping
from typing import Final

import structlog

from base.terminal_text import printable

_INFO: Final = 6
_PRIORITIES: Final[Mapping[str, int]] = {
    "critical": 2, "exception": 3, "error": 3, "warning": 4, "info": _INFO, "debug": 7,
}  # fmt: skip
_LONG: Final = frozenset({"exception", "stack"})
_JSON: Final = structlog.processors.JSONRenderer()


def is_to_journal() -> bool:
    """Return whether standard error goes to the journal, so that lines should be machine-readable."""
    return "JOURNAL_STREAM" in os.environ


def render_for_journal(logger: object, method: str, event: structlog.typing.EventDict) -> str:
    line = _JSON(logger, method, event)
    return f"<{_PRIORITIES.get(method, _INFO)}>{line if isinstance(line, str) else line.decode()}"


def make_printable(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace unprintable characters in a structlog event."""
    texts = {name: value for name, value in event.items() if isinstance(value, str)}
    event.update({name: printable(text, keeps_lines=name in _LONG) for name, text in texts.items()})
    return event


class PrintableFormatter(logging.Formatter):
    """A formatter for the standard library's loggers that replaces unprintable characters."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record), keeps_lines=True)


class JournalFormatter(logging.Formatter):
    """A formatter for the standard library's loggers that starts each line with the priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = _PRIORITIES.get(record.levelname.lower(), _INFO)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines())
