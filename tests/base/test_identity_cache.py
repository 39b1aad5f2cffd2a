"""Results of pure functions are remembered for the same values, not for equal ones."""

import gc

from base.identity_cache import cache_by_identity


def test_the_same_values_are_judged_once_and_equal_ones_anew() -> None:
    judged: list[list[int]] = []

    @cache_by_identity(10)
    def total(sheet: list[int], rules: str) -> int:
        judged.append(sheet)
        return sum(sheet) + len(rules)

    sheet, rules = [1, 2], "abc"
    assert [total(sheet, rules), total(sheet, rules)] == [6, 6]
    assert judged == [sheet]
    assert total([1, 2], rules) == 6
    assert len(judged) == 2


def test_other_rules_are_another_question() -> None:
    @cache_by_identity(10)
    def total(sheet: tuple[int, ...], rules: str) -> int:
        return sum(sheet) + len(rules)

    sheet = (1, 2)
    assert [total(sheet, "abc"), total(sheet, "abcd")] == [6, 7]


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


def test_a_function_of_one_value_is_remembered_as_well() -> None:
    judged: list[tuple[int, ...]] = []

    @cache_by_identity(2)
    def total(sheet: tuple[int, ...]) -> int:
        judged.append(sheet)
        return sum(sheet)

    sheet = (1, 2)
    assert [total(sheet), total(sheet)] == [3, 3]
    assert judged == [sheet]
