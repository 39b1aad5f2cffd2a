"""a Raspberry Pi 3 B as QEMU knows it, up to the terminal's own message that no screen was found"""

from typing import Final

from tests.boot.board import Arch, pi_3b
from tests.boot.disk import Disk
from tests.boot.guest_terminal import TOLD, said
from tests.boot.machine import Machine
from tests.boot.site import BOOT_S, JOURNAL, SLOW, Broken, Site

BOARDS: Final = (Arch.ARM64,)
_TREE: Final = "bcm2837-rpi-3-b.dtb"
_SHORT: Final = {
    **SLOW,
    "etc/systemd/system.conf.d/unarmed.conf": "[Manager]\nRuntimeWatchdogSec=0\nRebootWatchdogSec=0\n",
    "etc/saloon/terminal.toml": (
        'data = "/var/lib/saloon"\nboot_files = ["/boot/firmware/saloon.toml"]\n'
        'pins = "lgpio"\nsets_clock = true\nscreen_within_s = 5\n'
    ),
}
"""A screen that cannot come is waited for shortly. QEMU resets the board as soon as its watchdog is armed."""
_STEPS: Final = {
    "the kernel knows the board": r"Machine model: Raspberry Pi 3 Model B",
    "the firmware answers the kernel": r"raspberrypi-firmware soc:firmware: Attached",
    "the card is found in its slot": r"mmcblk0: p1 p2 p3",
    "the data partition is mounted": r"\(mmcblk0p3\): mounted filesystem",
    "the controller of USB is found": r"dwc2 [0-9a-f]+\.usb: DWC OTG Controller",
    "systemd runs": r"systemd\[1\]: Hostname set to <saloon-table>",
    "the unit of the terminal is started": r"Starting saloon-terminal\.service",
    "the terminal says that no screen was found": r"no screen was found",
    "systemd starts it again": r"saloon-terminal\.service: Scheduled restart job",
}
"""In this order, as the console tells."""
_NO_PICTURE: Final = r"vc4_hdmi [0-9a-f]+\.hdmi: probe with driver vc4_hdmi failed with error -110"
"""QEMU's firmware cannot be asked for power domains, and there is no display controller behind them."""
_LOST: Final = r"Kernel panic|Oops: |saloon: .* cannot be read|no disk with the identifier"


def run(site: Site) -> None:
    """Start the image's own kernel, initramfs and device tree, and follow the console."""
    folder = site.folder / "start-1"
    folder.mkdir(exist_ok=True)
    tree = site.folder / _TREE
    tree.write_bytes(Disk(site.image).read(_TREE))
    # No journal in the kernel's log: what systemd says itself has the kernel's stamps.
    kernel = site.kernel(f"{TOLD} {JOURNAL}", _SHORT, (), tools=False, reads_ahead=True)
    with Machine(pi_3b(site.card(), folder, kernel, tree), folder) as board:
        for step, pattern in _STEPS.items():
            _reaches(site, board, step, pattern)
        site.measure(
            "the unit of the terminal is started",
            said(board, _STEPS["the unit of the terminal is started"]),
            "s",
        )
        if board.console.said(_NO_PICTURE) is None:
            raise Broken(
                "the driver of HDMI did not fail as QEMU makes it: is there a picture to look at now?"
            )
        site.say("no picture: vc4_hdmi fails with -110, as QEMU's firmware has no power domains")


def _reaches(site: Site, board: Machine, step: str, pattern: str) -> None:
    def is_there() -> bool:
        if (lost := board.console.said(_LOST)) is not None:
            raise Broken(f"{step}: {lost.text}")
        return board.console.said(pattern) is not None

    board.wait_for(step, is_there, BOOT_S)
    site.say(step)
