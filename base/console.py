"""Rich's console, made safe: text can't act as markup or control codes."""

from typing import Any

from rich.console import Console
from rich.text import Text

from base.terminal_text import printable

_FILE_WIDTH = 160
"""The width in columns of a table that is written to a file or a pipe."""


class _PrintableConsole(Console):
    """A console that makes every string printable, including those in tables."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **options)


def plain_console(*, stderr: bool = False, soft_wrap: bool = False, width: int | None = None) -> Console:
    """Return a console that prints names, paths and numbers unchanged.

    Otherwise Rich would interpret ``[red]`` as a colour and ``:AB:`` in a fingerprint as an emoji.
    """
    return _PrintableConsole(
        stderr=stderr, soft_wrap=soft_wrap, width=width, markup=False, emoji=False, highlight=False
    )


def table_console() -> Console:
    """Return a console for tables on standard output, as wide as the screen."""
    screen = plain_console()
    return screen if screen.is_terminal else plain_console(width=_FILE_WIDTH)
