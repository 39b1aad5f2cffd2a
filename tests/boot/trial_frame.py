"""the kiosk's first frame, against the login prompt of the same base"""

from statistics import median
from typing import Final

import msgspec
from PIL import Image

from tests.boot.board import Arch
from tests.boot.guest_terminal import READY, TOLD, said
from tests.boot.machine import Machine
from tests.boot.pictures import difference, is_empty
from tests.boot.site import BOOT_S, SIZE, Broken, Site
from tests.boot.table import NewTerminal

_GETTY: Final = r"Started getty@tty1\.service"
_NO_GETTY: Final = ("etc/systemd/system/getty@.service", "etc/systemd/system/getty@tty1.service")
_MB: Final = 1e6
_PAIRS: Final = 3
"""Starts differ by a second, for reasons of the machine that emulates."""


class Start(msgspec.Struct, frozen=True):
    """Moments of a start as a kiosk, in seconds of the kernel's clock.

    light: anything is on the screen. drawn: the kiosk says so. frame: its picture is seen.
    """

    light: float
    drawn: float
    frame: float


class Prompt(msgspec.Struct, frozen=True):
    """Moments of a start to log in. begun: the prompt's program is started. seen: its prompt."""

    begun: float
    seen: float


def run(site: Site) -> None:
    """Start in turns as a kiosk and as a machine to log in to, and compare what is in the middle of each."""
    site.measure("image on the card", site.image.stat().st_size / _MB, "MB")
    pairs = [(as_kiosk(site), to_log_in(site)) for _ in range(_PAIRS)]
    starts, prompts = [start for start, _ in pairs], [prompt for _, prompt in pairs]
    site.say(", ".join(f"{start.frame:.1f} s against {prompt.seen:.1f} s" for start, prompt in pairs))
    if site.arch is Arch.AMD64:
        by_its_own_loader(site)
    frame, prompt = median(start.frame for start in starts), median(prompt.seen for prompt in prompts)
    site.measure("first light on the screen", median(start.light for start in starts), "s")
    site.measure("the kiosk says that it has drawn", median(start.drawn for start in starts), "s")
    site.measure("first frame", frame, "s")
    site.measure("the prompt's program is started", median(prompt.begun for prompt in prompts), "s")
    site.measure("login prompt of the same base", prompt, "s")
    site.measure("first frame against login prompt", 100 * frame / prompt, "%")


def as_kiosk(site: Site) -> Start:
    """Start a new terminal until its first frame is seen on the screen."""
    expected = NewTerminal(SIZE)
    with site.board(site.card(), append=TOLD) as board:
        light_s = board.wait_for("a light", lambda: not is_dark(board), BOOT_S)
        site.keep("first-light", board.screen())
        seen_s = expected.arrives(site, board, BOOT_S, will_be_touched=False)
        site.keep("first-frame", board.screen(), expected.picture())
        drawn = said(board, READY)
        return Start(by_the_kernel(board, light_s), drawn, by_the_kernel(board, seen_s))


def is_dark(board: Machine) -> bool:
    """Return whether the guest has drawn nothing; QEMU's own notice has another size than the panel."""
    screen = board.screen()
    return screen.size != SIZE or is_empty(screen)


def to_log_in(site: Site) -> Prompt:
    """Start the same card without the kiosk, and what is read for it, until it asks for a name."""
    append = f"{TOLD} systemd.mask=saloon-terminal.service systemd.wants=getty@tty1.service"
    with site.board(site.card(), append=append, without=_NO_GETTY, reads_ahead=False) as board:
        screens = [board.screen()]

        def is_started() -> bool:
            # Looked at as often as the kiosk's screen is: each look takes time from the board.
            if board.console.said(_GETTY) is not None:
                return True
            screens[0] = board.screen()
            return False

        board.wait_for("the prompt's program", is_started, BOOT_S)
        seen_s = board.wait_for("a prompt", lambda: _has_changed(board.screen(), screens[0]), BOOT_S)
        site.keep("login-prompt", board.screen())
        return Prompt(said(board, _GETTY), by_the_kernel(board, seen_s))


def _has_changed(now: Image.Image, before: Image.Image) -> bool:
    return now.size == SIZE and not is_empty(now) and difference(now, before) > 0


def by_its_own_loader(site: Site) -> None:
    """The card's own boot loader starts it, from the board's firmware on."""
    expected = NewTerminal(SIZE)
    with site.board(site.card(), by_firmware=True) as board:
        seen_s = expected.arrives(site, board, BOOT_S, will_be_touched=False)
        site.measure("power to the first frame by firmware and boot loader", seen_s - board.began_s, "s")


def by_the_kernel(board: Machine, host_s: float) -> float:
    """A moment of the host by the guest's kernel. Raises Broken where the kernel said nothing."""
    board.look()
    kernel_s = board.kernel_s(host_s)
    if kernel_s is None:
        raise Broken("the kernel's clock was not heard")
    return kernel_s
