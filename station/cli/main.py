"""The program ``saloon-station``: the judge's station and its tools."""

import gc
import sys

from saloon.base.console import plain_console
from saloon.base.errors import BadData, Refused, Unavailable
from saloon.base.terminal_text import print_errors_safely


def main() -> None:
    """Run a command; print bad data, refusals and unavailable resources as a sentence, with exit status 2."""
    # Nothing that is imported dies: the collector would look through all of it dozens of times.
    gc.disable()
    from saloon.station.cli.commands import commands

    gc.freeze()
    gc.enable()
    print_errors_safely()
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused, Unavailable) as error:
        plain_console(stderr=True).print(str(error), style="red", soft_wrap=True)
        sys.exit(2)
