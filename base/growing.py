"""An immutable sequence that shares its parts with those it grew from: adding costs little memory and time.

A log's states each hold all sheets so far; as bare tuples, 10,000 states of 2,000 sheets were 80 MB.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar, overload

Item = TypeVar("Item")

_PART: Final = 64


class Growing(Sequence[Item]):
    """A sequence of items, equal to any other sequence of the same ones.

    Example::

        two = Growing(["a"]).added("b")
        assert tuple(two) == ("a", "b")
    """

    __slots__ = ("_end", "_parts")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        """Hold these items. All parts are full, but the end."""
        whole = tuple(items)
        full = len(whole) - len(whole) % _PART
        self._parts: tuple[tuple[Item, ...], ...] = tuple(
            whole[first : first + _PART] for first in range(0, full, _PART)
        )
        self._end: tuple[Item, ...] = whole[full:]

    def added(self, item: Item) -> "Growing[Item]":
        """Return the sequence with one more item."""
        grown: Growing[Item] = Growing.__new__(Growing)
        grown._parts, grown._end = self._parts, (*self._end, item)
        if len(grown._end) == _PART:
            grown._parts, grown._end = (*grown._parts, grown._end), ()
        return grown

    def changed(self, change: Callable[[Item], Item]) -> "Growing[Item]":
        """Return the sequence with each item changed."""
        return Growing(change(item) for item in self)

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
        return f"Growing({list(self)!r})"
