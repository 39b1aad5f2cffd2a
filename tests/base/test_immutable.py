"""A sequence shares its parts with those it grew from, and results are remembered for the same values."""

import gc

from hypothesis import given
from hypothesis import strategies as st

from base.immutable import GrowingTuple, cache_by_identity


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


def test_the_same_values_are_judged_once_and_equal_ones_or_other_rules_anew() -> None:
    judged: list[list[int]] = []

    @cache_by_identity(10)
    def total(sheet: list[int], rules: str) -> int:
        judged.append(sheet)
        return sum(sheet) + len(rules)

    sheet, rules = [1, 2], "abc"
    assert [total(sheet, rules), total(sheet, rules)] == [6, 6]
    assert judged == [sheet]
    assert [total([1, 2], rules), total(sheet, "abcd")] == [6, 7]
    assert len(judged) == 3


def test_a_function_of_one_value_is_remembered_as_well() -> None:
    judged: list[tuple[int, ...]] = []

    @cache_by_identity(2)
    def total(sheet: tuple[int, ...]) -> int:
        judged.append(sheet)
        return sum(sheet)

    sheet = (1, 2)
    assert [total(sheet), total(sheet)] == [3, 3]
    assert judged == [sheet]


def test_a_value_that_is_gone_lends_its_identity_to_nobody() -> None:
    @cache_by_identity(1_000)
    def first(sheet: list[int], _rules: str) -> int:
        return sheet[0]

    for number in range(500):
        assert first([number], "") == number
        gc.collect(0)


def test_the_oldest_results_go() -> None:
    judged: list[int] = []

    @cache_by_identity(2)
    def first(sheet: list[int], _rules: str) -> int:
        judged.append(sheet[0])
        return sheet[0]

    sheets = [[1], [2], [3]]
    for sheet in (*sheets, sheets[2], sheets[0]):
        first(sheet, "")
    assert judged == [1, 2, 3, 1]
