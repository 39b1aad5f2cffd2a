"""the station's image serves its pages over HTTPS and shows their address on its own screen"""

from pathlib import Path
from typing import Final

import zxingcpp

from demo.processes import free_port
from tests.boot.disk import Disk, flattened
from tests.boot.guest_station import pages_at, wait_for_page
from tests.boot.machine import Machine, MachineFault
from tests.boot.site import BOOT_S, Broken, Site

IMAGE: Final = "station"
_LEFT: Final = 16 << 20
"""Octets at the end of a card that growing leaves alone."""


def run(site: Site) -> None:
    """Start it, ask for a page from outside, read the code on its screen."""
    port = free_port()
    card = site.card()
    with site.board(card, https_port=port) as board:
        seen_s = wait_for_page(board, pages_at(port))
        served_s = board.kernel_s(seen_s)
        site.measure("page over HTTPS since power on, on the host", seen_s - board.began_s, "s")
        if served_s is not None:
            site.measure("page over HTTPS", served_s, "s")
        site.say(f"its own screen leads to {_code_on(site, board)}")
    _has_grown(site, card)


def _has_grown(site: Site, card: Path) -> None:
    """Return whether the data partition extends to the end of the card, for the records of a season."""
    disk = Disk(flattened(card, site.folder / "flat.img"))
    end, whole = disk.data.start + disk.data.length, disk.path.stat().st_size
    if whole - end > _LEFT:
        raise Broken(f"the data partition ends at {end / 1e6:.0f} MB of a card of {whole / 1e6:.0f} MB")
    site.measure("room for the data on a card of 8 GiB", disk.data.length / 1e6, "MB")


def _code_on(site: Site, board: Machine) -> str:
    """The address in the QR code of the screen. Raises Broken where none can be read."""
    try:
        board.wait_for("a code on the screen", lambda: bool(zxingcpp.read_barcodes(board.screen())), BOOT_S)
    except MachineFault as fault:
        raise Broken(f"no QR code on the station's own screen: {fault}") from fault
    finally:
        site.keep("station", board.screen())
    (code, *_) = zxingcpp.read_barcodes(board.screen())
    if not code.text.startswith("https://"):
        raise Broken(f"the code on the screen says {code.text!r}")
    return str(code.text)
