"""a button on the third line of the emulated board's GPIO chip, heard by lgpio, counts a reshuffle"""

import subprocess
from pathlib import Path
from typing import Final

from core.game.state.game import Phase
from hardware.contract import PanelButton
from tests.boot.board import Arch, blob_of, tree_of
from tests.boot.host_station import CABLE, by_cable_only, host_station
from tests.boot.site import ANSWER_S, BOOT_S, SIZE, Site
from tests.boot.table import Table, Twin

BOARDS: Final = (Arch.ARM64,)
_PANEL: Final = "/boot/firmware/panel.toml"
_WIRES: Final = """\
name = "the emulated board"
board = "pi-4"

[buttons.reshuffle]
pin = 3
to_ground = false
"""
_COMPUTE_MODULE_3: Final = 0xA020A0
"""A revision, without which gpiozero's lgpio drives no pins. On a header line 3 is pulled up for good."""


def run(site: Site) -> None:
    """Seat a game, press the button, and look for the reshuffle on the screen and at the station."""
    with host_station(site.folder / "station") as station, Twin(site.folder / "twin", SIZE) as twin:
        text = by_cable_only(station.provisioning(), CABLE[site.arch])
        text = text.replace("[terminal]", f'[terminal]\npanel = "{_PANEL}"')
        card = site.card({"saloon.toml": text.encode(), "panel.toml": _WIRES.encode()})
        table = Table(site, twin, station)
        tree = board_of_a_pi(site.folder)
        with site.board(card, cable=station.cable, device_tree=tree) as board:
            board.wait_for("the station knows the terminal", station.knows_the_terminal, BOOT_S)
            station.begin()
            table.arrives(board, board, "seating")
            table.play(board, board, until=lambda: twin.table.game.phase is Phase.PLAYING)
            site.say(f"{table.touches} touches of the tablet until the game began")
            board.press_power_button()
            twin.table.press(PanelButton.RESHUFFLE)
            table.shows(board, "reshuffle-1")
            board.wait_for("the station hears of it", lambda: station.reshuffles() == 1, ANSWER_S)
            site.keep("reshuffled", board.screen(), twin.picture())
        site.say("one press of the button, one reshuffle at the station")


def board_of_a_pi(folder: Path) -> Path:
    """The emulated board's device tree, saying that it is a Pi, and with its button left to us."""
    plain = folder / "virt.dtb"
    subprocess.run(
        ["qemu-system-aarch64", "-M", f"virt,dumpdtb={plain}", "-cpu", "cortex-a53", "-smp", "2", "-m", "1G"],
        check=True,
        capture_output=True,
    )
    tree = tree_of(plain.read_bytes())
    tree.root.child("system").properties["linux,revision"] = _COMPUTE_MODULE_3.to_bytes(4, "big")
    # The kernel's own driver would hold the line, and switch the board off.
    tree.root.without("gpio-keys")
    changed = folder / "pi.dtb"
    changed.write_bytes(blob_of(tree))
    return changed
