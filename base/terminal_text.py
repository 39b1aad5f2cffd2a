"""Print text from people and files safely: it can't move the cursor or start a line."""

import sys
import unicodedata
from types import TracebackType

_SPACES = "\t\n\v\f\r"


def printable(text: str, *, keeps_lines: bool = False) -> str:
    """Return a text without control or bidirectional characters.

    Line feeds and tabs become spaces, unless lines are kept; other such characters become question marks.
    """
    return text if text.isprintable() else "".join(_printable(sign, keeps_lines=keeps_lines) for sign in text)


def _printable(sign: str, *, keeps_lines: bool) -> str:
    if sign.isprintable() or unicodedata.category(sign) == "Zs" or (keeps_lines and sign in "\n\t"):
        return sign
    return " " if sign in _SPACES else "?"


def echo(text: str = "", *, sign: str = "", err: bool = False) -> None:
    """Print a line to standard output or standard error, with unprintable characters escaped.

    ``sign`` is a coloured prefix, printed as it is.
    """
    import click

    click.echo(f"{sign} {printable(text)}" if sign else printable(text), err=err)


def echo_lines(text: str) -> None:
    """Print our own text of several lines, whose values contain no line feeds."""
    print(printable(text, keeps_lines=True).removesuffix("\n"), flush=True)


def echo_json(data: bytes) -> None:
    """Print JSON, escaping everything that could control a terminal."""
    import json

    text = data.decode()
    signs = (s if s.isprintable() or s in "\n\t" else json.dumps(s).strip('"') for s in text)
    print("".join(signs), flush=True)


def print_errors_safely() -> None:
    """Print uncaught errors without control characters from now on."""
    sys.excepthook = _print_error


def _print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    import traceback

    lines = "".join(traceback.format_exception(kind, error, trace))
    sys.stderr.write(printable(lines, keeps_lines=True))
