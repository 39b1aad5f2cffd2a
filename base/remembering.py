"""Remember what a pure function returned for immutable values, by their identity.

Hashing a value that holds hundreds of others takes as long as the function itself, so ``lru_cache`` gains
nothing there.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")
Result = TypeVar("Result")


def remembering(
    most: int,
) -> Callable[[Callable[[First, Second], Result]], Callable[[First, Second], Result]]:
    """Decorate a function of two values. most: results kept; then the oldest goes.

    Example::

        @remembering(1 << 16)
        def judged(sheet: Sheet, rules: Rules) -> Outcome: ...
    """

    def decorate(function: Callable[[First, Second], Result]) -> Callable[[First, Second], Result]:
        # The values are kept with the result, so that nobody else gets their identity.
        kept: dict[tuple[int, int], tuple[First, Second, Result]] = {}

        @wraps(function)
        def remembered(first: First, second: Second) -> Result:
            key = (id(first), id(second))
            known = kept.get(key)
            if known is not None:
                return known[2]
            result = function(first, second)
            kept[key] = (first, second, result)
            if len(kept) > most:
                kept.pop(next(iter(kept)), None)
            return result

        return remembered

    return decorate
