"""Events that strangers can cause repeatedly are counted instead of logged each time."""

import logging
import resource
import subprocess
import sys

import pytest
import structlog

from station.cli.serve import raise_open_files
from station.server.logs import LINES, TRACEBACKS, LogLimiter


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def test_an_event_that_comes_without_end_is_counted_and_said_now_and_then(time: Time) -> None:
    limiter = LogLimiter(time)
    admitted = [limiter.admit("unreadable", has_traceback=False) for _ in range(5_000)]
    assert [left_out for left_out in admitted if left_out is not None] == [0] * LINES.burst
    time.now += 60.0
    again = [limiter.admit("unreadable", has_traceback=False) for _ in range(5_000)]
    said = [left_out for left_out in again if left_out is not None]
    assert said == [5_000 - LINES.burst, *[0] * (int(LINES.each_minute) - 1)]


def test_other_events_are_logged_meanwhile(time: Time) -> None:
    limiter = LogLimiter(time)
    for _ in range(5_000):
        limiter.admit("unreadable", has_traceback=False)
    assert limiter.admit("station stopped", has_traceback=False) == 0


def test_tracebacks_are_fewer(time: Time) -> None:
    limiter = LogLimiter(time)
    admitted = [limiter.admit("a page failed", has_traceback=True) for _ in range(5_000)]
    assert len([left_out for left_out in admitted if left_out is not None]) == TRACEBACKS.burst


def test_whatever_events_are_called_not_all_are_remembered(time: Time) -> None:
    limiter = LogLimiter(time)
    for number in range(2_000):
        limiter.admit(f"event {number}", has_traceback=False)
    assert len(limiter._counts) <= 500


def test_a_structlog_line_that_is_too_many_is_dropped(time: Time) -> None:
    limiter = LogLimiter(time)
    for _ in range(LINES.burst):
        assert limiter.process(None, "info", {"event": "x", "code": 1}) == {"event": "x", "code": 1}
    with pytest.raises(structlog.DropEvent):
        limiter.process(None, "info", {"event": "x"})
    time.now += 60.0
    assert limiter.process(None, "info", {"event": "x"}) == {"event": "x", "left_out": 1}


def test_asyncios_line_of_a_full_system_is_one_event_whatever_stands_behind_it(time: Time) -> None:
    limiter = LogLimiter(time)
    problem = OSError(24, "Too many open files")

    def record(number: int) -> logging.LogRecord:
        text = f"socket.accept() out of system resource\nsocket: <asyncio.TransportSocket fd={number}>"
        return logging.LogRecord("asyncio", logging.ERROR, "", 0, text, (), (OSError, problem, None))

    assert sum(limiter.filter(record(number)) for number in range(2_000)) == TRACEBACKS.burst
    time.now += 60.0
    last = record(1)
    assert limiter.filter(last)
    assert "left out before: 1990" in last.getMessage()


@pytest.mark.slow
def test_the_limit_of_open_files_is_raised_to_what_the_system_allows() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = (
        "import resource; from station.cli.serve import raise_open_files;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}));"
        "print(raise_open_files(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == [str(hard)] * 3
    assert raise_open_files() == hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
