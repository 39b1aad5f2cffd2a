"""the kiosk's first picture, against the login prompt of the same base"""

from typing import Final

from tests.boot.expected import NewTerminal
from tests.boot.machine import Machine
from tests.boot.pictures import is_empty
from tests.boot.site import BOOT_S, SIZE, Broken, Site

TOLD: Final = "systemd.log_target=kmsg systemd.log_level=info printk.devkmsg=on ignore_loglevel"
"""systemd says what it starts in the kernel's log, with the kernel's stamps."""
PROMPT: Final = "systemd.mask=saloon-terminal.service systemd.wants=getty@tty1.service"
_READY: Final = r"Started (saloon-terminal\.service|.*Saloon: the terminal)"
_LOGIN: Final = "Started getty@tty1.service"


def run(site: Site) -> None:
    """Start once as a kiosk and once as a machine to log in to, and compare."""
    frame = first_frame(site)
    prompt = login_prompt(site)
    site.measure("first frame", frame, "s")
    site.measure("login prompt of the same base", prompt, "s")
    site.measure("first frame against login prompt", 100 * frame / prompt, "%")


def first_frame(site: Site) -> float:
    """When a new terminal's first picture is on the screen, by the kernel's clock."""
    expected = NewTerminal(SIZE)
    with site.board(site.card(), append=TOLD) as board:
        first_light(board, site)
        try:
            seen_s = board.wait_for("the first picture", lambda: expected.is_shown_by(board.screen()), BOOT_S)
        finally:
            site.keep("first-frame", board.screen(), expected.picture())
        board.wait_for("systemd says ready", lambda: board.console.said(_READY) is not None, BOOT_S)
        ready = board.console.said(_READY)
        shown_s = board.kernel_s(seen_s)
        if ready is None or ready.kernel_s is None or shown_s is None:
            raise Broken("the kernel's clock was not heard")
        site.measure("first frame seen from outside", shown_s, "s")
        return min(shown_s, ready.kernel_s)


def first_light(board: Machine, site: Site) -> None:
    """Wait for anything on the screen: the splash, if there is one."""
    seen_s = board.wait_for("a light", lambda: not is_dark(board), BOOT_S)
    site.keep("first-light", board.screen())
    shown_s = board.kernel_s(seen_s)
    if shown_s is not None:
        site.measure("first light on the screen", shown_s, "s")


def is_dark(board: Machine) -> bool:
    """Whether the guest has drawn nothing; QEMU's own notice has another size than the panel."""
    screen = board.screen()
    return screen.size != SIZE or is_empty(screen)


def login_prompt(site: Site) -> float:
    """When the same card without the kiosk asks for a name on the screen, by the kernel's clock."""
    with site.board(site.card(), append=f"{TOLD} {PROMPT}") as board:
        board.wait_for("a prompt", lambda: board.console.said(_LOGIN) is not None, BOOT_S)
        heard = board.console.said(_LOGIN)
        if heard is None or heard.kernel_s is None:
            raise Broken("the kernel's clock was not heard")
        return heard.kernel_s
