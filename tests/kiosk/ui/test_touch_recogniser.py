"""Fingers on a panel with a plus, a minus, a hold and a tap; time comes with the pointers."""

from collections.abc import Callable

import msgspec
import pytest

from kiosk.touch import VIRTUAL_FINGERS, Pointer, PointerPhase
from kiosk.ui.buttons import HOLD_SHARES
from kiosk.ui.geometry import Rect
from kiosk.ui.touch_recogniser import (
    AFTER_PALM_MS,
    BOUNCE_MS,
    DEAD_MS,
    GHOST_MS,
    LEAST_CONTACT_MS,
    REPEAT_FROM_MS,
    REPEAT_MS,
    RESTING_MS,
    SETTLE_MS,
    TAP_MS,
    TouchRecogniser,
    TouchTarget,
)


def life(name: str, rect: Rect, seat: str) -> TouchTarget:
    return TouchTarget(name, rect, seat, enabled=True, hold_ms=0, on_down=True, may_repeat=True)


def tap(name: str, rect: Rect, *, enabled: bool = True, hold_ms: int = 0) -> TouchTarget:
    return TouchTarget(name, rect, "middle", enabled=enabled, hold_ms=hold_ms, on_down=False)


PLUS = life("plus", Rect(0, 0, 100, 100), "seat-1")
MINUS = life("minus", Rect(120, 0, 100, 100), "seat-1")
OTHER = life("other", Rect(300, 0, 100, 100), "seat-2")
TAP = tap("tap", Rect(0, 200, 100, 100))
HOLD = tap("hold", Rect(120, 200, 100, 100), hold_ms=800)
OFF = tap("off", Rect(300, 200, 100, 100), enabled=False)
PLACES = (PLUS, MINUS, OTHER, TAP, HOLD, OFF)
BLOCKS = {
    "seat-1": Rect(0, 0, 220, 100),
    "seat-2": Rect(300, 0, 100, 100),
    "middle": Rect(0, 200, 400, 100),
}
SLOP = 10
DOWN, MOVE, UP, LOST = PointerPhase.DOWN, PointerPhase.MOVE, PointerPhase.UP, PointerPhase.LOST
GUARD = 80


class Glass:
    def __init__(self) -> None:
        self.fingers = TouchRecogniser(SLOP, GUARD)
        self.acted: list[str] = []

    def send(self, phase: PointerPhase, at_ms: int, x: int, y: int, finger: int = 1) -> "Glass":
        self.acted += self.fingers.handle_event(Pointer(finger, phase, x, y, at_ms), PLACES, BLOCKS)
        return self

    def down(self, place: TouchTarget, at_ms: int, finger: int = 1) -> "Glass":
        return self.send(DOWN, at_ms, place.rect.x + 50, place.rect.y + 50, finger)

    def up(self, place: TouchTarget, at_ms: int, finger: int = 1) -> "Glass":
        return self.send(UP, at_ms, place.rect.x + 50, place.rect.y + 50, finger)

    def wait(self, now_ms: int) -> "Glass":
        self.acted += self.fingers.advance(now_ms)
        return self


def palm(glass: Glass) -> Glass:
    return glass.down(PLUS, 0, finger=1).down(MINUS, 10, finger=2).send(DOWN, 20, 110, 50, finger=3)


