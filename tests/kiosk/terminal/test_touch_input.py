"""Touches from SDL and from pages, and the waking of the loop."""

import math
import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.terminal.display.touch_input import (
    LOOK_MS,
    MOUSE,
    Pointers,
    TouchWakeup,
    VirtualTouches,
    screen_position,
)
from kiosk.terminal.loop import Display
from kiosk.touch import Correction, Pointer, PointerPhase
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for

DOWN, MOVE, UP, LOST = PointerPhase.DOWN, PointerPhase.MOVE, PointerPhase.UP, PointerPhase.LOST


SDL = {DOWN: pygame.FINGERDOWN, MOVE: pygame.FINGERMOTION, UP: pygame.FINGERUP}


def finger(phase: PointerPhase, x: float, y: float = 0.5, number: int = 5) -> pygame.event.Event:
    return pygame.event.Event(SDL[phase], finger_id=number, x=x, y=y, dx=0.0, dy=0.0)


def mouse(kind: int, x: int, y: int, **more: Any) -> pygame.event.Event:
    return pygame.event.Event(kind, pos=(x, y), **more)


def phases(pointers: tuple[Pointer, ...]) -> list[PointerPhase]:
    return [pointer.phase for pointer in pointers]


def turned(quarter_turns: int) -> ScreenGeometry:
    size = (480, 800) if quarter_turns % 2 else (800, 480)
    return screen_geometry_for(size, quarter_turns)


@pytest.fixture
def pointers() -> Pointers:
    return Pointers(screen_geometry_for((800, 480)))


def test_a_finger_goes_down_moves_and_goes_up(pointers: Pointers) -> None:
    events = [finger(DOWN, 0.25), finger(MOVE, 0.5), finger(UP, 0.5, 0.75)]
    assert pointers.of(events[:2], 7) == (Pointer(5, DOWN, 200, 240, 7), Pointer(5, MOVE, 400, 240, 7))
    assert pointers.any_down()
    assert pointers.of(events[2:], 9) == (Pointer(5, UP, 400, 360, 9),)
    assert not pointers.any_down()


def test_a_mouse_alone_is_a_finger_and_only_its_left_button_counts(pointers: Pointers) -> None:
    events = [
        mouse(pygame.MOUSEMOTION, 1, 1, buttons=(0, 0, 0), rel=(0, 0)),
        mouse(pygame.MOUSEBUTTONDOWN, 1, 1, button=3),
        mouse(pygame.MOUSEBUTTONDOWN, 10, 20, button=1),
        mouse(pygame.MOUSEMOTION, 11, 20, buttons=(1, 0, 0), rel=(1, 0)),
        mouse(pygame.MOUSEBUTTONUP, 11, 20, button=1),
    ]
    assert pointers.of(events, 0) == (
        Pointer(MOUSE, DOWN, 10, 20, 0),
        Pointer(MOUSE, MOVE, 11, 20, 0),
        Pointer(MOUSE, UP, 11, 20, 0),
    )


def test_where_fingers_are_told_the_mouse_that_repeats_them_is_not(pointers: Pointers) -> None:
    events = [
        finger(DOWN, 0.5),
        mouse(pygame.MOUSEBUTTONDOWN, 400, 240, button=1),
        finger(UP, 0.5),
        mouse(pygame.MOUSEBUTTONUP, 400, 240, button=1),
    ]
    assert phases(pointers.of(events, 0)) == [DOWN, UP]


def test_a_mouse_that_went_down_before_the_first_finger_is_not_stuck(pointers: Pointers) -> None:
    assert phases(pointers.of([mouse(pygame.MOUSEBUTTONDOWN, 1, 2, button=1)], 0)) == [DOWN]
    events = pointers.of([finger(DOWN, 0.5), finger(UP, 0.5)], 1)
    assert [(p.finger, p.phase) for p in events] == [(MOUSE, LOST), (5, DOWN), (5, UP)]
    assert not pointers.any_down()


def test_a_finger_whose_lifting_was_never_told_is_lost_when_it_comes_down_again(pointers: Pointers) -> None:
    pointers.of([finger(DOWN, 0.25)], 1)
    assert pointers.of([finger(DOWN, 0.5)], 2) == (
        Pointer(5, LOST, 200, 240, 2),
        Pointer(5, DOWN, 400, 240, 2),
    )


def test_a_panel_that_lifts_and_lays_instead_of_moving_moves(pointers: Pointers) -> None:
    pointers.of([finger(DOWN, 0.5)], 1)
    steps = [finger(UP, 0.5), finger(DOWN, 0.51), finger(UP, 0.51), finger(DOWN, 0.52)]
    assert phases(pointers.of(steps, 2)) == [MOVE, MOVE]
    assert pointers.of([finger(UP, 0.52)], 3) == (Pointer(5, UP, 416, 240, 3),)


