"""Buttons are pressed twice, or by another hand just as they appear: such presses change nothing."""

import copy
import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from base.errors import Refused
from core.editions.loader import edition, with_options
from core.game.decide import decide
from core.game.events import GameStep
from core.game.timeline import extend, undoable
from core.rule_set import OptionKey
from kiosk.preferences import Layout
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.mistakes import RepeatGuard
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.ui.touch_recogniser import DEAD_MS, GUARD_MM
from kiosk.view.intents import AskGame, Intent
from kiosk.view.table_view import TableView
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tests.scenarios.moments import Moment, moments

MAY_REPEAT = re.compile(
    r"-(minus|plus|carry|less|more|more-\d+)$"  # life points and bids, counted as often as they are tapped
    r"|^key-|^pin-\d$"  # typing
    r"|^(part|story|moment)-(before|next|earlier|later|slower|faster)$"  # turning pages
    r"|^(louder|quieter|works|broken)$|^seen-"  # in a self-test
)
"""Targets that accept a second tap after 80 ms, as it is intended."""
GAPS_MS = (50, 80, 230, 500, 1_000)
"""The time between two presses; each moment has one of them by day."""
SOME_GAPS_MS = (80, 500)
LOOKS = tuple(
    itertools.product(
        ("480x800", "720x1280", "1024x600", "1280x800", "800x480"), (Layout.KEEPER, Layout.RING)
    )
)[:-1]
"""Further sizes and layouts, each used for some of the moments with a single gap."""


class Tapping:
    """A screen at a moment, whose game carries out the touches."""

    def __init__(self, moment: Moment, glass: ScreenGeometry, layout: Layout = Layout.RING) -> None:
        self.screen: TableScreen = laid_out(glass, moment, layout=layout)
        self.view: TableView = self.screen._stage.table
        self.guards = RepeatGuard()
        self.now_ms = 1_000_000

    def tap(self, x: int, y: int, ms: int = 30) -> tuple[bool, str]:
        """Return whether a tap had an effect, and its game commands. ms: duration."""
        before = self._picture()
        intents: list[Intent] = [*self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms))]
        self.now_ms += ms
        intents += self.screen.advance(self.now_ms)
        intents += self.screen.pointer(Pointer(1, PointerPhase.UP, x, y, self.now_ms))
        done = [
            intent.command for intent in intents if isinstance(intent, AskGame) and self._carries_out(intent)
        ]
        self.screen.update(self.view)
        return bool(done) or self._picture() != before, " ".join(type(command).__name__ for command in done)

    def _picture(self) -> object:
        return self.screen.scene_name(), self.screen.targets(), self.screen.visible_text()

    def _carries_out(self, intent: AskGame) -> bool:
        timeline, edition = self.view.timeline, self.view.edition
        assert timeline is not None
        is_doubtful = self.guards.is_doubtful(intent.command, timeline.state, edition, self.now_ms)
        if (is_doubtful and not intent.is_certain) or self.guards.refuses(intent.command, self.now_ms):
            return False
        assert edition is not None
        try:
            events = decide(timeline.state, intent.command, edition, may_undo=undoable(timeline))
        except Refused:
            return False
        self.guards.on_carried_out(intent.command, self.now_ms)
        after = extend(timeline, GameStep(timeline.state.game, events))
        self.view = msgspec.structs.replace(
            self.view, timeline=after, game=after.state, may_undo=undoable(after), now_ms=self.now_ms
        )
        return True


def every_moment(seats: int) -> list[Moment]:
    """Return each picture of a table of this size once."""
    by_picture = {moment.picture: moment for moment in reversed([*moments_at(seats), *moments_anywhere()])}
    return list(by_picture.values())


def presses_that_act_twice(
    moment: Moment, gaps_ms: tuple[int, ...], glass: ScreenGeometry, layout: Layout = Layout.RING
) -> list[str]:
    """Press each target twice, once for each gap; return those that had an effect again."""
    wrong = []
    for target in [t for t in Tapping(moment, glass, layout).screen.targets() if t.enabled]:
        for gap_ms in gaps_ms:
            table = Tapping(moment, glass, layout)
            left, top, width, height = next(t.rect for t in table.screen.targets() if t.id == target.id)
            x, y = left + width // 2, top + height // 2
            table.tap(x, y, max(30, target.hold_ms))
            table.now_ms += gap_ms - 30
            acted, intents = table.tap(x, y, max(30, target.hold_ms))
            if table.screen.scene_name() == "test-touch":
                continue  # it draws where the finger is
            if acted and (MAY_REPEAT.search(target.id) is None or gap_ms < DEAD_MS):
                wrong.append(f"{target.id} after {gap_ms} ms: {intents or table.screen.scene_name()}")
    return wrong


def with_gaps() -> Iterator[Any]:
    """Yield parameters for each moment: one of the gaps, by turns, and at night the others."""
    for moment, gap in zip(every_moment(5), itertools.cycle(GAPS_MS), strict=False):
        yield pytest.param(moment, (gap,), id=moment.picture)
        rest = tuple(other for other in GAPS_MS if other != gap)
        yield pytest.param(moment, rest, id=f"{moment.picture}-rest", marks=pytest.mark.nightly)


