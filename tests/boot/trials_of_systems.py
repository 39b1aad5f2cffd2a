"""Trials of a terminal's system: watchdogs, the power button, ways out, a slow card, a Raspberry Pi."""

import select
import shlex
import socket
import time
from pathlib import Path
from typing import IO, Final

from tests.boot.board import Arch, pi_3b
from tests.boot.disk import Disk, SlowCard, flattened, unclean
from tests.boot.guests import READY, TOLD, UNIT, card_with_key, is_active, is_ready, said
from tests.boot.machine import Machine, MachineFault
from tests.boot.shell import Shell, ShellFault
from tests.boot.site import ANSWER_S, BOOT_S, JOURNAL, SIZE, SLOW, Broken, Site
from tests.boot.table import NewTerminal

_NOTICED_S: Final = 120.0
"""Longer than any watchdog of the image, on a slow board."""


def run_hang(site: Site) -> None:
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


def run_power(site: Site) -> None:
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


_WAYS_OUT: Final = (
    ("ctrl", "alt", "f2"), ("alt", "f3"), ("ctrl", "alt", "delete"), ("ctrl", "c"), ("ctrl", "z"),
    ("alt", "sysrq", "k"), ("alt", "sysrq", "b"), ("esc",), ("alt", "f4"), ("ctrl", "alt", "backspace"),
    ("ctrl", "backslash"), ("ctrl", "d"), ("pause",),
)  # fmt: skip
_SETTLE_S: Final = 5.0
_STARTED: Final = r"systemd\[1\]: Startup finished in"


def run_locked(site: Site) -> None:
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


_SAVES: Final = Path(__file__).with_name("guest_saves.py")
_PYTHON: Final = "/run/saloon/app/bin/python"


def run_slow_card(site: Site) -> None:
    """Start the same card slow and as fast as this machine's disk, save entries on it, and compare."""
    card, shell = card_with_key(site)
    socket = site.folder / "card"
    with SlowCard(card, socket) as slow, site.board(socket, append=TOLD, is_slow=True) as board:
        _measure(site, board, shell, "a slow card")
        site.say(f"{slow.flushes} flushes in all")
    card, shell = card_with_key(site)
    with site.board(card, append=TOLD) as board:
        _measure(site, board, shell, "this machine's disk")


def _measure(site: Site, board: Machine, shell: Shell, what: str) -> None:
    is_ready(board, shell)
    site.measure(f"first frame from {what}", said(board, READY), "s")
    script = shlex.quote(_SAVES.read_text(encoding="utf-8"))
    median_ms, p99_ms = map(float, shell.run(f"{_PYTHON} -c {script}").split())
    site.measure(f"an entry until it is durable on {what}, p99", p99_ms, "ms")
    site.measure(f"an entry until it is durable on {what}, median", median_ms, "ms")


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


def run_raspi(site: Site) -> None:
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
