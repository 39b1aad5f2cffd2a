import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.differences import Difference, differences

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(JSON)
def test_a_value_does_not_differ_from_itself(value: object) -> None:
    assert differences(value, value) == ()


@given(JSON, JSON)
def test_values_that_do_not_differ_are_equal_or_the_found_one_says_more(one: object, other: object) -> None:
    if not differences(one, other) and not differences(other, one):
        assert one == other


@pytest.mark.parametrize(
    ("expected", "actual", "path"),
    [
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, "a[0].b"),
        ({"a": [1, 2]}, {"a": [1]}, "a"),
        ({"a": 1}, {}, "a"),
        ({"a": None}, {"a": 0}, "a"),
        ({"a": True}, {"a": 1}, "a"),
        ({"a": "[]"}, {"a": []}, "a"),
    ],
)
def test_a_difference_has_the_path_of_its_field(expected: object, actual: object, path: str) -> None:
    assert [difference.path for difference in differences(expected, actual)] == [path]


def test_a_tuple_is_a_list_to_a_reader_of_json() -> None:
    assert differences([1, [2]], (1, (2,))) == ()
    assert differences({"a": 1}, [1]) == (Difference("", '{"a":1}', "[1]"),)
