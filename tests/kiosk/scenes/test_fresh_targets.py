"""Targets that have just appeared are pressed by another hand that was aiming at the previous picture."""

import copy
import itertools
import math
import re

import pytest

from core.editions.loader import edition, with_options
from core.rule_set import OptionKey
from kiosk.preferences import Layout
from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.ui.touch_recogniser import GUARD_MM
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.kiosk.scenes.test_double_taps import LOOKS, Tapping, every_moment
from tests.scenarios.moments import Moment, moments

SOME_TARGETS = r"(?!seat-[1245689]|seat-10|by-seat-[^3])"
GAPS_MS = (40, 150, 300, 600)
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
        for each, gap_ms in itertools.product(appeared, GAPS_MS):
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
