"""touches of a virtual tablet change what is on the screen as the same touches do on the host"""

import time
from typing import Final

from kiosk.ui.touch_recogniser import FRESH_MS
from tests.boot.site import BOOT_S, SIZE, TAP_S, Site
from tests.boot.table import NewTerminal

_TOUCHES: Final = ("type-code", "key-A", "key-B", "key-C")
_READ_S: Final = FRESH_MS / 1000 + 0.5
"""The time in which a new target ignores fingers, and a little more for the emulated board."""


def run(site: Site) -> None:
    """Open the pad for a code on a new terminal and type on it."""
    expected = NewTerminal(SIZE)
    with site.board(site.card()) as board:
        expected.arrives(site, board, BOOT_S)
        time.sleep(_READ_S)
        for name in _TOUCHES:
            board.tap(*expected.place(name), hold_s=TAP_S)
            expected.touch(name)
            expected.shows(site, board, f"after-{name}")
            time.sleep(_READ_S)
    site.say(f"{len(_TOUCHES)} touches of the tablet, each answered by the same scene")