@pytest.mark.slow
@pytest.mark.parametrize(("moment", "gaps_ms"), list(with_gaps()))
def test_a_second_press_changes_nothing(moment: Moment, gaps_ms: tuple[int, ...]) -> None:
    assert presses_that_act_twice(moment, gaps_ms, GLASSES["800x480"]) == []


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "look"),
    list(zip(every_moment(7), itertools.cycle(LOOKS), strict=False)),
    ids=lambda value: value.picture if isinstance(value, Moment) else value[0],
)
def test_nor_does_it_on_other_glasses(moment: Moment, look: tuple[str, Layout]) -> None:
    size, layout = look
    width, height = map(int, size.split("x"))
    assert presses_that_act_twice(moment, SOME_GAPS_MS, screen_geometry_for((width, height)), layout) == []


SOME_TARGETS = r"(?!seat-[1245689]|seat-10|by-seat-[^3])"
FRESH_GAPS_MS = (40, 150, 300, 600)
HEARD_MS = 750
LARGE_TABLES = with_options(edition("official-2003"), (OptionKey.REBEL,), "large tables")
PLAYED = {"play", "last-life", "last-life-high-noon", "eliminate-by", "eliminate-role", "ending"}


def middle_of(target: Target) -> tuple[int, int]:
    x, y, width, height = target.rect
    return x + width // 2, y + height // 2


class TwoHands(Tapping):
    """A table where one hand has just touched something, and another one follows."""

    def touch(self, target: Target) -> list[Target]:
        """Touch a target; return new targets that aren't on the panel of that hand."""
        before = {(each.id, each.rect) for each in self.screen.targets()}
        panels = (block for block in self.screen._blocks if block.id.startswith("seat-"))
        panel = next((p.rect for p in panels if target.id in {button.id for button in p.buttons}), None)
        self.tap(*middle_of(target), max(31, target.hold_ms))
        if self.screen.scene_name() == "test-touch":
            return []  # it draws where fingers are
        return [
            each
            for each in self.screen.targets()
            if each.enabled and (each.id, each.rect) not in before
            if panel is None or not panel.contains(*middle_of(each))
        ]

    def acts_after(self, ms: int, target: Target) -> bool:
        """Press a target with another finger; return whether it acts, and forget the finger."""
        fingers, before = copy.copy(self.screen._fingers), self._picture()
        now_ms, (x, y) = self.now_ms + ms, middle_of(target)
        intents = [*self.screen.pointer(Pointer(2, PointerPhase.DOWN, x, y, now_ms))]
        now_ms += max(31, target.hold_ms)
        intents += self.screen.advance(now_ms)
        intents += self.screen.pointer(Pointer(2, PointerPhase.UP, x, y, now_ms))
        self.screen.update(self.view)
        acted = bool(intents) or self._picture() != before
        if not acted:
            self.screen._fingers = fingers
        return acted


def fresh_targets_that_act(
    moment: Moment, glass: ScreenGeometry, layout: Layout = Layout.RING, touched: str = ""
) -> tuple[list[str], int]:
    """Press the targets that each touch brings up; return those that acted too soon.

    Also return how many acted later. touched: pattern of targets to touch first.
    """
    wrong, acted = [], 0
    targets = laid_out(glass, moment, layout=layout).targets()
    for target in [t for t in targets if t.enabled and re.match(touched, t.id)]:
        table = TwoHands(moment, glass, layout)
        appeared = table.touch(next(t for t in table.screen.targets() if t.id == target.id))
        for each, gap_ms in itertools.product(appeared, FRESH_GAPS_MS):
            if table.acts_after(gap_ms, each):
                wrong.append(f"{each.id} acts {gap_ms} ms after {target.id}")
        far = [e for e in appeared if math.dist(middle_of(e), middle_of(target)) > glass.mm(GUARD_MM) + 1]
        if not wrong and far:
            acted += table.acts_after(HEARD_MS, far[0])
    return wrong, acted


@pytest.mark.slow
@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    ("seats", "size"), [(4, "1024x600"), (5, "720x1280"), (7, "800x480"), (10, "800x480")]
)
def test_what_has_just_appeared_is_deaf_to_other_hands_and_hears_later(seats: int, size: str) -> None:
    all_moments = moments(seats, LARGE_TABLES) if seats > 7 else moments(seats)
    for moment in {moment.picture: moment for moment in all_moments if moment.picture in PLAYED}.values():
        wrong, acted = fresh_targets_that_act(moment, GLASSES[size], touched=SOME_TARGETS)
        assert wrong == [], moment.picture
        assert acted, moment.picture


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "look"),
    list(zip([*every_moment(7), *moments(10, LARGE_TABLES)], itertools.cycle(LOOKS))),
    ids=lambda value: value.picture if isinstance(value, Moment) else value[0],
)
def test_so_it_is_on_every_page(moment: Moment, look: tuple[str, Layout]) -> None:
    width, height = map(int, look[0].split("x"))
    wrong, _acted = fresh_targets_that_act(moment, screen_geometry_for((width, height)), look[1])
    assert wrong == []
