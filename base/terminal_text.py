"""Text of people and files as a program prints it: it neither moves the cursor nor begins a line."""

import sys
import unicodedata
from types import TracebackType

_SPACES = "\t\n\v\f\r"


def printable(text: str, *, keeps_lines: bool = False) -> str:
    """Return a text without characters that control a terminal or turn the text round.

    Line feeds and tabs become spaces, unless lines are kept; other such characters become question marks.
    """
    return text if text.isprintable() else "".join(_shown(sign, keeps_lines=keeps_lines) for sign in text)


def _shown(sign: str, *, keeps_lines: bool) -> str:
    if sign.isprintable() or unicodedata.category(sign) == "Zs" or (keeps_lines and sign in "\n\t"):
        return sign
    return " " if sign in _SPACES else "?"


def echo(text: str = "", *, sign: str = "", err: bool = False) -> None:
    """Print a line for people, on the standard output or error. sign: our own before it, coloured."""
    import click

    click.echo(f"{sign} {printable(text)}" if sign else printable(text), err=err)


def echo_lines(text: str) -> None:
    """Print a text of several lines of our own, in which no value has line feeds."""
    print(printable(text, keeps_lines=True).removesuffix("\n"), flush=True)


def echo_json(data: bytes) -> None:
    """Print JSON for programs, with everything escaped that a terminal would obey."""
    import json

    text = data.decode()
    signs = (s if s.isprintable() or s in "\n\t" else json.dumps(s).strip('"') for s in text)
    print("".join(signs), flush=True)


def print_errors_safely() -> None:
    """Print errors that nobody catches without what controls a terminal, from now on."""
    sys.excepthook = _print_error


def _print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    import traceback

    lines = "".join(traceback.format_exception(kind, error, trace))
    sys.stderr.write(printable(lines, keeps_lines=True))
