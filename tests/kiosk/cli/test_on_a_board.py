import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = "from kiosk.cli.start import main; main()"


def refusal(*arguments: str | Path) -> str:
    """Return the message of a start with these arguments, which must be one line with status 2."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("20")]
    return line


_LINES = """
import sys
from kiosk.cli.start import load_libraries
load_libraries(has_door=False)
import structlog
log = structlog.get_logger()
before = "structlog.processors" in sys.modules
log.warning("the first line", table=3)
structlog.get_logger().error("the second line")
print(before, "structlog.processors" in sys.modules, sys.modules.get("asyncio"))
"""


def test_the_logs_library_comes_with_the_first_line_and_loses_none() -> None:
    done = subprocess.run([sys.executable, "-c", _LINES], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False True None"
    assert "the first line" in done.stderr
    assert "table=3" in done.stderr
    assert "the second line" in done.stderr


def test_without_its_file_the_program_says_how_it_is_called() -> None:
    assert "name its file" in refusal()


@pytest.mark.slow
def test_a_key_that_is_not_known_is_named(tmp_path: Path) -> None:
    file = tmp_path / "terminal.toml"
    file.write_text('data = "/d"\ndoor = 1\n')
    assert f"{file}: " in refusal(file)
    assert "door" in refusal(file)


@pytest.mark.slow
def test_what_stops_the_terminal_is_said_as_by_its_other_program(tmp_path: Path) -> None:
    file, journal = tmp_path / "terminal.toml", tmp_path / "journal.db"
    journal.write_bytes(b"rubbish" * 1000)
    file.write_text(f'data = "{tmp_path}"\nvirtual = 0\n')
    assert "journal.db: not a journal" in refusal(file)
