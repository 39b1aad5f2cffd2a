"""the first picture from a card with 10 MB/s, 300 requests a second and flushes of 20 ms"""

from typing import Final

from tests.boot.board import Arch
from tests.boot.expected import NewTerminal
from tests.boot.guest_terminal import READY, TOLD, said
from tests.boot.site import BOOT_S, SIZE, Site
from tests.boot.slow_card import SlowCard

BOARDS: Final = (Arch.ARM64,)


def run(site: Site) -> None:
    """Start the same card slow and as fast as this machine's disk, and compare."""
    expected, card, socket = NewTerminal(SIZE), site.card(), site.folder / "card"
    with SlowCard(card, socket) as slow, site.board(socket, append=TOLD, is_slow=True) as board:
        expected.arrives(site, board, BOOT_S, will_be_touched=False)
        site.measure("first picture from a slow card", said(board, READY), "s")
        site.say(f"{slow.flushes} flushes until then")
    with site.board(site.card(), append=TOLD) as board:
        expected.arrives(site, board, BOOT_S, will_be_touched=False)
        site.measure("first picture from this machine's disk", said(board, READY), "s")
