"""Water drops, corrected touches, preferences, and the files that a terminal keeps in any version."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData
from base.state_file import StateFile
from core.terms import GameId
from kiosk.preferences import Layout, PreferenceFile, Preferences, Theme, preferences_bytes, preferences_of
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.lock import LockFile
from kiosk.terminal.pin import FailedAttemptFile, FailedPinAttempts
from kiosk.terminal.round_clock import ClockFile, SavedClock, new_clock
from kiosk.touch import DROPS, BadTouches, Correction, Pointer, PointerPhase, WetGlass, correction_of
from tests.kiosk.rig.virtual_table import VirtualTable


def drip(table: VirtualTable, chance: random.Random, contacts: int) -> None:
    """Let water drops touch the screen for 3 to 24 ms, about eight times a second."""
    for _ in range(contacts):
        table.lay((chance.randrange(800), chance.randrange(480)))
        table.after(chance.randint(3, 24))
        table.lift()
        table.after(110)


@pytest.mark.by_day(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_wet_glass_locks_the_table_and_says_so(seven: VirtualTable, seed: int) -> None:
    chance = random.Random(seed)
    drip(seven, chance, 2 * DROPS)
    assert (seven.scene(), "Dry the glass" in seven.says()) == ("locked", True)
    game = seven.game
    drip(seven, chance, 40)
    assert (seven.scene(), seven.game) == ("locked", game)
    seven.touch("unlock")
    assert (seven.scene(), seven.view.is_wet) == ("play", False)


def test_many_quick_taps_in_one_place_are_no_drops_nor_are_slow_ones_all_over() -> None:
    for ms, spread in ((20, 0), (60, 100)):
        glass, at_ms = WetGlass(400, 400), 0
        for number in range(40):
            x = y = number * spread % 400
            down = glass.is_wet_after(Pointer(1, PointerPhase.DOWN, x, y, at_ms))
            assert not down
            assert not glass.is_wet_after(Pointer(1, PointerPhase.UP, x, y, at_ms + ms))
            at_ms += 100


def test_taps_that_arrive_at_one_moment_are_no_drops() -> None:
    """After a suspension, the events of whole taps have the same time."""
    glass = WetGlass(800, 480)
    places = [(x, y) for x in range(50, 800, 150) for y in (50, 250, 450)]
    for finger, (x, y) in enumerate(places):
        assert not glass.is_wet_after(Pointer(finger, PointerPhase.DOWN, x, y, 1000))
        assert not glass.is_wet_after(Pointer(finger, PointerPhase.UP, x, y, 1000))


CROSSES = ((0.1, 0.12), (0.9, 0.12), (0.9, 0.88), (0.1, 0.88), (0.5, 0.5))
near_one = st.floats(0.88, 1.14)
small = st.floats(-0.04, 0.04)


def undone(panel: Correction, place: tuple[float, float]) -> tuple[float, float]:
    """Return where a panel with this fault reports a touch at a place."""
    whole = panel.xx * panel.yy - panel.xy * panel.yx
    x, y = place[0] - panel.x0, place[1] - panel.y0
    return (panel.yy * x - panel.xy * y) / whole, (panel.xx * y - panel.yx * x) / whole


@given(st.builds(Correction, near_one, small, small, small, near_one, small))
def test_what_a_panel_does_to_touches_is_undone(fault: Correction) -> None:
    touched = [undone(fault, place) for place in CROSSES]
    correction = correction_of(touched, CROSSES)
    for touch, place in zip(touched, CROSSES, strict=True):
        assert correction.at(touch) == pytest.approx(place, abs=1e-6)


@given(st.lists(st.tuples(small, small), min_size=5, max_size=5))
def test_fingers_that_are_not_exact_give_a_sane_correction_or_none(errors: list[tuple[float, float]]) -> None:
    touched = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(CROSSES, errors, strict=True)]
    try:
        correction = correction_of(touched, CROSSES)
    except BadTouches:
        return
    assert correction.is_sane()
    assert (
        max(abs(correction.at(touch)[0] - place[0]) for touch, place in zip(touched, CROSSES, strict=True))
        < 0.021
    )


@pytest.mark.parametrize(
    "touched",
    [
        [(1 - x, y) for x, y in CROSSES],
        [(y, x) for x, y in CROSSES],
        [(x * 0.5, y * 0.5) for x, y in CROSSES],
        [(x + 0.2, y) for x, y in CROSSES],
        [(0.5, 0.5)] * 5,
        [(x, 0.5) for x, _ in CROSSES],
        [*CROSSES[:4], (0.7, 0.5)],
    ],
    ids=["mirrored", "turned", "half", "far off", "one place", "one line", "one missed"],
)
def test_what_would_make_the_screen_worse_is_refused(touched: list[tuple[float, float]]) -> None:
    with pytest.raises(BadTouches):
        correction_of(touched, CROSSES)


percents = st.integers(0, 100)
choices = st.builds(Preferences, brightness=percents, volume=percents)


@given(choices)
def test_preferences_are_read_as_they_were_written(preferences: Preferences) -> None:
    assert preferences_of(preferences_bytes(preferences), "here") == preferences


def test_keys_of_a_newer_version_are_left_out() -> None:
    assert preferences_of(b'{"language": "it", "perfume": "cedar"}', "here") == Preferences("it")


def test_a_file_from_before_high_contrast_is_still_read() -> None:
    before = b'{"language": "it", "theme": "dim", "layout": "keeper", "brightness": 40}'
    assert preferences_of(before, "here") == Preferences("it", Theme.DIM, Layout.KEEPER, brightness=40)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"volume": 101}', b'{"theme": "neon"}', b"\xff"])
def test_a_wrong_file_is_named(content: bytes) -> None:
    with pytest.raises(BadData, match=r"preferences\.json"):
        preferences_of(content, "preferences.json")


def test_a_step_and_an_order_of_a_newer_version_are_left_out_and_told() -> None:
    step = {"game": "g", "events": [{"type": "played-a-card-that-is-not-invented-yet"}], "orders_done": 0}
    order = {"type": "dance", "game": "g"}
    keeper = GameKeeper()
    assert keeper.resume((msgspec.msgpack.encode(step),), (msgspec.msgpack.encode(order),)) == ()
    assert (keeper.left_out, keeper.orders_done, keeper.game) == (1, 1, None)


class Kept(NamedTuple):
    """A value kept in a file. nothing: the value read without the file."""

    file_in: Callable[[Path], StateFile[Any]]
    name: str
    value: object
    nothing: object = None


CHOSEN = Preferences("it", Theme.CONTRAST, Layout.KEEPER, volume=0, muted=True)
LOCK = Kept(LockFile, "lock.json", GameId("g1"))
CLOCK = Kept(ClockFile, "clock.json", SavedClock(GameId("g1"), new_clock(3_600, 5, started=True), 7, "boot"))
PINS = Kept(FailedAttemptFile, "pin.json", FailedPinAttempts("x", 3), FailedPinAttempts())
PREFERENCES = Kept(PreferenceFile, "preferences.json", CHOSEN, Preferences())
FILES = (LOCK, CLOCK, PINS, PREFERENCES)
every_file = pytest.mark.parametrize("kept", FILES, ids=lambda kept: kept.name)


@every_file
def test_what_was_kept_last_is_read_after_a_restart(tmp_path: Path, kept: Kept) -> None:
    file = kept.file_in(tmp_path)
    assert file.read() == kept.nothing
    file.keep(kept.nothing)
    file.keep(kept.value)
    file.close()
    assert kept.file_in(tmp_path).read() == kept.value


@pytest.mark.parametrize(
    ("kept", "damage"),
    [
        *((kept, damage) for kept in FILES for damage in (b"", b"{ half", b"[]", b"\xff\xfe")),
        (LOCK, b'{"game": 3}'),
        (CLOCK, b'{"game": 3}'),
        pytest.param(CLOCK, b'{"left": {"in": "another form"}}', id="clock.json-of a newer version"),
        (PINS, b'{"wrong": -1}'),
    ],
)
def test_a_damaged_file_is_left_out_and_replaced(tmp_path: Path, kept: Kept, damage: bytes) -> None:
    (tmp_path / kept.name).write_bytes(damage)
    file = kept.file_in(tmp_path)
    assert file.read() == kept.nothing
    file.keep(kept.value)
    file.close()
    assert file.read() == kept.value


@every_file
def test_a_folder_that_is_gone_stops_nobody(tmp_path: Path, kept: Kept) -> None:
    file = kept.file_in(tmp_path / "gone")
    file.keep(kept.value)
    file.keep(None)
    file.close()
    assert file.read() == kept.nothing
