"""No key, window, gesture or number of fingers ends a terminal or leaves its screens."""

import pygame

from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable

KEYS = (pygame.K_ESCAPE, pygame.K_q, pygame.K_F4, pygame.K_DELETE, pygame.K_RETURN, pygame.K_POWER)
WINDOW = (
    pygame.QUIT,
    pygame.WINDOWCLOSE,
    pygame.WINDOWMINIMIZED,
    pygame.WINDOWFOCUSLOST,
    pygame.ACTIVEEVENT,
)


def test_a_window_that_is_to_close_stays(table: VirtualTable) -> None:
    seated(table)
    before = table.game
    for kind in WINDOW:
        pygame.event.post(pygame.event.Event(kind))
        table.after(0)
    assert not table.loop._stopping
    assert table.game == before
    assert table.scene() == "play"


def test_no_key_does_anything(table: VirtualTable) -> None:
    seated(table)
    entries = table.entries()
    for key in KEYS:
        for held in (0, pygame.KMOD_ALT, pygame.KMOD_CTRL | pygame.KMOD_ALT):
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=key, mod=held, unicode=""))
            table.after(0)
    assert not table.loop._stopping
    assert table.entries() == entries
    assert table.scene() == "play"


def test_ten_fingers_held_all_over_the_glass_leave_nothing(table: VirtualTable) -> None:
    seated(table)
    entries = table.entries()
    for finger in range(10):
        table.fingers.lay(finger, 396 + finger % 2, 236 + finger // 2)
    table.after(0)
    table.advance(10)
    for finger in range(10):
        table.fingers.lift(finger)
    table.after(0)
    assert not table.loop._stopping
    assert table.entries() == entries