def test_the_next_hand_with_the_number_of_the_last_is_another_touch(pointers: Pointers) -> None:
    pointers.of([finger(DOWN, 0.25)], 1)
    hands = [finger(UP, 0.25), finger(DOWN, 0.75)]
    assert phases(pointers.of(hands, 2)) == [UP, DOWN]


def test_two_fingers_that_step_do_not_mix(pointers: Pointers) -> None:
    pointers.of([finger(DOWN, 0.1, 0.5, 1), finger(DOWN, 0.9, 0.5, 2)], 1)
    steps = [finger(UP, 0.1, 0.5, 1), finger(UP, 0.9, 0.5, 2), finger(DOWN, 0.11, 0.5, 1)]
    assert [(p.finger, p.phase) for p in pointers.of(steps, 2)] == [(2, UP), (1, MOVE)]


def test_a_lifting_or_a_move_without_a_touch_is_nothing(pointers: Pointers) -> None:
    events = [finger(UP, 0.5), finger(MOVE, 0.5)]
    assert pointers.of(events, 0) == ()


@pytest.mark.parametrize(
    ("quarter_turns", "size", "top_left", "bottom_right"),
    [
        (0, (800, 480), (0, 0), (799, 479)),
        (1, (480, 800), (0, 799), (479, 0)),
        (2, (800, 480), (799, 479), (0, 0)),
        (3, (480, 800), (479, 0), (0, 799)),
    ],
)
def test_a_turned_panel_is_touched_where_people_see_it(
    quarter_turns: int, size: tuple[int, int], top_left: tuple[int, int], bottom_right: tuple[int, int]
) -> None:
    glass = turned(quarter_turns)
    assert (glass.width, glass.height) == size
    assert screen_position(glass, 0, 0) == top_left
    assert screen_position(glass, 799, 479) == bottom_right


