"""The program of a terminal in a browser, run as a child process, and requests to its page."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Final

import httpx
import msgspec
import structlog

from base.errors import Unavailable
from station.devices.model import BrowserTerminal

_log = structlog.get_logger()
_END_S: Final = 10.0
_AGAIN_S: Final = 1.0
_LONGEST_AGAIN_S: Final = 30.0
_ANSWER_S: Final = 5.0
_SILENCE_S: Final = 20.0
_LOOK_S: Final = 0.1
_OF_A_SERVICE: Final = frozenset({"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
"""Environment variables with which systemd addresses only the station itself."""


class DeviceAnswer(msgspec.Struct, frozen=True):
    """A response of the terminal's page. ``kind`` is its media type without a charset."""

    status: int
    kind: str
    body: bytes


class BrowserProgram:
    """Runs a terminal's program from ``start`` to ``stop``, restarting it when it dies.

    program: the executable.
    socket: where its page responds.
    data: the folder of its journal; its provisioning file is next to it.
    hub: address of the station, ``host:port``.
    Used on one event loop.
    """

    def __init__(
        self,
        terminal: BrowserTerminal,
        program: Path,
        socket: Path,
        data: Path,
        *,
        hub: str,
        monotonic_ms: Callable[[], int],
    ) -> None:
        self._terminal = terminal
        self._program = program
        self._socket = socket
        self._data = data
        self._hub = hub
        self._monotonic_ms = monotonic_ms
        transport = httpx.AsyncHTTPTransport(uds=str(socket))
        self._client = httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=_ANSWER_S)
        self._over = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self.watching = 0
        """The number of open pages that show it."""

    def start(self) -> None:
        """Start the program and keep it running."""
        self._running = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """Stop the program, and wait until it has saved everything."""
        self._over.set()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)
        await self._client.aclose()

    @property
    def is_ready(self) -> bool:
        """Return whether the terminal's page responds."""
        return self._socket.exists()

    async def wait_until_ready(self, within_s: float) -> None:
        """Wait for the program to start, for at most ``within_s`` seconds."""
        for _ in range(round(within_s / _LOOK_S)):
            if self.is_ready or self._over.is_set():
                return
            await asyncio.sleep(_LOOK_S)

    async def ask(self, method: str, path: str, body: bytes) -> DeviceAnswer:
        """Forward a request to the page. Raises Unavailable if it does not respond."""
        headers = {"Content-Type": "application/json"} if body else {}
        try:
            answer = await self._client.request(method, path, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise Unavailable(f"the terminal does not answer: {error}") from error
        kind = answer.headers.get("content-type", "").partition(";")[0]
        return DeviceAnswer(answer.status_code, kind, answer.content)

    async def frames(self) -> AsyncGenerator[bytes, None]:
        """Yield changes of the screen until the program ends."""
        self.watching += 1
        try:
            async with self._client.stream("GET", "/stream", timeout=_SILENCE_S) as answer:
                async for piece in answer.aiter_raw():
                    yield piece
        except httpx.HTTPError as error:
            _log.info("a terminal's page has gone", table=self._terminal.table, problem=str(error))
        finally:
            self.watching -= 1

    async def _keep_running(self) -> None:
        again_s = _AGAIN_S
        while not self._over.is_set():
            began = self._monotonic_ms()
            try:
                await self._run_once()
            except OSError as error:
                _log.error("a device's terminal cannot start", table=self._terminal.table, problem=str(error))
            lived_ms = self._monotonic_ms() - began
            again_s = _AGAIN_S if lived_ms > _LONGEST_AGAIN_S * 1000 else min(again_s * 2, _LONGEST_AGAIN_S)
            if not self._over.is_set():
                _log.warning("a device's terminal has died", table=self._terminal.table, again_s=again_s)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), again_s)

    async def _run_once(self) -> None:
        """Run the program until it ends or has to stop."""
        with (self._data.parent / "log").open("wb") as log:
            program = await asyncio.create_subprocess_exec(
                *self._command(), stdin=asyncio.subprocess.PIPE, stdout=log, stderr=log, env=_environment()
            )
        ended = asyncio.ensure_future(program.wait())
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait((ended, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()
            if program.returncode is None:
                program.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(ended), _END_S)
            if program.returncode is None:
                program.kill()
            await ended
            self._socket.unlink(missing_ok=True)

    def _command(self) -> tuple[str, ...]:
        width, height = self._terminal.screen.picture()
        provisioning = self._data.with_suffix(".toml")
        return (
            str(self._program), "--data", str(self._data), "--provisioning", str(provisioning),
            "--virtual-socket", str(self._socket), "--size", f"{width}x{height}",
            "--inches", str(self._terminal.screen.inches()), "--panel", "none", "--station", self._hub,
        )  # fmt: skip


def _environment() -> Mapping[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OF_A_SERVICE}
