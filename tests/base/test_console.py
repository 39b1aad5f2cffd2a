"""Programs print what is meant: no name becomes a colour, no number a picture."""

import re
from pathlib import Path

import pytest
from rich.table import Table

from base.console import plain_console, table_console

ROOT = Path(__file__).parents[2]
AS_IT_IS = ("BA:AB:46:97", "Ann [red]Bob[/red]", "a :smile: b", "[/]", "/home/ada/[1]")


@pytest.mark.parametrize("words", AS_IT_IS)
def test_words_are_printed_letter_by_letter(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain_console().print(f"Its certificate: {words}")
    plain_console(stderr=True, soft_wrap=True).print(words, style="red")
    printed = capsys.readouterr()
    assert printed.out == f"Its certificate: {words}\n"
    assert printed.err == f"{words}\n"


@pytest.mark.parametrize("words", AS_IT_IS)
def test_tables_too(words: str, capsys: pytest.CaptureFixture[str]) -> None:
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
