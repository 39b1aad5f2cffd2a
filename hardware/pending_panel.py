"""A panel that is set up after the first frame, which doesn't have to wait for the slow pin library."""

import select
import threading
from collections.abc import Callable, Mapping
from typing import Final

from base.wakeup import Wakeup
from hardware.contract import Glow, Lamp, Panel, PanelButton, PanelEvent, PanelState, PowerSource, Tune

_LOOK_EVERY_S: Final = 1.0


def retry_wait(within_s: float, clock_ms: Callable[[], int], stopping: threading.Event) -> Callable[[], bool]:
    """Return a function that waits a second and returns whether to try again.

    It returns False after ``within_s``, or at once when another thread sets ``stopping``.
    """
    end_ms = clock_ms() + round(within_s * 1000)

    def waits() -> bool:
        return not stopping.wait(min(_LOOK_EVERY_S, within_s)) and clock_ms() < end_ms

    return waits


class PendingPanel:
    """A panel that becomes available later, and stores outputs until then; see ``contract.Panel``.

    make: sets up the parts, on the thread that calls ``find``.
    failed: called on the owner's thread, in ``advance``, with the error that ``make`` raised.
    """

    def __init__(self, make: Callable[[], Panel], failed: Callable[[Exception], None]) -> None:
        self._make = make
        self._failed = failed
        self._finding = threading.Lock()
        self._made: Panel | Exception | None = None
        self._panel: Panel | None = None
        self._is_failure_reported = False
        self._lamp = Lamp.OFF
        self._outputs: dict[str, Callable[[Panel], None]] = {}
        self._ready = Wakeup()
        self._epoll = select.epoll()
        self._epoll.register(self._ready.fileno(), select.EPOLLIN)

    def find(self) -> None:
        """Set up the parts unless another thread already has. Never raises."""
        with self._finding:
            if self._made is not None:
                return
            try:
                self._made = self._make()
            except Exception as error:  # noqa: BLE001 (reported to the owner)
                self._made = error
        self._ready.wake()

    def fileno(self) -> int:
        return self._epoll.fileno()

    def advance(self, now_ms: int) -> tuple[PanelEvent, ...]:
        """Return the events of the parts, once they are ready."""
        self._arrive()
        if isinstance(self._made, Exception) and not self._is_failure_reported:
            self._is_failure_reported = True
            self._epoll.unregister(self._ready.fileno())
            self._failed(self._made)
        return () if self._panel is None else self._panel.advance(now_ms)

    def next_deadline_ms(self) -> int | None:
        return None if self._panel is None else self._panel.next_deadline_ms()

    def show(self, lamp: Lamp) -> None:
        self._lamp = lamp
        self._keep("lamp", lambda panel: panel.show(lamp))

    def glow(self, glows: Mapping[PanelButton, Glow]) -> None:
        self._keep("glows", lambda panel: panel.glow(glows))

    def play(self, tune: Tune) -> None:
        """Play a tune; drop it if the buzzer is not ready, as it would come too late."""
        if self._panel is not None:
            self._panel.play(tune)

    def set_volume(self, percent: int) -> None:
        self._keep("volume", lambda panel: panel.set_volume(percent))

    def set_brightness(self, percent: int) -> None:
        self._keep("brightness", lambda panel: panel.set_brightness(percent))

    def state(self) -> PanelState:
        """Return the state of the parts, or everything off until they are ready."""
        if self._panel is not None:
            return self._panel.state()
        return PanelState(self._lamp, (0, 0, 0), sounding=False, tune=None, key_on=False, failed_parts=())

    def press(self, button: PanelButton, *, hold_ms: int = 0) -> None:
        self._ready_panel().press(button, hold_ms=hold_ms)

    def turn_key(self, *, on: bool) -> None:
        self._ready_panel().turn_key(on=on)

    def run_on(self, source: PowerSource) -> None:
        self._ready_panel().run_on(source)

    def close(self) -> None:
        """Close the parts, or never set them up."""
        with self._finding:
            if isinstance(self._made, Exception) or self._made is None:
                self._made = self._made or OSError("closed")
            else:
                self._made.close()
        self._epoll.close()
        self._ready.close()

    def _ready_panel(self) -> Panel:
        self.find()
        self._arrive()
        if self._panel is None:
            assert isinstance(self._made, Exception)
            raise self._made
        return self._panel

    def _arrive(self) -> None:
        """Take over the finished parts, on the owner's thread, and apply the stored outputs."""
        made = self._made
        if self._panel is not None or made is None or isinstance(made, Exception):
            return
        self._panel = made
        self._epoll.unregister(self._ready.fileno())
        self._epoll.register(made.fileno(), select.EPOLLIN)
        for output in self._outputs.values():
            output(made)

    def _keep(self, name: str, output: Callable[[Panel], None]) -> None:
        self._outputs[name] = output
        if self._panel is not None:
            output(self._panel)
