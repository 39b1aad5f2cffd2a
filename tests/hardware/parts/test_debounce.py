import itertools

from hypothesis import given
from hypothesis import strategies as st

from hardware.parts.contacts import QUIET_MS, SETTLED_MS, ButtonState, KeyState

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
