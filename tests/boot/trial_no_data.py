"""a card whose data cannot be read any more: no game is kept in memory only, and the screen says why"""

import re
from typing import Final

from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import screen_geometry_for
from kiosk.view.table_view import Delivery, TableView
from tests.boot.disk import Disk, copied, flattened, hash_of, overlay
from tests.boot.machine import Machine
from tests.boot.pictures import differing, picture_of
from tests.boot.site import ANSWER_S, BOOT_S, CARD, SIZE, Broken, Site

_SAYS_SO: Final = r'"code": "([0-9A-F]{4})", "event": "the terminal cannot start"'
_PROBLEM: Final = "/var/lib/saloon/certificate.pem.new: Read-only file system"


def run(site: Site) -> None:
    """Start with a ruined third partition."""
    image = copied(site.image, site.folder / "worn.img")
    worn = Disk(image)
    worn.ruin(worn.data)
    card = overlay(image, site.folder / "card.qcow2", CARD)
    with site.board(card) as board:
        board.wait_for("the kiosk says so", lambda: board.console.said(_SAYS_SO) is not None, BOOT_S)
        site.measure("a board without data until it says so", board.age_s, "s")
        expected = trouble(code_told(board))
        try:
            board.wait_for("its picture", lambda: not differing(board.screen(), expected), ANSWER_S)
        finally:
            site.keep("says-so", board.screen(), picture_of(expected))
    left = flattened(card, site.folder / "flat.img")
    if hash_of(left, worn.data) != hash_of(image, worn.data):
        raise Broken("the partition that cannot be read has been written: nobody can rescue what was on it")
    site.say(f"the card is left as it was; on the screen: {' '.join(expected.visible_text())}")


def code_told(board: Machine) -> str:
    """By what code the kiosk's log calls the trouble."""
    line = board.console.said(_SAYS_SO)
    match = None if line is None else re.search(_SAYS_SO, line.text)
    if match is None:
        raise Broken("the kiosk's log names no code")
    return match[1]


def trouble(code: str) -> TableScreen:
    """The screen of a terminal that cannot start."""
    screen = TableScreen(screen_geometry_for(SIZE), failsafe=False)
    screen.show_trouble(TroubleScene(code, _PROBLEM, is_of_card=True))
    screen.update(TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0))
    return screen
