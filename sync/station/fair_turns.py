"""Share an event loop fairly between strangers' handshakes and everybody else's work."""

import asyncio
from typing import Final

_BUDGET_S: Final = 0.005


class FairYield:
    """Give costly steps a few milliseconds of each round of the loop, and all other work the rest.

    A handshake takes a processor for milliseconds. Hundreds that begin in the same moment would hold up the
    entries of all tables until the last of them had ended.
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
        """Begin another round."""
        self._since, self._is_spent = 0.0, False
