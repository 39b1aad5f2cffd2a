"""Print text from people and files safely, so that it can't move the cursor or start a line."""

import sys
import unicodedata
from types import TracebackType

_SPACES = "\t\n\v\f\r"


def printable(text: str, *, keeps_lines: bool = False) -> str:
    """Return a text with spaces and question marks instead of control and bidirectional characters."""
    if text.isprintable():
        return text
    return "".join(_printable(character, keeps_lines=keeps_lines) for character in text)


def _printable(character: str, *, keeps_lines: bool) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    if keeps_lines and character in "\n\t":
        return character
    return " " if character in _SPACES else "?"


def echo(text: str = "", *, sign: str = "", err: bool = False) -> None:
    """Print a line, made printable, to standard output or standard error. ``sign`` is a coloured prefix."""
    import click

    click.echo(f"{sign} {printable(text)}" if sign else printable(text), err=err)


def echo_lines(text: str) -> None:
    print(printable(text, keeps_lines=True).removesuffix("\n"), flush=True)


def echo_json(data: bytes) -> None:
    """Print JSON, escaping everything that could control a terminal."""
    import json

    text = data.decode()
    escaped = (c if c.isprintable() or c in "\n\t" else json.dumps(c).strip('"') for c in text)
    print("".join(escaped), flush=True)


def print_errors_safely() -> None:
    """Make the messages of uncaught errors printable from now on."""
    sys.excepthook = _print_error


def _print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    import traceback

    lines = "".join(traceback.format_exception(kind, error, trace))
    sys.stderr.write(printable(lines, keeps_lines=True))
