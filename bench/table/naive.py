"""The peer: the same scene in a typical game loop, drawn completely sixty times a second.

``python -m bench.table.naive TAPS`` prints the times of the touches as a JSON line, then continues until
ended.
"""

import json
import sys
import threading

import pygame

from bench.table.hand import Hand
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import Pointers
from kiosk.ui.geometry import ScreenGeometry
from kiosk.view.intents import AskGame
from tests.scenarios.moments import Table

SIZE = (800, 480)
_FRAMES = 60


def main(taps: int) -> None:
    """Show seven players in a game. The first line is printed after the first frame."""
    pygame.display.init()
    surface = pygame.display.set_mode(SIZE)
    table = Table(7).begun()
    screen = TableScreen(ScreenGeometry(*SIZE, 5.2), surface=surface, failsafe=False)
    screen.update(table.view())
    pygame.display.flip()
    print("painted", flush=True)
    targets = {target.id: target.rect for target in screen.targets()}
    rects = [targets[f"seat-{seat}-{sign}"] for sign in ("minus", "plus") for seat in range(1, 8)]
    places = [((x + w / 2) / SIZE[0], (y + h / 2) / SIZE[1]) for x, y, w, h in rects]
    over = threading.Event()
    hand = Hand(places, taps, ring=lambda: None, over=over.set)
    pointers, clock = Pointers(ScreenGeometry(*SIZE, 5.2)), pygame.time.Clock()
    hand.start()
    while True:
        clock.tick(_FRAMES)
        now_ms = pygame.time.get_ticks()
        intents = screen.advance(now_ms)
        for pointer in pointers.of(pygame.event.get(), now_ms):
            intents += screen.pointer(pointer)
        for intent in intents:
            if isinstance(intent, AskGame):
                table.do(intent.command)
        screen.repaint()
        screen.update(table.view())
        pygame.display.flip()
        hand.flipped()
        if over.is_set():
            over.clear()
            print(json.dumps(hand.took_ms), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
