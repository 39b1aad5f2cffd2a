"""Priorities that the system's journal reads from the beginning of a line."""

import io
import json
import logging

import pytest
import structlog

from base.journal import JournalFormatter, render_for_journal


@pytest.mark.parametrize(
    ("level", "priority"), [("info", 6), ("warning", 4), ("error", 3), ("exception", 3), ("critical", 2)]
)
def test_a_line_has_the_priority_of_its_level(level: str, priority: int) -> None:
    output = io.StringIO()
    log = structlog.wrap_logger(structlog.PrintLogger(output), processors=[render_for_journal])
    getattr(log, level)("cable unplugged", table=7)
    begin, _, rest = output.getvalue().partition(">")
    assert begin == f"<{priority}"
    assert json.loads(rest) == {
        "event": "cable unplugged",
        "table": 7,
        **({"exc_info": True} if level == "exception" else {}),
    }


def test_each_line_of_a_traceback_has_its_priority() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, __file__, 1, "failed", None, None)
    try:
        int("no\nnumber")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    lines = JournalFormatter("%(message)s").format(record).splitlines()
    assert len(lines) > 3
    assert all(line.startswith("<3>") for line in lines)
