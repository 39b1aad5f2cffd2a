"""A terminal shown in a browser: the device that may hold it, and the program that runs it."""

import asyncio
import contextlib
import hashlib
import hmac
import math
import os
import secrets
import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

import httpx
import msgspec
import structlog

from base.errors import Unavailable
from base.whole_file import write_whole
from core.terms import GameId, TableNo

_log = structlog.get_logger()
_FILE: Final = "browser.json"
DATA: Final = "terminal"
"""The name of the folder for the terminal's own data, within its folder."""
_SMALLEST: Final = 320
_LONGEST_SIDE: Final = 1024
"""The longest side of the picture: enough for a tablet at arm's length, and small enough for slow Wi-Fi."""
_PIXELS_PER_INCH: Final = 150
"""The approximate number of CSS pixels per inch on phones and tablets."""
_PANELS_IN: Final = (4.5, 13.0)
_END_S: Final = 10.0
_AGAIN_S: Final = 1.0
_LONGEST_AGAIN_S: Final = 30.0
_ANSWER_S: Final = 5.0
_SILENCE_S: Final = 20.0
_LOOK_S: Final = 0.1
_OF_A_SERVICE: Final = frozenset({"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
"""Environment variables with which systemd addresses only the station itself."""


class DeviceScreen(msgspec.Struct, frozen=True):
    """A device's screen as its browser reports it: the page's size, and the device pixel ratio."""

    width: int = 800
    height: int = 480
    ratio: float = 1.0

    def picture(self) -> tuple[int, int]:
        """Return the size of the terminal's picture on this screen, in pixels."""
        width, height = max(_SMALLEST, self.width), max(_SMALLEST, self.height)
        scale = min(max(1.0, self.ratio), _LONGEST_SIDE / max(width, height))
        return max(_SMALLEST, round(width * scale)), max(_SMALLEST, round(height * scale))

    def inches(self) -> float:
        """Return the approximate diagonal of the screen in inches."""
        diagonal = math.hypot(max(_SMALLEST, self.width), max(_SMALLEST, self.height))
        least, most = _PANELS_IN
        return round(min(most, max(least, diagonal / _PIXELS_PER_INCH)), 1)


class BrowserTerminal(msgspec.Struct, frozen=True):
    """A terminal in a browser.

    key: names its folder.
    link: hash of the link's secret, empty once a device has used it.
    holder: hash of the secret in the device's browser, empty if no device holds the terminal.
    game: the game it was made for, empty until its table has one. The terminal ends with this game.
    is_over: no browser may hold it any more. It is removed once the station has all of its entries.
    """

    key: str
    table: TableNo
    by: str
    made_ms: int
    link: str = ""
    holder: str = ""
    screen: DeviceScreen = DeviceScreen()
    game: GameId = GameId("")
    is_over: bool = False

    @property
    def is_held(self) -> bool:
        return bool(self.holder)

    def is_link(self, word: str) -> bool:
        return not self.is_over and bool(self.link) and hmac.compare_digest(self.link, _hash(word))

    def is_holder(self, word: str) -> bool:
        return not self.is_over and bool(self.holder) and hmac.compare_digest(self.holder, _hash(word))

    def with_link(self) -> tuple["BrowserTerminal", str]:
        """Return the terminal with a new link, and the link's secret. A device that held it loses it."""
        word = secrets.token_urlsafe(16)
        return msgspec.structs.replace(self, link=_hash(word), holder=""), word

    def taken(self, screen: DeviceScreen) -> tuple["BrowserTerminal", str]:
        """Return the terminal as held by a browser, and the secret for the browser to keep.

        Its first screen stays, as a terminal's picture cannot change its size.
        """
        word = secrets.token_urlsafe(24)
        kept = screen if self.screen == DeviceScreen() else self.screen
        return msgspec.structs.replace(self, link="", holder=_hash(word), screen=kept), word


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


class BrowserTerminalFolder:
    """The browser terminals of one station, with a folder for each. Calls block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> tuple[BrowserTerminal, ...]:
        """Return all terminals, oldest first. A damaged file is skipped and logged."""
        terminals = []
        for file in self._folder.glob(f"*/{_FILE}"):
            try:
                terminals.append(msgspec.json.decode(file.read_bytes(), type=BrowserTerminal))
            except (OSError, msgspec.DecodeError) as error:
                _log.error("a browser terminal cannot be read", file=str(file), problem=str(error))
        return tuple(sorted(terminals, key=lambda terminal: terminal.made_ms))

    def save(self, terminal: BrowserTerminal) -> None:
        """Save a terminal durably."""
        folder = self._folder / terminal.key
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / _FILE, msgspec.json.encode(terminal))

    def remove(self, terminal: BrowserTerminal) -> None:
        """Remove a terminal with its journal, which the station has received."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self._folder / terminal.key)

    def data_of(self, terminal: BrowserTerminal) -> Path:
        return self._folder / terminal.key / DATA


class DeviceAnswer(msgspec.Struct, frozen=True):
    """A response of the terminal's page. ``kind`` is its media type without a charset."""

    status: int
    kind: str
    body: bytes


class BrowserProgram:
    """Runs a terminal's program from ``start`` to ``stop``, restarting it when it dies.

    socket: the Unix socket at which its page responds.
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
        self._running = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """Stop the program, and wait until it has saved everything."""
        self._over.set()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)
        await self._client.aclose()

    async def wait_until_ready(self, within_s: float) -> None:
        """Wait for the program to start, for at most ``within_s`` seconds."""
        for _ in range(round(within_s / _LOOK_S)):
            if self._socket.exists() or self._over.is_set():
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
            _log.info("connection to a terminal's page lost", table=self._terminal.table, problem=str(error))
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
        environment = {name: value for name, value in os.environ.items() if name not in _OF_A_SERVICE}
        with (self._data.parent / "log").open("wb") as log:
            program = await asyncio.create_subprocess_exec(
                *self._command(), stdin=asyncio.subprocess.PIPE, stdout=log, stderr=log, env=environment
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
