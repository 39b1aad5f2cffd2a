"""Trials of what a terminal shows: the first frame, touches, a wrong file, data that cannot be read."""

import re
import time
from statistics import median
from typing import Final

import msgspec
from PIL import Image

from base.errors import BadData
from kiosk.scenes.terminal.trouble import TroubleScene
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.link.enrolment_progress import file_problem_from_error
from kiosk.ui.geometry import screen_geometry_for
from kiosk.ui.touch_recogniser import FRESH_MS
from kiosk.view.table_view import Delivery, FileProblem, TableView
from sync.enrolment.provisioning import provisioning_from
from tests.boot.board import Arch
from tests.boot.disk import Disk, copied, flattened, hash_of, overlay
from tests.boot.guests import READY, TOLD, said
from tests.boot.host_station import of_nobody
from tests.boot.machine import Machine
from tests.boot.pictures import difference, differing, is_empty, picture_of
from tests.boot.site import ANSWER_S, BOOT_S, CARD, SIZE, TAP_S, Broken, Site
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


def run_frame(site: Site) -> None:
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


_TOUCHES: Final = ("type-code", "key-A", "key-B", "key-C")
_READ_S: Final = FRESH_MS / 1000 + 0.5
"""The time in which a new target ignores fingers, and a little more for the emulated board."""


def run_touch(site: Site) -> None:
    """Open the pad for a code on a new terminal and type on it."""
    expected = NewTerminal(SIZE)
    with site.board(site.card()) as board:
        expected.arrives(site, board, BOOT_S)
        time.sleep(_READ_S)
        for name in _TOUCHES:
            board.tap(*expected.place(name), hold_s=TAP_S)
            expected.touch(name)
            expected.shows(site, board, f"after-{name}")
            time.sleep(_READ_S)
    site.say(f"{len(_TOUCHES)} touches of the tablet, each answered by the same scene")


NAME: Final = "saloon.toml"


def run_wrong_file(site: Site) -> None:
    """A number that is none, and a key that somebody mistyped."""
    good = of_nobody(site.folder)
    wrong = {
        "number": good.replace("table = 1", 'table = "twelve"'),
        "mistyped": good.replace("table = 1", "tabel = 1"),
    }
    for name, text in wrong.items():
        _explained(site, name, text.encode())


def _explained(site: Site, name: str, content: bytes) -> None:
    problem = problem_with(content)
    if not problem.line:
        raise Broken(f"{name}: the host's own reading names no line: {problem}")
    expected = NewTerminal(SIZE, problem)
    card = site.card({NAME: content})
    with site.board(card) as board:
        expected.arrives(site, board, BOOT_S)
        site.keep(f"explained-{name}", board.screen(), expected.picture())
    left = Disk(flattened(card, site.folder / "flat.img")).read(NAME)
    if left != content:
        raise Broken(f"{name}: the wrong file has changed on the card")
    site.say(f"line {problem.line}, {problem.key or problem.wrote}: {' '.join(expected.says())[:160]}")


def problem_with(content: bytes) -> FileProblem:
    """Return the fault that the terminal's own code finds. Raises Broken for a file without one."""
    try:
        provisioning_from(content, NAME)
    except BadData as error:
        return file_problem_from_error(error)
    raise Broken("this file is right")


_SAYS_SO: Final = r'"code": "([0-9A-F]{4})", "event": "the terminal cannot start"'
_PROBLEM: Final = "/var/lib/saloon/certificate.pem.new: Read-only file system"


def run_no_data(site: Site) -> None:
    """Start with a ruined third partition."""
    image = copied(site.image, site.folder / "worn.img")
    worn = Disk(image)
    worn.ruin(worn.data)
    card = overlay(image, site.folder / "card.qcow2", CARD)
    with site.board(card) as board:
        board.wait_for("the kiosk says so", lambda: board.console.said(_SAYS_SO) is not None, BOOT_S)
        site.measure("a board without data until it says so", board.age_s, "s")
        expected = trouble(code_told(board))
        try:
            board.wait_for("its picture", lambda: not differing(board.screen(), expected), ANSWER_S)
        finally:
            site.keep("says-so", board.screen(), picture_of(expected))
    left = flattened(card, site.folder / "flat.img")
    if hash_of(left, worn.data) != hash_of(image, worn.data):
        raise Broken("the partition that cannot be read has been written: nobody can rescue what was on it")
    site.say(f"the card is left as it was; on the screen: {' '.join(expected.visible_text())}")


def code_told(board: Machine) -> str:
    line = board.console.said(_SAYS_SO)
    match = None if line is None else re.search(_SAYS_SO, line.text)
    if match is None:
        raise Broken("the kiosk's log names no code")
    return match[1]


def trouble(code: str) -> TableScreen:
    screen = TableScreen(screen_geometry_for(SIZE), failsafe=False)
    screen.show_trouble(TroubleScene(code, _PROBLEM, is_of_card=True))
    screen.update(TableView(table=None, game=None, edition=None, delivery=Delivery(), now_ms=0))
    return screen
