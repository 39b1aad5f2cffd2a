"""The scenes that an unenrolled terminal must show, drawn on the host."""

import time
from typing import Final

import msgspec
from gpiozero.pins.mock import MockFactory
from PIL import Image

from hardware.contract import PartFailed, RepairHint
from hardware.panel import PinPanel
from hardware.wiring import Wiring
from kiosk.i18n import words_in
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.panel_parts import Parts
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.view.table_view import Delivery, Enrolment, FileProblem, TableView
from sync.terminal.agent_contract import LinkPhase
from tests.boot.machine import Machine
from tests.boot.pictures import differing, picture_of
from tests.boot.site import BOOT_S, TAP_S, Broken, Site
from tests.kiosk.scenes.conftest import Hand

_LOOK_S: Final = 0.2


class NewTerminal:
    """The screen of a terminal without a station. problem: with the file on its card."""

    def __init__(self, size: tuple[int, int], problem: FileProblem | None = None) -> None:
        self._glass = screen_geometry_for(size)
        self._screen = TableScreen(self._glass, failsafe=False)
        self._hand = Hand(self._screen)
        enrolment = Enrolment(file_problem=problem)
        delivery = Delivery(link=LinkPhase.NOT_ENROLLED)
        self._view = TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment)
        self._screen.update(self._view)
        # Drawn before the board starts: the machine is the board's from then on.
        self._noticed = noticed(self._glass, self._view)

    def place(self, name: str) -> tuple[int, int]:
        return place_on(self._screen, name)

    def touch(self, name: str) -> None:
        self._hand.touch(name)
        self._screen.update(self._view)

    def picture(self) -> Image.Image:
        return picture_of(self._screen)

    def says(self) -> tuple[str, ...]:
        return self._screen.visible_text()

    def is_shown_by(self, seen: Image.Image) -> bool:
        return not differing(seen, self._screen)

    def arrives(self, site: Site, board: Machine, limit_s: float, *, will_be_touched: bool = True) -> float:
        """Wait for it; when it was seen. A notice of pins that cannot be used is tapped away.

        will_be_touched: wait further until the guest feels touches, as its journal on the console tells.
        Raises Broken after so many seconds, with what was seen instead kept.
        """
        end = time.monotonic() + limit_s
        over = self._noticed
        first_s: float | None = None
        before: Image.Image | None = None
        while time.monotonic() < end:
            board.look()
            seen, now = board.screen(), time.monotonic()
            # A comparison takes half a core away from the board: none of what was compared already.
            if seen != before:
                before = seen
                if self.is_shown_by(seen):
                    site.keep("first", seen, self.picture())
                    if will_be_touched:
                        board.wait_for("what is touched", lambda: feels(board), BOOT_S)
                    return first_s or now
                if not differing(seen, over):
                    first_s = first_s or now
                    site.keep("notice", seen, picture_of(over))
            if first_s is not None:
                # Once more, while it stays: a touch that came too early was not felt.
                board.tap(*place_on(over, "dismiss"), hold_s=TAP_S)
            time.sleep(_LOOK_S)
        site.keep("unlike", board.screen(), self.picture())
        raise Broken(f"the terminal's first frame is not there after {limit_s:g} s")


def feels(board: Machine) -> bool:
    """Return whether the terminal has reported on the console that it has found its touch device."""
    return board.console.said(r'"event": "touch"') is not None


def noticed(glass: ScreenGeometry, view: TableView) -> TableScreen:
    """A screen that says besides that the board's pins cannot be used."""
    parts = Parts(PinPanel(Wiring("no wires"), MockFactory(), lambda: 0))
    parts.on_part_event(PartFailed("pins", "there are none", RepairHint.INSTALL))
    screen = TableScreen(glass, failsafe=False)
    screen.update(msgspec.structs.replace(view, notice=parts.notice(words_in("en"))))
    return screen


def place_on(screen: TableScreen, name: str) -> tuple[int, int]:
    """The middle of a target of a screen, in pixels."""
    x, y, width, height = next(target.rect for target in screen.targets() if target.id == name)
    return x + width // 2, y + height // 2
