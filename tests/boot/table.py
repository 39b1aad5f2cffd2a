"""A table in a guest and its twin on the host, played together: each touch gives the same picture."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Touch
from kiosk.terminal.mistakes import END_TURN_MS
from tests.boot.expected import feels, place_on
from tests.boot.host_station import TABLE, HostStation
from tests.boot.machine import Machine, MachineFault
from tests.boot.pictures import differing, picture_of
from tests.boot.site import ANSWER_S, BOOT_S, TAP_S, Broken, Site
from tests.boot.twin import Twin

_LOOK_S: Final = 0.2
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
