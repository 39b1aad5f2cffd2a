"""Terminals on the host that show what a guest's must show: a new one, and a table's twin.

The twin is the whole terminal with its scenes, on SDL's dummy screen. It is given what the guest's table is
given, tells where its targets lie, and answers each touch as the guest must.
"""

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

import msgspec
from gpiozero.pins.mock import MockFactory
from PIL import Image

from core.game.orders import Order
from hardware.contract import PartFailed, RepairHint
from hardware.panel import PinPanel
from hardware.wiring import Wiring
from kiosk.i18n import words_in
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, Touch
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.mistakes import END_TURN_MS
from kiosk.terminal.panel_parts import Parts
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.view.table_view import Delivery, Enrolment, FileProblem, TableView
from sync.protocol.entry import content_of
from sync.terminal.agent_contract import LinkPhase
from tests.boot.host_station import TABLE, HostStation
from tests.boot.machine import Machine, MachineFault
from tests.boot.pictures import differing, picture_of
from tests.boot.site import ANSWER_S, BOOT_S, TAP_S, Broken, Site
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable
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

    def shows(self, site: Site, board: Machine, name: str) -> None:
        """Wait until the guest shows the same; what it shows then is kept. Raises MachineFault."""
        try:
            board.wait_for(f"the picture {name}", lambda: self.is_shown_by(board.screen()), ANSWER_S)
        finally:
            site.keep(name, board.screen(), self.picture())

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


_orders = msgspec.msgpack.Decoder(Order)


class Twin:
    """The table on the host. folder: of its journal; size: of its screen."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.table = VirtualTable(folder, Rigging(glass=screen_geometry_for(size), paints=True))
        self._ordered = 0
        self._lived_s = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.table.close()

    def ordered(self, raws: tuple[bytes, ...]) -> None:
        for raw in raws[self._ordered :]:
            self.table.order(_orders.decode(content_of(raw).body))
        self._ordered = len(raws)

    def keep_time(self) -> None:
        """Let as much time pass for it as has passed: what a scene shows for a while is over in both."""
        now = time.monotonic()
        self.table.advance(now - self._lived_s)
        self._lived_s = now

    def see(self) -> Seen:
        return self.table.see()

    def place(self, name: str) -> tuple[int, int]:
        x, y, width, height = self.table.target(name).rect
        return x + width // 2, y + height // 2

    def touch(self, name: str) -> None:
        """Touch it there, as long as the target wants."""
        self.table.touch(name)

    @property
    def noticed(self) -> TableScreen:
        """Its screen under the notice of a board without pins."""
        return noticed(self.table.rigging.glass, self.table.view)

    def picture(self) -> Image.Image:
        return picture_of(self.table.screen)

    def differing(self, seen: Image.Image) -> dict[str, float]:
        """The blocks of its screen that a guest's has not, and the share of pixels that are off."""
        return differing(seen, self.table.screen)


_THINK_S: Final = END_TURN_MS / 1000 + 0.5
"""A second end of turn is taken for a slip unless somebody could have played in between."""
_MOST_TOUCHES: Final = 600
_SEED: Final = 5
"""Of players who have done after some ninety touches."""
_PONDER: Final = 50
"""The number of times that undecided players are asked, as they decide by chance."""


class Toucher(Protocol):
    """Whatever can touch a screen: a tablet of the board, or a finger in the guest."""

    def tap(self, x: int, y: int, *, hold_s: float) -> None:
        """Touch a place, in pixels, for so long."""


class Table:
    """One game at the guest's table. toucher: who touches; may change from start to start."""

    def __init__(self, site: Site, twin: Twin, station: HostStation) -> None:
        self._site = site
        self._twin = twin
        self._station = station
        self._brain = Brain(_SEED)
        self.touches = 0

    def shows(self, board: Machine, name: str, limit_s: float = ANSWER_S) -> None:
        """Wait until the guest's screen is the twin's. Raises MachineFault, with both kept as a picture."""
        end = time.monotonic() + limit_s
        while True:
            self.hear_orders()
            board.look()
            seen = board.screen()
            off = self._twin.differing(seen)
            if not off:
                return
            if time.monotonic() > end:
                self._site.keep(f"unlike-{name}", seen, self._twin.picture())
                raise MachineFault(
                    f"{name}: the guest's screen is not the twin's in {off} after {limit_s:g} s"
                )
            time.sleep(_LOOK_S)

    def arrives(self, board: Machine, toucher: Toucher, name: str) -> float:
        """Wait for the twin's screen after a start; when it was seen. A notice of pins is tapped away."""
        end = time.monotonic() + BOOT_S
        first_s: float | None = None
        while True:
            self.hear_orders()
            board.look()
            seen, now = board.screen(), time.monotonic()
            off = self._twin.differing(seen)
            over = self._twin.noticed
            if not off:
                board.wait_for("what is touched", lambda: feels(board), BOOT_S)
                return first_s or now
            if not differing(seen, over):
                first_s = first_s or now
                self._site.keep(f"notice-{name}", seen, picture_of(over))
                toucher.tap(*place_on(over, "dismiss"), hold_s=TAP_S)
            elif now > end:
                self._site.keep(f"unlike-{name}", seen, self._twin.picture())
                raise MachineFault(f"{name}: the screen is not the twin's in {off}")
            time.sleep(_LOOK_S)

    def hear_orders(self) -> None:
        """The twin gets the orders that the station has written for the guest, and its time goes on."""
        self._twin.ordered(self._station.record.raws("orders/"))
        self._twin.keep_time()

    def _next_touch(self) -> Touch:
        seen = self._twin.see()
        for _ in range(_PONDER):
            touch = self._brain.next_touch(seen)
            if touch is not None:
                return touch
        raise Broken(f"players know nothing to do on the screen {seen.scene}")

    def play(self, board: Machine, toucher: Toucher, *, until: Callable[[], bool]) -> None:
        """Touch as players do until it is enough; each touch is seen before the next."""
        self._brain.pin = self._brain.pin or self._station.judge.pin(TABLE)
        while not until():
            if self.touches >= _MOST_TOUCHES:
                raise Broken(f"{self.touches} touches, and the game goes on")
            self.hear_orders()
            touch = self._next_touch()
            hold_s = touch.hold_ms / 1000 + TAP_S
            toucher.tap(*self._twin.place(touch.target), hold_s=hold_s)
            self._twin.touch(touch.target)
            self.touches += 1
            self.shows(board, f"{self.touches}-{touch.target}")
            time.sleep(_THINK_S)
