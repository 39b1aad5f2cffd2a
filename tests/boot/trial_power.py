"""a terminal's board takes no notice of a power button; it shuts down when its table asks, with clean data"""

import select
from typing import IO, Final

from tests.boot.disk import Disk, flattened, unclean
from tests.boot.guest_terminal import UNIT, card_with_key, is_active, is_ready
from tests.boot.machine import Machine
from tests.boot.shell import Shell, ShellFault
from tests.boot.site import ANSWER_S, Broken, Site

_PRESSES: Final = 3
_TRIES: Final = 10
_HEARD_S: Final = 5.0
_HEARS: Final = """\
import select, struct
from pathlib import Path
files = [open(path, "rb", buffering=0) for path in Path("/dev/input").glob("event*")]
print("ready", flush=True)
while True:
    for file in select.select(files, [], [])[0]:
        kind, code, value = struct.unpack("=16xHHi", file.read(24))
        if (kind, code, value) == (1, 116, 1):
            print("pressed", flush=True)
"""
"""Tells when the guest's kernel has heard a power button (KEY_POWER)."""
_ASKED: Final = "/run/saloon-terminal/power-off"


def run(site: Site) -> None:
    """Press it, look that nothing ends; then ask for the end as the terminal does."""
    card, shell = card_with_key(site)
    with site.board(card) as board:
        is_ready(board, shell)
        _is_overheard(site, board, shell)
        # What the terminal writes when the shut-down button is held twice, as its user.
        shell.run(f"runuser -u saloon -- touch {_ASKED}")
        begun = board.age_s
        board.goes_off(ANSWER_S)
        site.measure("a terminal until it is off", board.age_s - begun, "s")
        site.keep("off", board.screen())
    flat = flattened(card, site.folder / "flat.img")
    if faults := unclean(flat, Disk(flat).data):
        raise Broken(f"the data after the end: {faults}")
    site.say("the data are clean after the end")


def _pressed(board: Machine, lines: IO[str]) -> None:
    """Press until the kernel has heard it: a busy guest may miss a tenth of a second. Raises Broken."""
    for _ in range(_TRIES):
        board.press_power_button()
        if select.select([lines], [], [], _HEARD_S)[0]:
            lines.readline()
            return
    raise Broken("the kernel does not hear the power button")


def _is_overheard(site: Site, board: Machine, shell: Shell) -> None:
    """The kernel hears each press, and nobody acts on it."""
    before = shell.properties(UNIT, "MainPID")
    listener = shell.talk(_HEARS)
    try:
        lines = listener.stdout
        if lines is None or lines.readline().strip() != "ready":
            raise ShellFault("nobody listens to the power button")
        for _ in range(_PRESSES):
            _pressed(board, lines)
    finally:
        listener.kill()
        listener.wait()
    jobs = shell.run("systemctl list-jobs --no-legend")
    if jobs or "SHUTDOWN" in board.monitor.events:
        raise Broken(f"the power button has begun something: {jobs} {board.monitor.events}")
    if shell.properties(UNIT, "MainPID") != before or not is_active(shell):
        raise Broken("the kiosk is not the one from before the power button")
    site.say(f"{_PRESSES} presses of a power button reach the kernel, and end nothing")
