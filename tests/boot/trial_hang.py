"""a kiosk that hangs is started again by systemd, a kernel that hangs by the board's watchdog"""

import time
from typing import Final

from tests.boot.board import Arch
from tests.boot.guest_terminal import UNIT, card_with_key, is_active, is_ready
from tests.boot.machine import Machine, MachineFault
from tests.boot.shell import Shell
from tests.boot.site import BOOT_S, Broken, Site

_NOTICED_S: Final = 120.0
"""Longer than any watchdog of the image, on a slow board."""


def run(site: Site) -> None:
    """Stop the kiosk's process by a signal that it cannot catch; then stop the whole system."""
    card, shell = card_with_key(site)
    with site.board(card) as board:
        is_ready(board, shell)
        _kiosk(site, board, shell)
        if site.arch is Arch.AMD64:
            _kernel(site, board, shell)


def _kiosk(site: Site, board: Machine, shell: Shell) -> None:
    before = shell.properties(UNIT, "MainPID", "NRestarts")
    shell.run(f"kill -STOP {before['MainPID']}")
    begun = time.monotonic()

    def is_new() -> bool:
        now = shell.properties(UNIT, "MainPID", "NRestarts", "ActiveState")
        return now["ActiveState"] == "active" and now["MainPID"] not in {"0", before["MainPID"]}

    came = board.wait_for("a new kiosk in place of the stopped one", is_new, BOOT_S)
    site.measure("a stopped kiosk until the next is ready", came - begun, "s")
    ended = shell.run(f"journalctl -b -u {UNIT} --no-pager -o cat | grep -i 'watchdog timeout' | tail -1")
    if "atchdog" not in ended:
        raise Broken("the kiosk is new, and no watchdog has ended the old one")
    site.say(f"systemd: {ended}")
    site.keep("after-the-hang", board.screen())


def _kernel(site: Site, board: Machine, shell: Shell) -> None:
    """Freeze all processors from within: nothing of the guest can pet the watchdog any more."""
    device = shell.run("cat /sys/class/watchdog/watchdog*/identity")
    if "i6300" not in device:
        raise Broken(f"the board's watchdog is {device}, not the i6300ESB that hangs on it")
    board.look()
    board.monitor.events.clear()
    # A kernel that panics and is told to wait for ever: interrupts are off, systemd is no more.
    shell.run("sysctl -q -w kernel.panic=0 kernel.sysrq=1")
    shell.run("(sleep 2; echo c > /proc/sysrq-trigger) < /dev/null > /dev/null 2>&1 &")
    begun = board.wait_for("a panic", lambda: board.console.said("Kernel panic") is not None, _NOTICED_S)
    try:
        came = board.wait_for("the watchdog", lambda: "WATCHDOG" in board.monitor.events, _NOTICED_S)
    except MachineFault as fault:
        raise Broken(f"a hung kernel is not noticed: {board.monitor.events}") from fault
    site.measure("a hung kernel until the board is reset", came - begun, "s")
    board.wait_for("the kiosk after the reset", lambda: is_active(shell), BOOT_S)
    site.say("the hardware watchdog has reset the board, and the kiosk is back")
