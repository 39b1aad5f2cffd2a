"""A terminal in the guest, and an engineer's shell beside it."""

from pathlib import Path
from typing import Final

from tests.boot.host_station import of_nobody, with_key
from tests.boot.machine import Machine
from tests.boot.shell import Shell, ShellFault
from tests.boot.site import BOOT_S, Broken, Site

UNIT: Final = "saloon-terminal.service"
TOLD: Final = "systemd.log_target=kmsg systemd.log_level=info printk.devkmsg=on ignore_loglevel"
"""systemd says what it starts in the kernel's log, with the kernel's stamps."""
READY: Final = r"Started .*saloon-terminal"


def card_with_key(site: Site) -> tuple[Path, Shell]:
    """The card of a terminal whose station is nowhere, and root's shell by the key that its file brings."""
    key, public = site.key()
    card = site.card({"saloon.toml": with_key(of_nobody(site.folder), public).encode()})
    return card, site.shell(key)


def is_let_in(shell: Shell) -> None:
    """Wait for ssh. Raises Broken."""
    if not shell.opens(BOOT_S):
        raise Broken("ssh with the key of the provisioning file is not let in")


def is_ready(board: Machine, shell: Shell) -> None:
    """Wait for ssh and the first frame. Raises Broken or MachineFault."""
    is_let_in(shell)
    board.wait_for("the kiosk is ready", lambda: is_active(shell), BOOT_S)


def is_active(shell: Shell) -> bool:
    try:
        return shell.properties(UNIT, "ActiveState")["ActiveState"] == "active"
    except ShellFault:
        return False


def said(board: Machine, pattern: str) -> float:
    """Return when systemd reported this, by the kernel's clock (seconds). Raises MachineFault or Broken."""
    board.wait_for("systemd says it", lambda: board.console.said(pattern) is not None, BOOT_S)
    line = board.console.said(pattern)
    if line is None or line.kernel_s is None:
        raise Broken(f"{pattern}: without the kernel's stamp")
    return line.kernel_s
