"""A cache for pure functions of immutable values, keyed by identity.

Hashing a value that contains hundreds of others takes as long as the function itself, so ``lru_cache``
doesn't help there.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

Values = TypeVarTuple("Values")
Result = TypeVar("Result")


def cache_by_identity(most: int) -> Callable[[Callable[[*Values], Result]], Callable[[*Values], Result]]:
    """Decorate a pure function of immutable values.

    ``most`` results are kept, then the oldest one is dropped.

    Example::

        @cache_by_identity(1 << 16)
        def judged(sheet: Sheet, rules: Rules) -> Outcome: ...
    """

    def decorate(function: Callable[[*Values], Result]) -> Callable[[*Values], Result]:
        # Keep the values with the result, so that their ids aren't reused.
        kept: dict[tuple[int, ...], tuple[tuple[*Values], Result]] = {}

        @wraps(function)
        def remembered(*values: *Values) -> Result:
            key = tuple(map(id, values))
            known = kept.get(key)
            if known is not None:
                return known[1]
            result = function(*values)
            kept[key] = (values, result)
            if len(kept) > most:
                kept.pop(next(iter(kept)), None)
            return result

        return remembered

    return decorate
