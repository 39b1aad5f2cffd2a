"""Our terminal under a simulated finger: its real loop, journal and mock pins.

The screen is SDL's dummy driver; a pipe replaces the touch device.

``python -m bench.table.ours TAPS`` prints the times of the touches as a JSON line.
"""

import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pygame

from base.clock import SystemClock
from bench.table.hand import Hand
from bench.table.seated import PLAYERS, seat_players
from kiosk.cli.logs import set_up_logs
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, SeenTarget
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import Pointers, TouchWakeup
from kiosk.terminal.loop import Display, Loop, Waker
from kiosk.terminal.startup.composition import Appearance, build_loop
from kiosk.terminal.startup.terminal_certificate import TerminalCertificate
from kiosk.terminal.startup_settings import StartupSettings
from kiosk.ui.geometry import ScreenGeometry
from kiosk.virtual.http_server import HttpRequest

SIZE = (800, 480)
_PANEL = "260800000000003"
"""The capabilities that the kernel reports for a touch panel."""


class Bell:
    """A simulated touch panel: a pipe, and a copy of its entry in sysfs."""

    def __init__(self, folder: Path) -> None:
        capabilities = folder / "sys" / "event0" / "device" / "capabilities"
        capabilities.mkdir(parents=True)
        (capabilities / "abs").write_text(_PANEL, encoding="ascii")
        (folder / "dev").mkdir()
        os.mkfifo(folder / "dev" / "event0")
        self._pipe = os.open(folder / "dev" / "event0", os.O_RDWR)
        self.doorbell = TouchWakeup(folder / "dev", folder / "sys")

    def ring(self) -> None:
        os.write(self._pipe, bytes(24))


def play_until_turns(loop: Loop, screen: TableScreen) -> None:
    """Let simulated players sit down, deal and begin."""
    brain = Brain(1)
    while screen.scene_name() != "play":
        targets = tuple(SeenTarget(t.id, t.label, t.enabled, t.hold_ms) for t in screen.targets())
        touch = brain.next_touch(Seen(screen.scene_name(), targets))
        if touch is not None:
            loop.answer(HttpRequest("POST", "/touch", json.dumps({"target": touch.target}).encode()))
        end_ms = SystemClock().monotonic_ms() + (touch.hold_ms if touch else 0) + 200
        while SystemClock().monotonic_ms() < end_ms:
            loop.turn(SystemClock().monotonic_ms())
            time.sleep(0.002)


def playing_loop(
    folder: Path, parts: contextlib.ExitStack, screen: TableScreen, display: Display
) -> tuple[Loop, Waker]:
    """Return the loop of a terminal at which seven players have begun a game."""
    settings = _settings(folder)
    identity = parts.enter_context(TerminalCertificate(settings.data))
    looks = Appearance("en", 0, None)
    loop, waker, _rest = build_loop(settings, identity, parts, looks=looks, screen=screen, display=display)
    play_until_turns(loop, screen)
    return loop, waker


def life_points(screen: TableScreen) -> list[tuple[float, float]]:
    """Return the centres of all minus, then all plus buttons, as shares of width and height."""
    targets = {target.id: target.rect for target in screen.targets()}
    rects = [targets[f"seat-{seat}-{sign}"] for sign in ("minus", "plus") for seat in range(1, PLAYERS + 1)]
    return [((x + w / 2) / SIZE[0], (y + h / 2) / SIZE[1]) for x, y, w, h in rects]


def main(taps: int) -> None:
    """Show seven players in a game and measure touches."""
    set_up_logs()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as parts:
        folder = Path(name)
        seat_players(folder / "data")
        pygame.display.init()
        surface = pygame.display.set_mode(SIZE)
        screen = TableScreen(ScreenGeometry(*SIZE, 5.2), surface=surface)
        bell = Bell(folder)
        answered: list[Hand] = []

        def flip() -> None:
            pygame.display.flip()
            for hand in answered:
                hand.flipped()

        display = Display(Pointers(ScreenGeometry(*SIZE, 5.2)), flip, polls=True, touch_wakeup=bell.doorbell)
        loop, waker = playing_loop(folder, parts, screen, display)
        places = life_points(screen)

        def over() -> None:
            loop.stop()
            waker.wake()

        answered.append(Hand(places, taps, ring=bell.ring, over=over))
        answered[0].start()
        loop.run(waker)
        print(json.dumps(answered[0].took_ms), flush=True)


def _settings(folder: Path) -> StartupSettings:
    return StartupSettings(
        data=folder / "data", virtual=0, size=SIZE, quarter_turns=0, language="en", stick=folder / "stick"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
