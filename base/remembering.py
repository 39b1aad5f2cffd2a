"""Remember what a pure function returned for immutable values, by their identity.

Hashing a value that holds hundreds of others takes as long as the function itself, so ``lru_cache`` gains
nothing there.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

Values = TypeVarTuple("Values")
Result = TypeVar("Result")


def remembering(most: int) -> Callable[[Callable[[*Values], Result]], Callable[[*Values], Result]]:
    """Decorate a function of immutable values. most: results kept; then the oldest goes.

    Example::

        @remembering(1 << 16)
        def judged(sheet: Sheet, rules: Rules) -> Outcome: ...
    """

    def decorate(function: Callable[[*Values], Result]) -> Callable[[*Values], Result]:
        # The values are kept with the result, so that nobody else gets their identity.
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
