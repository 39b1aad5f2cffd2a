"""All pairs meet by day, and by day and night together each combination is tested once."""

from itertools import combinations, product
from types import SimpleNamespace

import pytest

from tests.conftest import left_out
from tests.pairwise import pairs_first, pairwise

AXES = ("abcdefgh", range(5), ("x", "y"), (4, 5, 7, 8, 10))


def test_each_two_values_meet_in_a_few_combinations() -> None:
    chosen = pairwise(*AXES)
    for one, other in combinations(range(len(AXES)), 2):
        assert {(c[one], c[other]) for c in chosen} == set(product(AXES[one], AXES[other]))
    assert len(chosen) <= 50


def test_what_is_not_allowed_is_not_chosen() -> None:
    chosen = pairwise("ab", range(3), where=lambda letter, number: letter == "a" or number == 2)
    assert sorted(chosen) == [("a", 0), ("a", 1), ("a", 2), ("b", 2)]


def test_what_the_day_leaves_out_is_tested_at_night() -> None:
    parameters = pairs_first(*AXES)
    every = [
        (first, *others) for parameter in parameters for first, rest in [parameter.values] for others in rest
    ]
    assert sorted(every) == sorted(product(*AXES))
    nights = [parameter for parameter in parameters if parameter.marks]
    assert all(parameter.marks == (pytest.mark.nightly,) for parameter in nights)
    assert len(nights) == len(AXES[0])


class Case(pytest.Item):
    """A case of a test, with its parameters."""

    callspec: SimpleNamespace

    def runtest(self) -> None:
        """See ``pytest.Item``."""


def test_the_cases_of_the_day_have_each_value(request: pytest.FixtureRequest) -> None:
    cases = []
    for letter, number in product("abc", (1, 2, 3)):
        case: Case = Case.from_parent(request.node.parent, name=f"test[{letter}-{number}]")
        case.callspec = SimpleNamespace(params={"letter": letter, "number": number})
        case.add_marker(pytest.mark.by_day(3))
        cases.append(case)
    nights = left_out(list(cases))
    kept = [case.callspec.params.values() for case in cases if case not in nights]
    assert [set(values) for values in zip(*kept, strict=True)] == [set("abc"), {1, 2, 3}]
    assert len(kept) == 3
