"""Deferred startup after the first frame: panel parts, other scenes and routes to the station.

The first frame and the first touch don't wait for them (decision 0020): a thread loads them while the loop
runs.
"""

import contextlib
import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from hardware.coming_panel import PendingPanel
from kiosk.terminal.display.flow import load_scenes

_log = structlog.get_logger()
_USUAL: Final = 0


class DeferredStartup:
    """A loader for everything that the first frame doesn't need, which runs on a thread.

    report: writes the first log lines, which loads the logging library.
    connect: loads and returns the connections.
    trouble: why the terminal can't continue.
    has_door: for a virtual terminal, whose page may need any part immediately.
    """

    def __init__(
        self,
        panel: PendingPanel,
        connect: Callable[[], None],
        *,
        has_door: bool,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        self.trouble: Exception | None = None
        self._panel = panel
        self._connect = connect
        self._report = report
        self._has_door = has_door
        self._thread = threading.Thread(target=self._load, name="rest", daemon=True)

    def begin(self) -> None:
        """Start loading at a lower priority, after the first frame."""
        _step_back()
        if self._has_door:
            self._panel.find()
        self._thread.start()

    def check(self) -> None:
        """Raise the error that stopped the loading, if there was one."""
        if self.trouble is not None:
            raise self.trouble

    def wait(self) -> None:
        """Wait until loading has ended."""
        if self._thread.is_alive():
            self._thread.join()

    def _load(self) -> None:
        self._panel.find()
        for load in (self._report, load_scenes, self._connect):
            try:
                load()
            except Exception:  # noqa: BLE001
                # The game continues: a scene is loaded again on demand, and unsent entries wait.
                _log.exception("deferred startup failed")
        # Exempt all current objects from garbage collection, so that it never delays a touch.
        gc.collect()
        gc.freeze()
        gc.enable()


def _step_back() -> None:
    """Lower this thread's priority, so that touches are handled first."""
    if os.getpriority(os.PRIO_PROCESS, 0) >= _USUAL:
        return
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _USUAL)
