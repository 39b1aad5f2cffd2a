"""All scenes at all sizes: touch targets are large enough and far enough apart."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import msgspec
import pytest

from core.editions.edition import Edition
from kiosk.preferences import Layout
from kiosk.scenes.scene import OnTouch
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import Rect, ScreenGeometry
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.pairwise import pairs_first
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.judge_moments import judge_moments
from tests.scenarios.moments import EDITION, Moment, moments
from tests.scenarios.terminal_moments import enrolment_moments, selftest_moments

ROUNDING_MM = 0.15
DUELISTS = 2
PLAIN, WITH_REBEL = EDITION, rebel_rules()
TABLES = {
    "duel": (DUELISTS, PLAIN),
    **{f"{seats}-seats": (seats, PLAIN) for seats in (4, 5, 6, 7)},
    **{f"{seats}-seats-with-rebel": (seats, WITH_REBEL) for seats in (4, 6, 8, 9, 10)},
}
TELLING = ("duel", "5-seats", "7-seats", "8-seats-with-rebel", "10-seats-with-rebel")
"""Common tables, and those with the least room."""


@lru_cache(maxsize=2)
def table_of(name: str) -> tuple[int, tuple[Moment, ...]]:
    """Return the seats of a table, and all its moments."""
    seats, rules = TABLES[name]
    if seats == DUELISTS:
        return seats, (*duel_moments(), *enrolment_moments(), *pages_of_the_test())
    as_without = rules is WITH_REBEL and f"{seats}-seats" in TABLES
    judged = judge_moments(seats, rules)
    return seats, (*moments(seats, rules), *judged, *(() if as_without else auction_moments(seats)))


def pages_of_the_test() -> tuple[Moment, ...]:
    """Return each page of a self-test once."""
    return tuple({moment.scene: moment for moment in selftest_moments(5)}.values())


CROWDED = 8
HOLD_GAP_MM = 1.2
"""A finger that strays from a press onto a hold does nothing."""


def least_mm(target: Target, seats: int, layout: Layout, glass: ScreenGeometry) -> float:
    if target.id.endswith(("-minus", "-plus")):
        if seats < CROWDED:
            return 18.0
        return 14.0 if layout is Layout.KEEPER and glass.width < glass.height else 15.0
    if target.id.startswith("seat-") and target.id.endswith(("-menu", "-turn")):
        return 10.0
    if target.id.startswith("ability-"):
        return 12.0
    return 14.0 if target.hold_ms else 12.0


def layout_faults(size: str, layout: Layout, seats: int, every: tuple[Moment, ...]) -> Iterator[str]:
    """Yield each target that is too small, too near to another or not on the glass."""
    glass = GLASSES[size]
    for moment in every:
        screen = laid_out(glass, moment, "it", layout)
        assert screen.scene_name() == moment.scene, moment.picture
        targets = screen.targets()
        assert len({target.id for target in targets}) == len(targets), moment.picture
        for index, target in enumerate(targets):
            rect = Rect(*target.rect)
            least = least_mm(target, seats, layout, glass) - ROUNDING_MM
            if min(rect.w, rect.h) / glass.px_per_mm < least:
                yield f"{moment.picture}: {target.id} is {rect.w}x{rect.h}, least {least} mm"
            if not (
                rect.x >= 0 and rect.y >= 0 and rect.right <= glass.width and rect.bottom <= glass.height
            ):
                yield f"{moment.picture}: {target.id} leaves the glass at {target.rect}"
            for other in targets[index + 1 :]:
                held = {target.id.replace("-turn", "-menu"), target.id.replace("character-", "ability-")}
                if other.hold_ms and other.id in held:
                    continue  # a tap and a hold at the same place
                least = (
                    HOLD_GAP_MM if any(t.hold_ms or t.id.endswith("-turn") for t in (target, other)) else 2.0
                )
                gap = int((least - ROUNDING_MM) * glass.px_per_mm)
                if rect.inset(-gap).overlaps(Rect(*other.rect)):
                    yield f"{moment.picture}: {target.id} is too near to {other.id}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "others"), pairs_first(TABLES, GLASSES, Layout, by_day=lambda table, *_: table in TELLING)
)
def test_targets_are_large_apart_and_on_the_glass(table: str, others: list[tuple[str, Layout]]) -> None:
    wrong = [list(layout_faults(*look, *table_of(table))) for look in others]
    assert wrong == [[]] * len(others)


def turned_sideways(seats: int, rules: Edition) -> Iterator[Moment]:
    """Yield the judge's pages at a judge who stands at the next side of the table."""
    for moment in judge_moments(seats, rules):
        if moment.touches[:2] == ("menu", "judge-menu"):
            touches = (*moment.touches[:2], "turn-page", *moment.touches[2:])
            yield msgspec.structs.replace(moment, touches=touches)


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize(("size", "seats"), list(product(GLASSES, (5, 10))))
def test_the_judges_pages_have_room_at_every_side(size: str, seats: int) -> None:
    pages = tuple(turned_sideways(seats, PLAIN if seats < CROWDED else WITH_REBEL))
    faults = layout_faults(size, Layout.RING, seats, pages)
    # The keys of a keyboard are a little narrower on the short side.
    assert [fault for fault in faults if ": key-" not in fault] == []


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_button_has_a_reply(table: str) -> None:
    for moment in table_of(table)[1]:
        screen = laid_out(GLASSES["800x480"], moment)
        mute = [b.id for block in screen._blocks for b in block.buttons if not isinstance(b.action, OnTouch)]
        assert mute == [], moment.picture


@pytest.mark.parametrize(("layout", "seats"), [(Layout.RING, 4), (Layout.KEEPER, 4), (Layout.KEEPER, 5)])
def test_the_panel_of_a_small_glass_still_holds_plus_and_minus(layout: Layout, seats: int) -> None:
    glass = ScreenGeometry(1280, 720, 11.6)
    play = next(moment for moment in moments(seats) if moment.picture == "play")
    for target in laid_out(glass, play, layout=layout).targets():
        if target.id.endswith(("-minus", "-plus")):
            assert min(target.rect[2:]) >= glass.mm(13)


@pytest.mark.slow
def test_delivery_is_told_on_every_scene() -> None:
    for moment in moments(6):
        screen = laid_out(GLASSES["800x480"], moment)
        assert any(block.id == "strip" for block in screen._blocks), moment.picture
