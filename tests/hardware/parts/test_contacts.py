"""Levels of pins become presses: chatter is ignored, and a loose wire is muted."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.parts.contacts import (
    LONG_REST_MS,
    MOST_SHORT,
    NOT_LONG_AGO_MS,
    PACES,
    QUIET_MS,
    REST_MS,
    ROW_MS,
    SETTLED_MS,
    SHORT_MS,
    ButtonState,
    Chatter,
    KeyState,
)

EDGES = st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=40)


def test_a_press_counts_at_its_first_edge() -> None:
    assert ButtonState().after(level=True, now_ms=7) == ButtonState(True, 7, 7 + QUIET_MS)


def test_chatter_after_an_edge_is_ignored_and_then_the_level_counts() -> None:
    button = ButtonState().after(level=True, now_ms=0)
    for now_ms in range(1, QUIET_MS):
        assert button.after(level=now_ms % 2 == 0, now_ms=now_ms) is button
    assert not button.after(level=False, now_ms=QUIET_MS).closed


def test_a_hold_is_due_once_and_its_time_is_known() -> None:
    button = ButtonState().after(level=True, now_ms=100)
    assert button.deadline_ms(110, 800) == 130
    assert button.deadline_ms(130, 800) == 900
    assert not button.is_due_to_be_held(899, 800)
    assert button.is_due_to_be_held(900, 800)
    state = ButtonState(True, 100, 130, held=True)
    assert not state.is_due_to_be_held(9_000, 800)
    assert state.deadline_ms(9_000, 800) is None
    assert ButtonState().deadline_ms(0, 800) is None


@given(EDGES)
def test_no_two_changes_of_a_button_are_nearer_than_the_quiet_time(edges: list[tuple[int, bool]]) -> None:
    button, now_ms, changes = ButtonState(), 1_000, []
    for wait_ms, level in edges:
        now_ms += wait_ms
        after = button.after(level=level, now_ms=now_ms)
        if after.closed != button.closed:
            changes.append(now_ms)
        button = after
    assert all(late - early >= QUIET_MS for early, late in itertools.pairwise(changes))


def test_a_key_counts_when_it_stood_still() -> None:
    key = KeyState().after(level=True, now_ms=1_000)
    assert not key.on
    assert key.deadline_ms() == 1_000 + SETTLED_MS
    key = key.after(level=True, now_ms=1_000 + SETTLED_MS - 1)
    assert not key.on
    key = key.after(level=True, now_ms=1_000 + SETTLED_MS)
    assert key.on
    assert key.deadline_ms() is None


@given(EDGES)
def test_a_chattering_key_never_turns(edges: list[tuple[int, bool]]) -> None:
    key, now_ms = KeyState(), 1_000
    for wait_ms, _ in edges:
        now_ms += wait_ms % SETTLED_MS
        key = key.after(level=True, now_ms=now_ms)
        key = key.after(level=False, now_ms=now_ms + 1)
        now_ms += 1
        assert not key.on


START_MS = 5_000


def pressed(chatter: Chatter, at_ms: int, closed_ms: int) -> Chatter:
    return chatter.after_edge(closed=True, at_ms=at_ms).after_edge(closed=False, at_ms=at_ms + closed_ms)


def counted(every_ms: int, closed_ms: int, *, for_ms: int) -> int:
    """Return how many presses of a steady rhythm count."""
    chatter, number = Chatter(), 0
    for at_ms in range(START_MS, START_MS + for_ms, every_ms):
        chatter = chatter.at(at_ms, closed=False).after_edge(closed=True, at_ms=at_ms)
        number += not chatter.is_silent
        chatter = chatter.after_edge(closed=False, at_ms=at_ms + closed_ms)
    return number


@pytest.mark.parametrize(
    ("every_ms", "closed_ms", "most"),
    [(65, 32, 2), (90, 45, 5), (150, 100, 5), (333, 200, 5), (600, 300, 9), (1_000, 500, 9)],
)
def test_a_wire_that_chatters_for_a_quarter_of_an_hour_counts_a_few_presses(
    every_ms: int, closed_ms: int, most: int
) -> None:
    assert counted(every_ms, closed_ms, for_ms=900_000) == most


@given(st.lists(st.tuples(st.integers(SHORT_MS, 1_000), st.integers(1_112, 5_000)), max_size=40))
def test_a_hand_that_presses_once_in_a_second_is_never_silenced(presses: list[tuple[int, int]]) -> None:
    chatter, now_ms = Chatter(), START_MS
    for closed_ms, every_ms in presses:
        chatter = pressed(chatter, now_ms, closed_ms)
        assert not chatter.is_silent
        now_ms += every_ms


def test_a_child_that_hammers_for_a_second_has_the_button_back_when_it_rests() -> None:
    chatter = Chatter()
    for at_ms in range(START_MS, START_MS + 1_000, 125):
        chatter = pressed(chatter, at_ms, 60)
    assert chatter.is_silent
    last_ms = START_MS + 875 + 60
    assert chatter.deadline_ms(closed=False) == last_ms + REST_MS
    assert chatter.at(last_ms + REST_MS - 1, closed=False).is_silent
    rested = chatter.at(last_ms + REST_MS, closed=False)
    assert not rested.after_edge(closed=True, at_ms=last_ms + REST_MS + 1).is_silent
    assert rested.deadline_ms(closed=False) is None


def test_nine_presses_pass_the_turn_round_a_table_of_ten() -> None:
    chatter = Chatter()
    for turn in range(9):
        chatter = pressed(chatter, START_MS + turn * 500, 100)
    assert not chatter.is_silent


def test_one_touch_that_was_too_short_may_be_a_finger_that_slipped() -> None:
    chatter = pressed(Chatter(), START_MS, SHORT_MS - 1)
    assert not chatter.is_silent
    chatter = pressed(chatter, START_MS + 500, SHORT_MS)
    chatter = pressed(chatter, START_MS + 1_000, SHORT_MS - 1)
    assert not chatter.is_silent
    assert not pressed(chatter, START_MS + 1_100 + ROW_MS, SHORT_MS - 1).is_silent
    assert pressed(chatter, START_MS + 1_500, SHORT_MS - 1).is_silent


def test_who_is_silenced_again_soon_must_be_still_for_longer() -> None:
    def hammered(chatter: Chatter, now_ms: int) -> tuple[Chatter, int]:
        for short in range(MOST_SHORT):
            chatter = pressed(chatter, now_ms + short * 100, 35)
        return chatter, now_ms + (MOST_SHORT - 1) * 100 + 35

    first, last_ms = hammered(Chatter(), START_MS)
    mended = first.at(last_ms + REST_MS, closed=False)
    soon, soon_ms = hammered(mended, last_ms + REST_MS + 1_000)
    assert soon.deadline_ms(closed=False) == soon_ms + LONG_REST_MS
    late, late_ms = hammered(mended, last_ms + REST_MS + NOT_LONG_AGO_MS + 1)
    assert late.deadline_ms(closed=False) == late_ms + REST_MS


def test_a_silenced_button_that_stays_closed_says_nothing() -> None:
    chatter = pressed(pressed(Chatter(), START_MS, 35), START_MS + 100, 35)
    chatter = chatter.after_edge(closed=True, at_ms=START_MS + 200)
    assert chatter.deadline_ms(closed=True) is None
    assert chatter.at(START_MS + LONG_REST_MS, closed=True).is_silent


@given(st.lists(st.tuples(st.integers(30, REST_MS - 1), st.integers(30, 400)), max_size=60))
def test_whatever_has_no_rest_counts_no_more_than_the_paces_let_through(moves: list[tuple[int, int]]) -> None:
    chatter, now_ms, times = Chatter(), START_MS, list[int]()
    for open_ms, closed_ms in moves:
        now_ms += open_ms
        chatter = chatter.at(now_ms, closed=False).after_edge(closed=True, at_ms=now_ms)
        if not chatter.is_silent:
            times.append(now_ms)
        now_ms += closed_ms
        chatter = chatter.after_edge(closed=False, at_ms=now_ms)
    for most, within_ms in PACES:
        for first_ms in times:
            assert sum(first_ms <= at_ms <= first_ms + within_ms for at_ms in times) <= most
