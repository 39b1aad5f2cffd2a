"""A monkey at a virtual table: touches anything, anyhow; now and then it lets people play on."""

import ctypes
import gc
import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from core.game.state.game import Phase
from hardware.contract import PanelButton
from kiosk.rehearsal.brain import Brain
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import Rect, ScreenGeometry, screen_geometry_for
from tests.kiosk.rig.fingertips import TouchStyle
from tests.kiosk.rig.virtual_table import PIN, TAP_MS, Rigging, VirtualTable
from tests.monkey.evenings import GROUPS, Draw, any_order, assignment
from tests.monkey.watch import Impossible, Laid, Watch

_OVER: Final = frozenset({Phase.CONFIRMED, Phase.VOIDED})
_FINGERS: Final = 5
_LONGEST_BURST: Final = 40
_PATIENCE: Final = 0.2
"""The chance that a table without a game gets the next one after a deed."""
_LAST: Final = 30
"""The number of its deeds that a monkey remembers, to explain a fault."""


class Monkey:
    """Touches until it has touched often enough. The same seed does the same again.

    touches: so far; a finger that lands, or a button of the panel that is pressed, is one.
    """

    def __init__(self, table: VirtualTable, draw: Draw, seed: int) -> None:
        self.table = table
        self.watch = Watch(table)
        self.touches = 0
        self.games = 0
        self.restarts = 0
        self._draw = draw
        self._chance = random.Random(seed)
        self._brain = Brain(seed, PIN)
        self._key_on = self._key_was_on = False
        self._deeds: list[str] = []
        self._acts: Mapping[Callable[[], None], int] = {
            self._play_on: 12,
            self._touch_a_target: 40,
            self._touch_too_short_or_long: 10,
            self._touch_anywhere: 10,
            self._drag: 6,
            self._lay_several: 6,
            self._lay_a_palm: 3,
            self._lose_a_finger: 2,
            self._press: 6,
            self._turn_key: 2,
            self._wait: 4,
            self._type_the_pin: 3,
            self._hear_the_station: 2,
            self._cut_or_mend_the_cable: 1,
            self._pull_the_plug: 1,
        }
        table.order(assignment())
        self._next_game()

    def play(self, touches: int) -> None:
        """Go on until so many touches. Raises Impossible, with the last deeds, for any fault."""
        acts, weights = tuple(self._acts), tuple(self._acts.values())
        while self.touches < touches:
            act = self._chance.choices(acts, weights)[0]
            try:
                act()
                self._look()
                game = self.table.view.game
                waits = game is None or game.phase in _OVER
                if waits and not self.table.station.is_away and self._chance.random() < _PATIENCE:
                    self._next_game()
            except Exception as error:
                last = "\n".join(self._deeds[-_LAST:])
                raise Impossible(
                    f"after {self.touches} touches, the last deeds:\n{last}\n{error!r}"
                ) from error

    def _look(self) -> None:
        self.watch.look(key_was_on=self._key_was_on)
        self._key_was_on = self._key_on

    def _note(self, deed: str) -> None:
        self._deeds.append(f"{self.table.clock.now_ms} {self.table.scene()}: {deed}")
        del self._deeds[:-_LAST]

    def _next_game(self) -> None:
        self.games += 1
        order = self._draw(self._chance, f"g{self.games}")
        self._note(f"the station seats {order.seating.game}")
        self.table.order(order)
        self._brain = Brain(self._chance.getrandbits(32), PIN)

    # One finger.

    def _touch(self, x: int, y: int, hold_ms: int = 0) -> None:
        self._pass(self._chance.choice((5, 100, 100, 400)))
        self._lay(1, x, y)
        self._pass(hold_ms + TAP_MS)
        self._lift(1)

    def _lay(self, finger: int, x: int, y: int) -> None:
        self.touches += 1
        under = (t.id for t in self.table.screen.targets() if Rect(*t.rect).contains(x, y))
        self.table.fingers.lay(finger, x, y)
        self.watch.laid[finger] = Laid(self.table.clock.now_ms, next(under, ""))
        self.table.after(0)

    def _lift(self, finger: int) -> None:
        self.table.fingers.lift(finger)
        self.table.after(0)
        # What it has caused is judged while it still counts as laid.
        self._look()
        self.watch.laid.pop(finger, None)

    def _pass(self, ms: int) -> None:
        self.table.after(ms)

    def _place(self) -> tuple[int, int]:
        glass = self.table.rigging.glass
        return self._chance.randrange(glass.width), self._chance.randrange(glass.height)

    def _any_target(self) -> Target | None:
        targets = self.table.screen.targets()
        return self._chance.choice(targets) if targets else None

    def _within(self, target: Target) -> tuple[int, int]:
        x, y, width, height = target.rect
        return x + self._chance.randrange(width), y + self._chance.randrange(height)

    def _touch_target(self, target: Target, hold_ms: int | None = None) -> None:
        self._note(f"touches {target.id}" + ("" if hold_ms is None else f" for {hold_ms} ms"))
        self._touch(*self._within(target), target.hold_ms if hold_ms is None else hold_ms)

    def _touch_a_target(self) -> None:
        target = self._any_target()
        if target is not None:
            self._touch_target(target)

    def _touch_too_short_or_long(self) -> None:
        target = self._any_target()
        if target is not None:
            self._touch_target(target, self._chance.choice((0, 10, 300, 790, 810, 3000)))

    def _touch_anywhere(self) -> None:
        x, y = self._place()
        self._note(f"touches {x}, {y}")
        self._touch(x, y, self._chance.choice((0, 0, 0, 900)))

    def _drag(self) -> None:
        start, end = self._place(), self._place()
        target = self._any_target()
        if target is not None and self._chance.random() < 0.7:
            start = self._within(target)
        self._note(f"drags from {start} to {end}")
        self._lay(1, *start)
        for share in (1, 2, 3):
            self._pass(self._chance.choice((8, 40, 300)))
            self.table.fingers.slide(1, *(a + (b - a) * share // 3 for a, b in zip(start, end, strict=True)))
        self._pass(8)
        self._lift(1)

    # Several.

    def _lay_several(self) -> None:
        fingers = self._chance.sample(range(1, _FINGERS + 1), self._chance.randint(2, _FINGERS))
        self._note(f"lays fingers {fingers}")
        for finger in fingers:
            target = self._any_target()
            self._lay(finger, *(self._within(target) if target is not None else self._place()))
            self._pass(self._chance.choice((0, 5, 40, 200)))
        self._pass(self._chance.choice((10, 100, 900)))
        self._chance.shuffle(fingers)
        for finger in fingers:
            self._lift(finger)
            self._pass(self._chance.choice((0, 20)))

    def _lay_a_palm(self) -> None:
        x, y = self._place()
        self._note(f"lays a palm at {x}, {y}")
        glass = self.table.rigging.glass
        fingers = range(1, self._chance.randint(3, _FINGERS) + 1)
        for finger in fingers:
            dx, dy = self._chance.randint(-60, 60), self._chance.randint(-60, 60)
            self._lay(finger, min(max(x + dx, 0), glass.width - 1), min(max(y + dy, 0), glass.height - 1))
            self._pass(self._chance.randint(0, 10))
        self._pass(self._chance.choice((30, 500, 1200)))
        for finger in fingers:
            self._lift(finger)

    def _lose_a_finger(self) -> None:
        """Its lifting is never told; it lies until the same finger lands again."""
        finger = self._chance.randint(1, _FINGERS)
        target = self._any_target()
        self._note(f"loses finger {finger}")
        self._lay(finger, *(self._within(target) if target is not None else self._place()))
        self.table.fingers.lose(finger)
        self._pass(self._chance.choice((20, 2000)))

    # Panel, judge, time.

    def _press(self) -> None:
        button = self._chance.choice(tuple(PanelButton))
        self._note(f"presses {button.value}")
        self.touches += 1
        self.table.press(button, hold_ms=self._chance.choice((20, 80, 80, 1500)))

    def _turn_key(self) -> None:
        self._key_on = not self._key_on
        self._key_was_on |= self._key_on
        self._note(f"turns the key {'on' if self._key_on else 'off'}")
        self.table.turn_key(on=self._key_on)

    def _type_the_pin(self) -> None:
        """A judge types, but only where a PIN is asked for."""
        if self.table.scene() != "pin":
            return
        self._note("types the PIN")
        for key in ("clear", *PIN, "ok"):
            target = next((t for t in self.table.screen.targets() if t.id == f"pin-{key}"), None)
            if target is None or not target.enabled:
                return
            self._touch_target(target)
            self._pass(100)

    def _wait(self) -> None:
        ms = self._chance.choice((500, 2_000, 10_000, 60_000, 1_800_000))
        self._note(f"waits {ms} ms")
        if ms > 10_000:
            # The clock jumps, as after a sleep; the loop looks once.
            self.table.clock.wall_offset_ms += self._chance.randint(-(10**9), 10**9)
            self.table.after(ms)
        else:
            self.table.advance(ms / 1000)

    def _play_on(self) -> None:
        for _ in range(self._chance.randint(1, _LONGEST_BURST)):
            touch = self._brain.next_touch(self.table.see())
            if touch is None:
                return
            self._note(f"people touch {touch.target}")
            self._touch_target(self.table.target(touch.target))

    # Station, cable, plug.

    def _hear_the_station(self) -> None:
        game = self.table.view.game
        if game is None:
            return
        order = any_order(self._chance, game)
        self._note(f"the station orders {type(order).__name__}")
        self.table.order(order)

    def _cut_or_mend_the_cable(self) -> None:
        self.table.station.is_away = not self.table.station.is_away
        self._note("the cable is " + ("cut" if self.table.station.is_away else "whole"))
        self.table.after(10)

    def _pull_the_plug(self) -> None:
        lost = self._chance.random() < 0.5
        self._note("the plug is pulled" + (", all of a sudden" if lost else ""))
        self._look()
        if lost:
            self.table.agent.saves = False
            self._touch_a_target()
            self.table.terminal.recorded.clear()
        self.restarts += 1
        self.table.restart(lost=lost)
        self.watch.restarted()


GLASSES: Final = (
    screen_geometry_for((800, 480)),
    screen_geometry_for((1280, 720)),
    screen_geometry_for((720, 1280)),
    ScreenGeometry(1024, 600, 6.65),
)
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Evening(msgspec.Struct, frozen=True):
    """A game to play: its place, its players and its length.

    number: draws glass, rotation, style, language.
    """

    group: str
    number: int
    seed: int
    touches: int

    def rigging(self) -> Rigging:
        glass = GLASSES[self.number % len(GLASSES)]
        turned = ScreenGeometry(glass.width, glass.height, glass.px_per_mm, self.number // 2 % 4)
        style = (TouchStyle.FINGER, TouchStyle.FINGER_AND_MOUSE)[self.number // 3 % 2]
        return Rigging(turned, style, ("en", "it")[self.number // 5 % 2], paints=True)


class Tally(msgspec.Struct, frozen=True):
    """The result of an evening. rss_kb: of the process when it was over; objects: that Python then knew."""

    touches: int
    games: int
    confirmed: int
    voided: int
    restarts: int
    entries: int
    scenes: dict[str, int]
    rss_kb: int
    objects: int


def play_evening(evening: Evening) -> Tally:
    """Play an evening at a table of its own. Raises Impossible."""
    with tempfile.TemporaryDirectory(prefix="monkey-") as folder:
        table = VirtualTable(Path(folder), evening.rigging())
        try:
            monkey = Monkey(table, GROUPS[evening.group], evening.seed)
            monkey.play(evening.touches)
            entries = table.journal.head().seq
        finally:
            table.close()
    tally = (monkey.touches, monkey.games, monkey.watch.confirmed, monkey.watch.voided, monkey.restarts)
    scenes = dict(Counter(monkey.watch.scenes))
    del monkey, table
    gc.collect()
    return Tally(*tally, entries, scenes, rss_kb(), len(gc.get_objects()))


def rss_kb() -> int:
    """Memory of this process that lies in RAM, in KiB, without what the allocator merely keeps."""
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if give_back is not None:
        give_back(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE // 1024
