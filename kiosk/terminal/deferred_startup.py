"""Deferred startup after the first picture: the parts of the panel, other scenes, routes to the station.

The first picture waits for none of it (decision 0020), and neither does the first touch: it is loaded on
a thread next to the loop, which goes on.
"""

import contextlib
import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from saloon.hardware.coming_panel import PendingPanel
from saloon.kiosk.scenes.flow import load_scenes

_log = structlog.get_logger()
_USUAL: Final = 0


class DeferredStartup:
    """Load everything that the first picture doesn't need, on a thread.

    report: writes the first lines of the log, which loads its library. connect: loads and returns the
    connections. trouble: why the terminal can't continue. has_door: parts may be requested at once, and are
    answered.
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
        """Start loading after the first picture, at a lower priority."""
        _step_back()
        if self._has_door:
            self._panel.find()
        self._thread.start()

    def check(self) -> None:
        """Raise the trouble, if there is one."""
        if self.trouble is not None:
            raise self.trouble

    def wait(self) -> None:
        """Wait until everything that has begun is over."""
        if self._thread.is_alive():
            self._thread.join()

    def _load(self) -> None:
        self._panel.find()
        for load in (self._report, load_scenes, self._connect):
            try:
                load()
            except Exception:  # noqa: BLE001
                # The table plays on: a scene is tried again when it is wanted, unsent entries wait.
                _log.exception("what is loaded later cannot be loaded")
        # What is here now stays: the collector need not look through it while a finger waits.
        gc.collect()
        gc.freeze()
        gc.enable()


def _step_back() -> None:
    """Lower the priority below the rest of the board, which looks for touches meanwhile."""
    if os.getpriority(os.PRIO_PROCESS, 0) >= _USUAL:
        return
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _USUAL)
