"""Simulated network cables: TCP relays that can be cut or disturbed."""

import asyncio
import contextlib
import random
import threading
from collections.abc import Coroutine
from typing import Final

_CHUNK: Final = 4096
_PATIENCE_S: Final = 10.0
_NOISE_S: Final = (0.05, 1.5)
_NOISE_BREAKS: Final = 0.03
"""The probability, per chunk of data, that a noisy line drops its connection."""


class _RehearsalCable:
    """A network cable, used on the event loop of Cables. ``port`` is where its terminal connects."""

    def __init__(self, station: int, chance: random.Random) -> None:
        self._station = station
        self._chance = chance
        self._whole = asyncio.Event()
        self._whole.set()
        self._noisy = False
        self._server: asyncio.Server | None = None
        self._ways: set[asyncio.Task[None]] = set()
        self.port = 0

    async def lay(self) -> None:
        self._server = await asyncio.start_server(self._on_connection, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Stop passing data without closing connections, and refuse new connections."""
        self._whole.clear()
        if self._server is not None:
            self._server.close()
            self._server = None

    async def mend(self) -> None:
        """Pass data again, including any that was delayed."""
        self._noisy = False
        self._whole.set()
        if self._server is None:
            await self.lay()

    async def disturb(self) -> None:
        self._noisy = True

    async def remove(self) -> None:
        await self.cut()
        for way in tuple(self._ways):
            way.cancel()
        await asyncio.gather(*self._ways, return_exceptions=True)

    async def _on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # a server's callback always runs in a task
        self._ways.add(task)
        task.add_done_callback(self._ways.discard)
        with contextlib.closing(writer), contextlib.suppress(OSError, asyncio.CancelledError):
            to_station = await asyncio.open_connection("127.0.0.1", self._station)
            with contextlib.closing(to_station[1]):
                ways = [
                    asyncio.create_task(self._carry(reader, to_station[1])),
                    asyncio.create_task(self._carry(to_station[0], writer)),
                ]
                try:
                    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for way in ways:
                        way.cancel()
                    await asyncio.gather(*ways, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_CHUNK):
            if self._noisy:
                await asyncio.sleep(self._chance.uniform(*_NOISE_S))
                if self._chance.random() < _NOISE_BREAKS:
                    return
            await self._whole.wait()
            writer.write(data)
            await writer.drain()


class Cables:
    """The simulated network cables of a hall, run by one thread. ``station`` is the station's port."""

    def __init__(self, station: int, seed: int) -> None:
        self._station = station
        self._seed = seed
        self._cables: dict[int, _RehearsalCable] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cables")
        self._thread.start()

    def lay(self, unit: int) -> int:
        """Lay a terminal's cable, and return the port at which the terminal reaches the station."""
        cable = _RehearsalCable(self._station, random.Random(f"cable {self._seed} {unit}"))  # noqa: S311 (no secret)
        self._wait(cable.lay())
        self._cables[unit] = cable
        return cable.port

    def cut(self, unit: int) -> None:
        self._wait(self._cables[unit].cut())

    def mend(self, unit: int) -> None:
        self._wait(self._cables[unit].mend())

    def disturb(self, unit: int) -> None:
        self._wait(self._cables[unit].disturb())

    def close(self) -> None:
        """Remove all cables."""
        for cable in self._cables.values():
            self._wait(cable.remove())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE_S)
