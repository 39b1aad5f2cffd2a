"""The program ``saloon-kiosk``: the terminal as started by the system of a board.

Its settings come from a file, because a command-line parser would add a tenth to the time until the first
picture.
"""

import sys
from pathlib import Path

from base import __version__
from base.errors import BadData
from base.terminal_text import echo
from kiosk.cli.start import start
from kiosk.terminal.saved.startup_settings import settings_in

_USAGE = """Usage: saloon-kiosk FILE

Run a table's terminal with the settings in FILE, such as /etc/saloon/terminal.toml.

--version  Show the version and exit.
--help     Show this message and exit.

On a command line, saloon-terminal takes the same settings as options."""


def main() -> None:
    """Run the terminal with the settings in the given file.

    Exits with status 2 and a message if it can't start.
    """
    if sys.argv[1:] == ["--help"]:
        print(_USAGE)
        return
    if sys.argv[1:] == ["--version"]:
        print(f"saloon-kiosk, version {__version__}")
        return
    if len(sys.argv) != 2:  # noqa: PLR2004 (the program and its file)
        print("saloon-kiosk: name its file, as saloon-kiosk /etc/saloon/terminal.toml", file=sys.stderr)
        sys.exit(2)
    try:
        settings = settings_in(Path(sys.argv[1]))
    except BadData as error:
        echo(f"saloon-kiosk: {error}", err=True)
        sys.exit(2)
    start(settings)
