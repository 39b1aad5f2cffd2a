"""A sequence that shares its parts with those it grew from."""

from hypothesis import given
from hypothesis import strategies as st

from base.growing_tuple import GrowingTuple


@given(st.lists(st.integers(), max_size=300), st.lists(st.integers(), max_size=150))
def test_it_is_what_a_tuple_would_be_and_earlier_ones_stay(first: list[int], more: list[int]) -> None:
    begun = GrowingTuple(first)
    grown = begun
    for item in more:
        grown = grown.added(item)
    assert tuple(begun) == tuple(first)
    assert tuple(grown) == (*first, *more)
    assert grown == (*first, *more)
    assert grown == GrowingTuple([*first, *more])
    assert hash(grown) == hash(GrowingTuple([*first, *more]))
    assert len(grown) == len(first) + len(more)
    assert grown[-3:] == (*first, *more)[-3:]
    assert grown.changed(lambda item: -item) == tuple(-item for item in (*first, *more))


def test_it_differs_from_other_items_and_from_what_is_no_sequence() -> None:
    assert GrowingTuple("ab") != ("a", "c")
    assert GrowingTuple("ab") != ("a",)
    assert GrowingTuple() == ()
    assert GrowingTuple("a") != {"a"}
    assert repr(GrowingTuple("ab")) == "GrowingTuple(['a', 'b'])"
    assert GrowingTuple("ab")[1] == "b"
