"""Costly work that anybody can ask for, limited to a few pieces at a time."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from litestar.exceptions import TooManyRequestsException

_P = ParamSpec("_P")
_T = TypeVar("_T")


class LimitedWork:
    """Run few blocking calls at once, let a few more wait, and refuse the others.

    A password check takes 64 MiB for a moment on purpose: twenty at once would use up a small computer.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._room = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._inside = 0

    async def run(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a blocking call on a thread. Raises TooManyRequestsException when the queue is full."""
        if self._inside >= self._most:
            raise TooManyRequestsException
        self._inside += 1
        try:
            async with self._room:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._inside -= 1
