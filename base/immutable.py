"""A sequence and a cache for large immutable values.

Each state of a log contains all sheets so far. As plain tuples, 10,000 states of 2,000 sheets took 80 MB.
Values that contain hundreds of others are too slow to hash for ``lru_cache``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from itertools import chain
from typing import Final, TypeVar, TypeVarTuple, overload

Item = TypeVar("Item")

_PART: Final = 64


class GrowingTuple(Sequence[Item]):
    """An immutable sequence that shares memory with the one from which it was grown.

    Example::

        two = GrowingTuple(["a"]).added("b")
        assert tuple(two) == ("a", "b")
    """

    __slots__ = ("_end", "_parts")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        whole = tuple(items)
        full = len(whole) - len(whole) % _PART
        self._parts: tuple[tuple[Item, ...], ...] = tuple(
            whole[first : first + _PART] for first in range(0, full, _PART)
        )
        self._end: tuple[Item, ...] = whole[full:]

    def added(self, item: Item) -> "GrowingTuple[Item]":
        """Return a sequence with one more item."""
        grown: GrowingTuple[Item] = GrowingTuple.__new__(GrowingTuple)
        grown._parts, grown._end = self._parts, (*self._end, item)
        if len(grown._end) == _PART:
            grown._parts, grown._end = (*grown._parts, grown._end), ()
        return grown

    def changed(self, change: Callable[[Item], Item]) -> "GrowingTuple[Item]":
        return GrowingTuple(change(item) for item in self)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return tuple(self)[index]

    def __len__(self) -> int:
        return len(self._parts) * _PART + len(self._end)

    def __iter__(self) -> Iterator[Item]:
        return chain(chain.from_iterable(self._parts), self._end)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"GrowingTuple({list(self)!r})"


Values = TypeVarTuple("Values")
Result = TypeVar("Result")


def cache_by_identity(most: int) -> Callable[[Callable[[*Values], Result]], Callable[[*Values], Result]]:
    """Cache the results of a pure function by the identity of its arguments, up to a number of results.

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