@given(st.integers(0, 3), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_no_touch_lies_off_the_screen(quarter_turns: int, x: float, y: float) -> None:
    glass = turned(quarter_turns)
    left, top = screen_position(glass, x, y)
    assert 0 <= left < glass.width
    assert 0 <= top < glass.height


@pytest.mark.parametrize("quarter_turns", range(4))
def test_a_calibration_corrects_what_people_see_however_the_panel_is_turned(quarter_turns: int) -> None:
    glass = turned(quarter_turns)
    right = Correction(x0=0.05, yy=1.1, y0=-0.05)
    for place in ((400.0, 240.0), (200.0, 100.0), (700.0, 400.0)):
        x, y = screen_position(glass, *place)
        corrected = screen_position(glass, *place, right)
        assert corrected[0] == pytest.approx(x + 0.05 * glass.width, abs=1)
        assert corrected[1] == pytest.approx(1.1 * y - 0.05 * glass.height, abs=1)
    assert screen_position(glass, 0, 0, Correction(x0=-2.0, y0=2.0)) == (0, glass.height - 1)


def test_fingers_through_the_door_go_down_now_and_up_later_one_after_the_other() -> None:
    fingers = VirtualTouches(lambda: 100)
    fingers.touch(1, 2, 60)
    fingers.touch(3, 4, 60)
    assert fingers.next_deadline_ms() == 100
    assert [(p.phase, p.x, p.at_ms) for p in fingers.due(100)] == [(DOWN, 1, 100)]
    assert fingers.next_deadline_ms() == 160
    assert [(p.phase, p.x, p.at_ms) for p in fingers.due(10_000)] == [
        (UP, 1, 160),
        (DOWN, 3, 161),
        (UP, 3, 221),
    ]
    assert fingers.next_deadline_ms() is None


def test_a_hold_of_a_page_counts_only_as_far_as_the_page_reported_it() -> None:
    now = [1_000]
    fingers = VirtualTouches(lambda: now[0])
    fingers.move(0, DOWN, 5, 6, within_ms=2_000)
    now[0] = 1_100
    assert fingers.reported_ms(now[0]) == 1_000
    fingers.move(0, MOVE, 5, 6, within_ms=2_000)
    now[0] = 1_900
    assert fingers.reported_ms(now[0]) == 1_100
    fingers.move(0, UP, 5, 6, within_ms=2_000)
    assert fingers.reported_ms(now[0]) == 1_900


def test_a_finger_that_its_page_reports_no_more_is_lost_and_holds_nothing() -> None:
    fingers = VirtualTouches(lambda: 1_000)
    fingers.move(0, DOWN, 5, 6, within_ms=2_000)
    assert phases(fingers.due(1_000)) == [DOWN]
    assert fingers.next_deadline_ms() == 3_000
    assert phases(fingers.due(3_000)) == [LOST]
    assert not fingers.any_down()
    # Late reports of the same finger have no effect.
    fingers.move(0, UP, 5, 6, within_ms=2_000)
    assert fingers.due(9_000) == ()


def test_a_finger_of_a_script_lies_until_it_is_lifted() -> None:
    fingers = VirtualTouches(lambda: 0)
    fingers.move(0, DOWN, 5, 6)
    assert fingers.reported_ms(800) == 800


PANEL, MICE, KEYBOARD, OLD_PANEL = (
    "260800000000003",
    "30000 0 0 0 0",
    "402000000 3803078f800d001",
    "400 0 0 0 0 0",
)


class Machine:
    """A machine to which input devices are connected."""

    def __init__(self, folder: Path) -> None:
        self.devices = folder / "dev"
        self.tells = folder / "sys"
        self.devices.mkdir()
        self.tells.mkdir()
        self._writers: dict[str, int] = {}

    def plug(self, name: str, *, axes: str = "0", keys: str = "0") -> None:
        capabilities = self.tells / name / "device" / "capabilities"
        capabilities.mkdir(parents=True)
        (capabilities / "abs").write_text(axes + "\n")
        (capabilities / "key").write_text(keys + "\n")
        os.mkfifo(self.devices / name)
        self._writers[name] = os.open(self.devices / name, os.O_RDWR)

    def pull(self, name: str) -> None:
        os.close(self._writers.pop(name))
        for file in (*(self.tells / name / "device" / "capabilities").iterdir(), self.devices / name):
            file.unlink()
        (self.tells / name / "device" / "capabilities").rmdir()

    def touch(self, name: str, count: int = 1) -> None:
        os.write(self._writers[name], bytes(24) * count)

    def close(self) -> None:
        for writer in self._writers.values():
            os.close(writer)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.close()


@pytest.fixture
def bell(machine: Machine) -> Iterator[TouchWakeup]:
    made = TouchWakeup(machine.devices, machine.tells)
    yield made
    made.close()


def rings(bell: TouchWakeup) -> bool:
    return bool(select.select([bell], [], [], 0)[0])


@pytest.mark.parametrize(
    ("axes", "keys", "wired"),
    [
        (PANEL, "0", True),
        ("0", MICE, True),
        ("3", OLD_PANEL, True),
        ("0", KEYBOARD, False),
        ("", "", False),
    ],
)
def test_panels_and_mice_ring_and_keyboards_do_not(
    machine: Machine, bell: TouchWakeup, axes: str, keys: str, *, wired: bool
) -> None:
    machine.plug("event0", axes=axes, keys=keys)
    bell.look(0)
    assert bell.is_wired() == wired
    machine.touch("event0")
    assert rings(bell) == wired


def test_it_is_silent_again_once_heard_however_long_it_rang(machine: Machine, bell: TouchWakeup) -> None:
    machine.plug("event0", axes=PANEL)
    bell.look(0)
    assert not rings(bell)
    machine.touch("event0", 2_000)
    assert rings(bell)
    bell.settle()
    assert not rings(bell)
    machine.touch("event0")
    assert rings(bell)


def test_a_panel_that_wakes_late_or_is_pulled_out_is_noticed(machine: Machine, bell: TouchWakeup) -> None:
    bell.look(0)
    assert not bell.is_wired()
    machine.plug("event3", axes=PANEL)
    bell.look(LOOK_MS - 1)
    assert not bell.is_wired()
    bell.look(LOOK_MS)
    assert bell.is_wired()
    machine.pull("event3")
    bell.settle()
    assert not bell.is_wired()
    assert not rings(bell)
    bell.look(2 * LOOK_MS)
    assert not bell.is_wired()


def test_the_loop_asks_by_time_only_while_nothing_can_ring(machine: Machine, bell: TouchWakeup) -> None:
    display = Display(Pointers(screen_geometry_for((800, 480))), lambda: None, polls=True, touch_wakeup=bell)
    display.settle(0)
    assert display.sleep_s(60_000, touched_ms=59_000) == pytest.approx(1 / 60)
    assert display.sleep_s(60_000, touched_ms=0) == pytest.approx(1 / 15)
    machine.plug("event0", axes=PANEL)
    display.settle(LOOK_MS)
    assert display.sleep_s(60_000, touched_ms=59_000) == LOOK_MS / 1000
    machine.touch("event0")
    assert rings(bell)
    display.settle(LOOK_MS)
    assert not rings(bell)


def test_a_display_without_glass_is_never_asked() -> None:
    display = Display(Pointers(screen_geometry_for((800, 480))), lambda: None, polls=False)
    assert display.sleep_s(0, 0) == math.inf


def test_a_device_that_may_not_be_read_or_no_devices_at_all_stop_nothing(tmp_path: Path) -> None:
    nowhere = TouchWakeup(tmp_path / "dev", tmp_path / "sys")
    nowhere.look(0)
    nowhere.settle()
    capabilities = tmp_path / "sys" / "event0" / "device" / "capabilities"
    capabilities.mkdir(parents=True)
    (capabilities / "abs").write_text(PANEL)
    nowhere.look(LOOK_MS)
    assert not nowhere.is_wired()
    nowhere.close()
