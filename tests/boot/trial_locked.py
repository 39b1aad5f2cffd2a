"""no way out of the kiosk by keys, no ssh without a key, no login on the serial port"""

import socket
import time
from typing import Final

from tests.boot.shell import Shell
from tests.boot.site import BOOT_S, SIZE, Broken, Site
from tests.boot.table import NewTerminal

_WAYS_OUT: Final = (
    ("ctrl", "alt", "f2"), ("alt", "f3"), ("ctrl", "alt", "delete"), ("ctrl", "c"), ("ctrl", "z"),
    ("alt", "sysrq", "k"), ("alt", "sysrq", "b"), ("esc",), ("alt", "f4"), ("ctrl", "alt", "backspace"),
    ("ctrl", "backslash"), ("ctrl", "d"), ("pause",),
)  # fmt: skip
_SETTLE_S: Final = 5.0
_STARTED: Final = r"systemd\[1\]: Startup finished in"


def run(site: Site) -> None:
    """Press what leaves other machines, and look whether the same screen is still there."""
    key, _ = site.key()
    expected = NewTerminal(SIZE)
    with site.board(site.card()) as board:
        expected.arrives(site, board, BOOT_S)
        for keys in _WAYS_OUT:
            board.press_keys(*keys)
            time.sleep(0.5)
        time.sleep(_SETTLE_S)
        expected.shows(site, board, "after-the-keys")
        if "RESET" in board.monitor.events or "SHUTDOWN" in board.monitor.events:
            raise Broken(f"keys have stopped the board: {board.monitor.events}")
        site.say(f"{len(_WAYS_OUT)} ways out by the keyboard lead nowhere")
        # Network and ssh start behind the first frame: before that silence would mean nothing.
        board.wait_for("the end of the start", lambda: board.console.said(_STARTED) is not None, BOOT_S)
        if answers(site.ssh_port) or Shell(site.ssh_port, key).opens(_SETTLE_S):
            raise Broken("ssh answers, and no provisioning file brought a key")
        site.say("without a key in a provisioning file nobody answers at the port of ssh")
        board.console.look()
        if "login:" in board.console.unfinished or board.console.said("login:"):
            raise Broken("the serial port asks for a login")
        site.say("no login on the serial port")


def answers(port: int) -> bool:
    """Return whether an ssh server answers at a port of the loopback."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_SETTLE_S) as tried:
            return tried.recv(4).startswith(b"SSH")
    except OSError:
        return False
