"""Texts of people and files are shown without what a terminal obeys, wherever programs print them."""

import io
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from rich.table import Table

from base.console import plain_console, table_console
from base.journal import JournalFormatter, PrintableFormatter, make_printable, render_for_journal
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


ROOT = Path(__file__).parents[2]
AS_IT_IS = ("BA:AB:46:97", "Ann [red]Bob[/red]", "a :smile: b", "[/]", "/home/ada/[1]")


@pytest.mark.parametrize("words", AS_IT_IS)
def test_words_are_printed_letter_by_letter_in_tables_too(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plain_console().print(f"Its certificate: {words}")
    plain_console(stderr=True, soft_wrap=True).print(words, style="red")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (f"Its certificate: {words}\n", f"{words}\n")
    table = Table("Player")
    table.add_row(words)
    table_console().print(table)
    assert words in capsys.readouterr().out


@pytest.mark.slow
def test_every_program_prints_so() -> None:
    rooms = ("core", "station", "kiosk", "hardware", "sync", "demo", "image")
    files = [file for room in rooms for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 400
    written = {file: file.read_text("utf-8") for file in files}
    assert [file for file, text in written.items() if re.search(r"\bConsole\(", text)] == []
    # Nothing reaches a screen past base/console.py and base/terminal_text.py.
    raw = re.compile(r"(?<![\w.])print\(|click\.s?echo\(")
    past = {file.name for file in written if raw.search(written[file]) and "image" not in file.parts}
    assert past == {"start.py", "units.py"}  # their own words, and the repr of an error
    # The texts of a progress bar are marked up by themselves.
    columns = [
        column
        for text in written.values()
        for column in re.findall(r"\bTextColumn\(.*?task\.(?:description|fields).*", text)
    ]
    assert columns
    assert [column for column in columns if "markup=False" not in column] == []


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
