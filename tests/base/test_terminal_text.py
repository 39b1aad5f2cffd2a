"""Texts of people and files are shown without what a terminal obeys, wherever programs print them."""

import io
import logging
import subprocess
import sys

import pytest
import structlog
from rich.table import Table

from base.console import plain_console, table_console
from base.journal import PrintableFormatter, make_printable
from base.terminal_text import echo, echo_lines, printable

HOSTILE = "a\x1b[8mb\x9b1mc\x00\x07\x7fd\r\ne\u202ef\u2028g\ud800"
SHOWN = "a?[8mb?1mc???d  e?f?g?"


def test_what_controls_a_terminal_is_replaced_and_letters_are_not() -> None:
    assert printable(HOSTILE) == SHOWN
    for plain in ("Šárka Müller", "12\u00a0000 $", "ﺍﻟﺴﻼﻡ", "汉字 🤠"):
        assert printable(plain) == plain


def test_consoles_tables_and_lines_are_printed_so(capsys: pytest.CaptureFixture[str]) -> None:
    plain_console().print(HOSTILE)
    table = Table("Player", title=HOSTILE)
    table.add_row(HOSTILE)
    table_console().print(table)
    echo(HOSTILE)
    echo(HOSTILE, err=True)
    echo_lines("one\n\ttwo\x1b[8m\n")
    printed = capsys.readouterr()
    assert printed.err == SHOWN + "\n"
    assert printed.out.startswith(SHOWN)
    assert printed.out.endswith("one\n\ttwo?[8m\n")
    assert [line for line in printed.out.split("\n") if not line.replace("\t", "").isprintable()] == []


def test_logs_are_too_with_their_tracebacks() -> None:
    written = io.StringIO()
    log = structlog.wrap_logger(
        structlog.PrintLogger(written),
        processors=[
            structlog.processors.format_exc_info,
            make_printable,
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
    )
    log.error("failed", problem=HOSTILE, exc_info=ValueError(HOSTILE))
    record = logging.LogRecord("uvicorn", logging.ERROR, "", 1, "%s", (HOSTILE,), None)
    lines = [*written.getvalue().split("\n"), PrintableFormatter("%(message)s").format(record)]
    assert len(lines) > 3
    assert [line for line in lines if "\x1b" in line or "\x9b" in line] == []


def test_an_error_that_nobody_catches_is_too() -> None:
    program = (
        "from base.terminal_text import print_errors_safely\n"
        "print_errors_safely()\n"
        "raise ValueError('a\\x1b[8m')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "ValueError: a?[8m")
