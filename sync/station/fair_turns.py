"""Sharing an event loop fairly between handshakes and all other work."""

import asyncio
from typing import Final

_BUDGET_S: Final = 0.005


class FairYield:
    """A scheduler that gives expensive steps a few milliseconds of each round of the loop.

    A handshake takes milliseconds of processor time. Hundreds of them at the same moment would delay the
    entries of all tables until the last one had ended.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._is_spent = False

    async def wait(self) -> None:
        """Wait until there is time for a step in this round."""
        loop = asyncio.get_running_loop()
        while self._is_spent:  # noqa: ASYNC110 (rounds of the loop are awaited)
            await asyncio.sleep(0)
        if not self._since:
            self._since = loop.time()
            loop.call_soon(self._renew)
        elif loop.time() - self._since >= _BUDGET_S:
            self._is_spent = True
            await self.wait()

    def _renew(self) -> None:
        self._since, self._is_spent = 0.0, False