DROP_MS = LEAST_CONTACT_MS - 1
TOUCHES: dict[str, tuple[Callable[[Glass], Glass], list[str]]] = {
    "a tap that leaves its place": (
        lambda glass: glass.down(TAP, 0).send(MOVE, 50, 200, 250).up(TAP, 100).wait(900), [],
    ),
    "a hold that leaves its place": (lambda glass: glass.down(HOLD, 0).send(MOVE, 300, 0, 0).wait(900), []),
    "a hold that is lifted early": (lambda glass: glass.down(HOLD, 0).up(HOLD, 700).wait(900), []),
    "a lost finger": (lambda glass: glass.down(HOLD, 0).send(LOST, 100, 0, 0).wait(900), []),
    "what is forbidden": (lambda glass: glass.down(OFF, 0).up(OFF, 100).wait(900), []),
    "plus acts at once when the finger is lifted early": (
        lambda glass: glass.down(PLUS, 0).up(PLUS, LEAST_CONTACT_MS).wait(100), ["plus"],
    ),
    "a drop on plus": (lambda glass: glass.down(PLUS, 0).up(PLUS, DROP_MS).wait(100), []),
    "a drop on a button": (lambda glass: glass.down(TAP, 0).up(TAP, DROP_MS).wait(100), []),
    "a short contact by a page": (
        lambda glass: glass.down(PLUS, 0, VIRTUAL_FINGERS).up(PLUS, DROP_MS, VIRTUAL_FINGERS).wait(100),
        ["plus"],
    ),
    "a finger that rolls a little": (
        lambda glass: glass.down(TAP, 0).send(MOVE, 50, 109, 250).send(UP, 100, 109, 250), ["tap"],
    ),
    "two fingers on two panels": (
        lambda glass: glass.down(PLUS, 0, finger=1).down(OTHER, 3, finger=2).wait(100), ["plus", "other"],
    ),
    "a lifted finger's number that comes back elsewhere at once": (
        lambda glass: glass.down(PLUS, 0).up(PLUS, 20).down(OTHER, 30).up(OTHER, 50), ["plus", "other"],
    ),
    "three contacts on one panel are a palm": (
        lambda glass: palm(glass).wait(1000).up(PLUS, 1001, 1).up(MINUS, 1002, 2), [],
    ),
    "three contacts over a longer time are fingers": (
        lambda glass: glass.down(PLUS, 0, finger=1).wait(35).down(MINUS, 36, finger=2).wait(70)
        .send(DOWN, 80, 110, 50, finger=3).wait(200),
        ["plus", "minus"],
    ),
    "a lost lift comes to light with the next contact": (
        lambda glass: glass.down(HOLD, 0).down(TAP, 200).wait(900).up(TAP, 950), ["tap"],
    ),
    "what rolls onto a panel after a palm": (
        lambda glass: palm(glass).down(PLUS, 150, finger=4).up(PLUS, 200, finger=4).wait(400), [],
    ),
    "a palm leaves other panels alone": (
        lambda glass: palm(glass).down(OTHER, 60, finger=4).up(OTHER, 110, finger=4), ["other"],
    ),
    "a forearm over two panels changes neither": (
        lambda glass: glass.down(PLUS, 0, finger=1).down(MINUS, 4, finger=2).down(OTHER, 8, finger=3)
        .down(TAP, 12, finger=4).wait(500).up(TAP, 600, finger=4),
        [],
    ),
    "a lift that the panel lost deafens nobody for long": (
        lambda glass: glass.down(PLUS, 0, finger=1).wait(SETTLE_MS).down(MINUS, GHOST_MS, finger=2)
        .up(MINUS, GHOST_MS + 50, finger=2),
        ["plus", "minus"],
    ),
    "a second contact beside a hold takes it back": (
        lambda glass: glass.down(HOLD, 0, finger=1).send(DOWN, 300, 105, 250, finger=2).wait(900)
        .up(HOLD, 950, finger=1),
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("claim", TOUCHES)
def test_what_touches_act_on(claim: str) -> None:
    touch, acted = TOUCHES[claim]
    assert touch(Glass()).acted == acted


def test_plus_acts_while_the_finger_is_still_down() -> None:
    glass = Glass().down(PLUS, 0)
    assert glass.fingers.next_deadline_ms(0) == SETTLE_MS
    assert glass.wait(SETTLE_MS - 1).acted == []
    assert glass.wait(SETTLE_MS).acted == ["plus"]
    assert glass.up(PLUS, 500).acted == ["plus"]


def test_the_picture_answers_before_the_press_counts() -> None:
    glass = Glass().down(PLUS, 0)
    assert [touch.id for touch in glass.fingers.touched_buttons(0)] == ["plus"]


def test_navigation_acts_on_lifting() -> None:
    glass = Glass().down(TAP, 0).wait(5000)
    assert glass.acted == []
    assert glass.up(TAP, 5001).acted == ["tap"]


def test_a_place_is_deaf_after_a_contact() -> None:
    glass = Glass().down(PLUS, 0).up(PLUS, 20).down(PLUS, DEAD_MS - 1, finger=2).up(PLUS, DEAD_MS + 5, 2)
    assert glass.acted == ["plus"]
    assert glass.down(PLUS, 2 * DEAD_MS).up(PLUS, 2 * DEAD_MS + 20).acted == ["plus", "plus"]


def test_a_finger_that_bounces_as_it_leaves_counts_once() -> None:
    glass = Glass().down(PLUS, 0).wait(200).up(PLUS, 200).down(PLUS, 210).up(PLUS, 220)
    assert glass.acted == ["plus"]
    assert glass.down(PLUS, 220 + BOUNCE_MS).up(PLUS, 330).acted == ["plus", "plus"]


def test_a_bounce_does_not_touch_what_the_lift_has_brought_there() -> None:
    glass = Glass().down(TAP, 0).up(TAP, 200)
    other = tap("other", TAP.rect)
    for phase, at_ms in ((DOWN, 210), (UP, 220)):
        bounce = Pointer(2, phase, TAP.rect.x + 52, TAP.rect.y + 50, at_ms)
        glass.acted += glass.fingers.handle_event(bounce, (other,), BLOCKS)
    assert glass.acted == ["tap"]


def test_a_hold_does_not_grow_while_nobody_looks() -> None:
    glass = Glass().down(HOLD, 0).wait(300)
    glass.fingers.extend_holds(1_000)
    assert glass.wait(1_400).acted == []
    assert glass.wait(1_801).acted == ["hold"]
    glass = Glass().down(HOLD, 0).wait(300)
    glass.fingers.extend_holds(1_000)
    assert glass.up(HOLD, 1_400).acted == []


def test_a_hold_acts_when_its_time_is_over_and_only_once() -> None:
    glass = Glass().down(HOLD, 0).wait(799)
    assert glass.acted == []
    assert glass.wait(800).acted == ["hold"]
    assert glass.wait(1700).up(HOLD, 1800).acted == ["hold"]


def test_a_hold_that_was_left_is_not_waited_for() -> None:
    assert Glass().down(HOLD, 0).send(MOVE, 300, 0, 0).fingers.next_deadline_ms(300) is None


def test_a_hold_shows_how_far_it_is() -> None:
    glass = Glass().down(HOLD, 0)
    assert glass.fingers.touched_buttons(400)[0].share == HOLD_SHARES // 2
    deadline = glass.fingers.next_deadline_ms(400)
    assert deadline is not None
    assert 400 < deadline <= 450


def test_letting_go_forgets_everything_on_the_glass() -> None:
    glass = Glass().down(HOLD, 0).down(TAP, 5, finger=2)
    glass.fingers.cancel_all()
    assert glass.wait(900).up(TAP, 901, finger=2).acted == []


def test_what_was_landed_on_as_a_tap_does_not_become_a_hold_under_the_finger() -> None:
    glass = Glass().down(TAP, 0)
    glass.fingers.on_picture((*PLACES[:3], msgspec.structs.replace(TAP, hold_ms=800)), 100)
    assert glass.up(TAP, 200).wait(2_000).acted == []


def test_a_place_that_moves_away_under_a_finger_is_let_go() -> None:
    glass = Glass().down(HOLD, 0)
    glass.fingers.on_picture((msgspec.structs.replace(HOLD, rect=Rect(500, 500, 100, 100)),), 100)
    assert glass.wait(2_000).acted == []


def test_a_place_that_stays_is_kept() -> None:
    glass = Glass().down(HOLD, 0)
    glass.fingers.on_picture(PLACES, 100)
    assert glass.wait(800).acted == ["hold"]


def test_a_panel_hears_again_a_little_after_a_palm_has_lifted() -> None:
    glass = palm(Glass()).up(PLUS, 500, 1).up(MINUS, 510, 2).send(UP, 520, 110, 50, finger=3)
    assert glass.down(PLUS, 520 + AFTER_PALM_MS - 1).up(PLUS, 520 + AFTER_PALM_MS).acted == []
    assert glass.down(PLUS, 700 + AFTER_PALM_MS).up(PLUS, 750 + AFTER_PALM_MS).acted == ["plus"]


def test_beside_an_elbow_that_rests_nothing_counts() -> None:
    glass = Glass().down(PLUS, 0, finger=1).wait(SETTLE_MS)
    glass.down(MINUS, RESTING_MS, finger=2).up(MINUS, RESTING_MS + 50, finger=2)
    assert glass.acted == ["plus"]
    glass.down(OTHER, RESTING_MS + 60, finger=2).up(OTHER, RESTING_MS + 90, finger=2)
    assert glass.acted == ["plus", "other"]


def test_a_finger_that_lands_on_the_rim_belongs_to_the_panel_beside_it() -> None:
    rim = life("plus", Rect(0, 0, 100, 110), "seat-1")
    fingers = TouchRecogniser(SLOP, GUARD)
    for number, x in enumerate((10, 40, 70)):
        fingers.handle_event(Pointer(number, DOWN, x, 105, number), (rim,), BLOCKS)
    assert fingers.advance(500) == ()


def test_a_target_that_acted_rests_for_a_second() -> None:
    glass = Glass().down(TAP, 0).up(TAP, 30).down(TAP, 1_000).up(TAP, 1_020)
    assert glass.acted == ["tap"]
    assert glass.down(TAP, 1_100).up(TAP, 1_130).acted == ["tap", "tap"]


@pytest.mark.parametrize(("distance", "acts"), [(20, False), (GUARD, False), (GUARD + 5, True)])
def test_a_new_target_near_the_last_touch_rests_and_one_farther_away_does_not(
    distance: int, *, acts: bool
) -> None:
    fingers = TouchRecogniser(SLOP, GUARD)
    new = tap("new", Rect(0, 150, 400, 150))
    acted: list[str] = []
    for at_ms, x, places in ((0, 50, PLACES), (500, 50 + distance, (new,))):
        for phase, later in ((DOWN, 0), (UP, 30)):
            acted += fingers.handle_event(Pointer(1, phase, x, 250, at_ms + later), places, BLOCKS)
    assert acted == (["tap", "new"] if acts else ["tap"])


def test_a_short_tap_on_a_hold_means_the_target_below_it() -> None:
    below = tap("turn", HOLD.rect)
    for lift_ms, expected in ((60, ["turn"]), (TAP_MS, []), (900, ["hold"])):
        fingers, acted = TouchRecogniser(SLOP, GUARD), list[str]()
        x, y = HOLD.rect.x + 50, HOLD.rect.y + 50
        acted += fingers.handle_event(Pointer(1, DOWN, x, y, 0), (below, HOLD), BLOCKS)
        acted += fingers.advance(lift_ms)
        acted += fingers.handle_event(Pointer(1, UP, x, y, lift_ms), (below, HOLD), BLOCKS)
        assert acted == expected


def test_of_two_cards_in_a_page_each_may_be_tapped_soon_after_the_other() -> None:
    """Cards can be held, too; only on a panel may a second tap be meant for the minus beside it."""
    cards = (TAP, msgspec.structs.replace(OFF, enabled=True))
    holds = (tap(f"hold-{one.id}", one.rect, hold_ms=500) for one in cards)
    glass, places = Glass(), (*cards, *holds)
    for at_ms, x in ((0, 50), (900, 350)):
        for phase, after_ms in ((DOWN, 0), (UP, 100)):
            pointer = Pointer(1, phase, x, 250, at_ms + after_ms)
            glass.acted += glass.fingers.handle_event(pointer, places, BLOCKS)
    assert glass.acted == ["tap", "off"]


def test_a_minus_that_is_held_repeats_until_it_may_be_a_sleeve() -> None:
    minus = msgspec.structs.replace(MINUS, repeats_while_held=True)
    fingers, acted, now_ms = TouchRecogniser(SLOP, GUARD), list[str](), 0
    x, y = minus.rect.x + 50, minus.rect.y + 50
    acted += fingers.handle_event(Pointer(1, DOWN, x, y, 0), (minus,), BLOCKS)
    while (due := fingers.next_deadline_ms(now_ms)) is not None:
        now_ms = due
        acted += fingers.advance(now_ms)
    assert (len(acted), now_ms) == (4, REPEAT_FROM_MS + 2 * REPEAT_MS)
    assert now_ms < RESTING_MS
