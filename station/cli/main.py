"""The program ``saloon-station``: the judge's station and its tools."""

import gc
import sys

from base.console import plain_console
from base.errors import BadData, Refused, Unavailable
from base.terminal_text import print_errors_safely


def main() -> None:
    """Run a command; on bad data, refusals and unavailable resources print a sentence and exit with 2."""
    # Imported objects live until the end, so collecting garbage during imports is useless.
    gc.disable()
    from station.cli.commands import commands

    gc.freeze()
    gc.enable()
    print_errors_safely()
    try:
        commands.main(standalone_mode=True)
    except (BadData, Refused, Unavailable) as error:
        plain_console(stderr=True).print(str(error), style="red", soft_wrap=True)
        sys.exit(2)
