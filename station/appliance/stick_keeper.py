"""Copy to a stick when it is inserted, then at regular intervals, and once more when the station ends."""

import asyncio
import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from base.clock import Clock
from base.errors import SaloonError, Unavailable
from station.appliance.status import StickState, StickStatus
from station.appliance.stick import Stick, StickFull, StickPulled, StickReadOnly

_log = structlog.get_logger()
LOOKS_EVERY_S: Final = 2.0
_AGAIN_MS: Final = 30_000
"""The delay before retrying a failed copy."""


class StickBackups:
    """A task that writes copies to the station's stick. Used on one event loop.

    copy: returns a checked copy.
    mark: the station's mark.
    every_ms: the time between two copies.
    on_change: called after each change of ``look``.
    """

    def __init__(
        self,
        stick: Stick,
        copy: Callable[[], Awaitable[bytes]],
        mark: str,
        clock: Clock,
        *,
        every_ms: int,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.stick = stick
        self._copy = copy
        self._mark = mark
        self._clock = clock
        self._every_ms = every_ms
        self._on_change = on_change
        self._lock = asyncio.Lock()
        self._due_ms: int | None = None
        self._digest = b""
        self.look = StickStatus()

    async def run(self) -> None:
        """Write copies until cancelled."""
        while True:
            await self.turn()
            await asyncio.sleep(LOOKS_EVERY_S)

    async def turn(self) -> None:
        """Check for a stick and write a copy if one is due."""
        if not await asyncio.to_thread(self.stick.is_in):
            self._due_ms, self._digest = None, b""
            self._say(StickState.NONE)
        elif self.look.state is not StickState.LET_GO and self._is_due():
            await self.write()

    async def write(self) -> StickStatus:
        """Write a copy now, unless nothing has changed, and return the state of the stick. Never raises."""
        async with self._lock:
            self._due_ms = self._clock.monotonic_ms() + _AGAIN_MS
            self._say(StickState.WRITING)
            try:
                await self._write_copy()
            except StickPulled:
                self._say(StickState.NONE)
            except StickFull as error:
                self._on_failure(StickState.FULL, error)
            except StickReadOnly as error:
                self._on_failure(StickState.READ_ONLY, error)
            except SaloonError as error:
                self._on_failure(StickState.FAILED, error)
            else:
                self._due_ms = self._clock.monotonic_ms() + self._every_ms
        return self.look

    async def eject(self) -> StickStatus:
        """Write a last copy, then stop using the stick so that it can be unplugged."""
        look = await self.write()
        if look.state is StickState.GOOD:
            self._say(StickState.LET_GO)
        return self.look

    async def end(self) -> None:
        """Write the last copy before the station ends, if a stick is inserted."""
        if self.look.state is not StickState.LET_GO and await asyncio.to_thread(self.stick.is_in):
            await self.write()

    async def _write_copy(self) -> None:
        content = await self._copy()
        digest = hashlib.sha256(content).digest()
        now_ms = self._clock.wall_ms()
        if digest == self._digest and await asyncio.to_thread(self.stick.is_in):
            self._say(StickState.GOOD, now_ms)
            return
        time = dt.datetime.fromtimestamp(now_ms / 1000).astimezone().replace(tzinfo=None)
        writing = asyncio.ensure_future(asyncio.to_thread(self.stick.write, content, self._mark, time))
        try:
            await asyncio.shield(writing)
        finally:
            # Also after cancellation, as a copy in progress must not overlap the next one.
            await asyncio.wait((writing,))
            if writing.exception() is None:
                self._digest = digest
                self._say(StickState.GOOD, now_ms, writing.result().name)
                _log.info("copied to the stick", file=writing.result().name, bytes=len(content))

    def _is_due(self) -> bool:
        return self._due_ms is None or self._clock.monotonic_ms() >= self._due_ms

    def _on_failure(self, state: StickState, error: SaloonError) -> None:
        _log.warning("no copy on the stick", problem=str(error), is_soon_again=isinstance(error, Unavailable))
        self._say(state)

    def _say(self, state: StickState, good_ms: int | None = None, file: str = "") -> None:
        look = StickStatus(state, good_ms or self.look.good_ms, file or self.look.file)
        if look != self.look:
            self.look = look
            self._on_change()
