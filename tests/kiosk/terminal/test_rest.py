import contextlib
import gc
import os
import subprocess
import sys
import threading
from functools import partial

import pytest

from hardware.coming_panel import PendingPanel
from hardware.panel import panel_on
from hardware.pins import PinDriver
from hardware.wiring import shipped_wiring
from kiosk.terminal.composition import DeferredStartup

_STEPS_BACK = """
import os, threading
from hardware.coming_panel import PendingPanel
from hardware.panel import panel_on
from hardware.pins import PinDriver
from hardware.wiring import shipped_wiring
from kiosk.terminal.composition import DeferredStartup

panel = lambda: panel_on(PinDriver.MOCK, shipped_wiring(), lambda: 0)
gate, seen = threading.Event(), []
other = threading.Thread(target=gate.wait)
other.start()
rest = DeferredStartup(PendingPanel(panel, seen.append), lambda: None, has_door=False)
before = os.getpriority(os.PRIO_PROCESS, other.native_id)
rest.begin()
rest.wait()
assert not seen
print(before, os.getpriority(os.PRIO_PROCESS, 0), os.getpriority(os.PRIO_PROCESS, other.native_id))
gate.set()
"""


def priorities(nice: int) -> list[int]:
    """Return the priorities of a thread before the first frame, and of both threads after it."""
    done = subprocess.run(
        [sys.executable, "-c", _STEPS_BACK],
        preexec_fn=lambda: os.setpriority(os.PRIO_PROCESS, 0, nice),
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in done.stdout.split()[-3:]]


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may begin before others")
def test_who_went_before_everybody_until_the_first_picture_steps_back_with_all_threads() -> None:
    assert priorities(-5) == [-5, 0, 0]


@pytest.mark.slow
def test_who_stands_behind_others_stays_there() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert priorities(max(own, 5)) == [max(own, 5)] * 3


def test_a_scene_that_cannot_be_loaded_keeps_nobody_from_the_station(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError("a scene is damaged on the card")

    monkeypatch.setattr("kiosk.terminal.composition.load_scenes", broken)
    connected = threading.Event()
    make = partial(panel_on, PinDriver.MOCK, shipped_wiring(), lambda: 0)
    with contextlib.closing(PendingPanel(make, lambda _error: None)) as panel:
        rest = DeferredStartup(panel, connected.set, has_door=False)
        rest.begin()
        rest.wait()
    gc.unfreeze()
    assert connected.is_set()
