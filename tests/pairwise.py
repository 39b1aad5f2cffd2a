"""Choose few of all combinations of several values, so that each two values meet at least once."""

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any

import pytest

Combination = tuple[Any, ...]


def pairwise(*axes: Iterable[Any], where: Callable[..., bool] = lambda *_: True) -> list[Combination]:
    """Return combinations with each pair of values that any allowed combination has.

    where: which combinations are allowed. The choice is greedy, and the same in every run.
    """
    pairs = {one: set(combinations(enumerate(one), 2)) for one in product(*axes) if where(*one)}
    missing, chosen = set().union(*pairs.values()), []
    while missing:
        best = max(pairs, key=lambda one: len(missing & pairs[one]))
        missing -= pairs[best]
        chosen.append(best)
    return chosen


def pairs_first(
    first: Iterable[Any],
    *axes: Iterable[Any],
    where: Callable[..., bool] = lambda *_: True,
    by_day: Callable[..., bool] = lambda *_: True,
) -> list[Any]:
    """Return parameters for each value of the first axis: the value, and its combinations with the others.

    All pairs are tested by `make test`; the rest of the product is marked `nightly`.
    where: which combinations are allowed; by_day: of which of these all pairs are enough for `make test`.
    """
    first, *others_of = map(tuple, (first, *axes))
    chosen = pairwise(first, *others_of, where=lambda *one: where(*one) and by_day(*one))
    parameters = []
    for value in first:
        every = [others for others in product(*others_of) if where(value, *others)]
        pairs = [others for others in every if (value, *others) in chosen]
        rest = [others for others in every if (value, *others) not in chosen]
        if pairs:
            parameters.append(pytest.param(value, pairs, id=str(value)))
        if rest:
            parameters.append(pytest.param(value, rest, id=f"{value}-rest", marks=pytest.mark.nightly))
    return parameters
