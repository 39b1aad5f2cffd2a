"""The console on which the program prints for people."""

from rich.console import Console

FILE_WIDTH = 160
"""Columns of a table that goes to a file or a pipe, where no screen says how many there are."""


def printer() -> Console:
    """Return the standard output, as wide as the screen is."""
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=FILE_WIDTH)
