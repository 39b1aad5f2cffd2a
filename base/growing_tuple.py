"""An immutable sequence that shares structure with the one it grew from: appending is cheap.

Each state of a log contains all sheets so far; as plain tuples, 10,000 states of 2,000 sheets took 80 MB.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar, overload

Item = TypeVar("Item")

_PART: Final = 64


class GrowingTuple(Sequence[Item]):
    """A sequence of items, equal to any other sequence with the same items.

    Example::

        two = GrowingTuple(["a"]).added("b")
        assert tuple(two) == ("a", "b")
    """

    __slots__ = ("_end", "_parts")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        """Store the items in parts, all of them full except the last."""
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
        """Return a sequence with a function applied to each item."""
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
