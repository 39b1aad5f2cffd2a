"""The console on which programs print for people. What it prints is shown letter by letter."""

from typing import Any

from rich.console import Console
from rich.text import Text

from saloon.base.terminal_text import printable

FILE_WIDTH = 160
"""Columns of a table that goes to a file or a pipe, where no screen says how many there are."""


class _PrintableConsole(Console):
    """A console that no text controls: every string comes by here, also those of tables."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text with characters that can be printed only."""
        return super().render_str(printable(text), **options)


def plain_console(*, stderr: bool = False, soft_wrap: bool = False, width: int | None = None) -> Console:
    """Return a console that changes nothing of a name, a path or a number.

    Rich would read ``[red]`` as a colour and ``:AB:`` in a fingerprint as a picture.
    """
    return _PrintableConsole(
        stderr=stderr, soft_wrap=soft_wrap, width=width, markup=False, emoji=False, highlight=False
    )


def table_console() -> Console:
    """Return the standard output for tables, as wide as the screen is."""
    screen = plain_console()
    return screen if screen.is_terminal else plain_console(width=FILE_WIDTH)
