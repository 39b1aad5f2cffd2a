"""Terminals shown in the browser of a phone or tablet, while their program runs next to the station."""

import asyncio
import contextlib
import enum
import secrets
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.errors import Refused, SaloonError, Unavailable
from base.system import HAS_LOCAL_SOCKETS
from core.terms import TableNo
from station.devices.model import (
    BrowserProgram,
    BrowserTerminal,
    BrowserTerminalFolder,
    DeviceAnswer,
    DeviceScreen,
)
from station.enrolment.enrolments import check_table_number
from station.hall.station_context import StationContext
from station.store.data_folder import write_secret_file
from station.terminals import service as terminals
from sync.protocol.entry import TerminalId
from sync.tls.certificates import fingerprint_of_pem

_log = structlog.get_logger()
PROGRAM: Final = Path(sys.executable).with_name("saloon-terminal")
MOST: Final = 60
"""The most of these programs at a time; each takes about 40 MB."""
_START_S: Final = 20.0
_LOOK_S: Final = 1.0


class DeviceRefusal(enum.Enum):
    """The reasons why a device cannot be a terminal, as sentences for people."""

    WRONG_LINK = "This link is no longer valid. Ask the judge for a new code."
    TOO_MANY = "{most} devices are terminals already, the most this station can run."
    NOT_INSTALLED = (
        "Phones and tablets can be terminals only where saloon-terminal is installed too, on Linux."
    )


class DeviceLook(msgspec.Struct, frozen=True):
    """A terminal in a browser as shown to judges. ``watching`` is the number of pages that display it."""

    terminal: BrowserTerminal
    watching: int


class BrowserTerminals:
    """The terminals in browsers at this station.

    Each is enrolled for its table like any other terminal and has its own journal. The table's former
    terminal becomes a spare when the new one first connects. Used on one event loop.

    folder: the folder of their journals; None for the usual one in the station's data.
    program: the terminal's executable.
    """

    def __init__(self, context: StationContext, folder: Path | None = None, program: Path = PROGRAM) -> None:
        self._context = context
        self.folder = BrowserTerminalFolder(folder or (context.parts.folder or Path()) / "devices")
        self._saving = asyncio.Lock()
        self._program = program
        self._known: dict[str, BrowserTerminal] = {}
        self._running: dict[str, BrowserProgram] = {}
        self._sockets: Path | None = None
        self._hub = ""

    @contextlib.asynccontextmanager
    async def running(self, hub: str) -> AsyncIterator[None]:
        """Run the terminals held by devices within the block, including earlier ones."""
        self._hub = hub
        with tempfile.TemporaryDirectory(prefix="saloon-") as sockets:
            self._sockets = Path(sockets)
            for terminal in await asyncio.to_thread(self.folder.read):
                self._known[terminal.key] = terminal
                if HAS_LOCAL_SOCKETS and (terminal.is_held or terminal.is_over):
                    self._start(terminal)
            following = asyncio.create_task(self._follow_games())
            try:
                yield
            finally:
                following.cancel()
                ending = [program.stop() for program in self._running.values()]
                await asyncio.gather(following, *ending, return_exceptions=True)
                self._running.clear()

    def terminals(self) -> tuple[DeviceLook, ...]:
        """Return all terminals that have not ended, by table."""
        current = sorted((one for one in self._known.values() if not one.is_over), key=lambda one: one.table)
        return tuple(self._look(one) for one in current)

    def at_table(self, table: TableNo) -> DeviceLook | None:
        return next((look for look in self.terminals() if look.terminal.table == table), None)

    async def offer(self, table: TableNo, by: str) -> str:
        """Offer a table's terminal to a device, and return the secret of its link.

        A device that already holds it loses it. Raises Refused, BadData and Unavailable.
        """
        if not HAS_LOCAL_SOCKETS or not self._program.exists():
            raise Refused(DeviceRefusal.NOT_INSTALLED)
        check_table_number(table)
        known = self.at_table(table)
        if known is None and len(self._known) >= MOST:
            raise Refused(DeviceRefusal.TOO_MANY, most=MOST)
        now_ms = self._context.parts.clock.wall_ms()
        old = known.terminal if known else BrowserTerminal(secrets.token_hex(8), table, by, now_ms)
        offered, word = msgspec.structs.replace(old, by=by).with_link()
        await self._keep(offered)
        _log.info("terminal offered to a device", table=table, by=by)
        return word

    def offered(self, word: str) -> BrowserTerminal:
        """Return the terminal that a link's secret opens. Raises Refused."""
        for terminal in self._known.values():
            if terminal.is_link(word):
                return terminal
        raise Refused(DeviceRefusal.WRONG_LINK)

    async def take(self, word: str, screen: DeviceScreen) -> tuple[BrowserTerminal, str]:
        """Give a terminal to the device with a link's secret; return the secret for its browser to keep.

        Raises Refused if another device has used the link, and Unavailable, which leaves the link valid.
        """
        await self._provision(self.offered(word))
        # Checked again: of two simultaneous devices, only one still finds the link.
        taken, kept = self.offered(word).taken(screen)
        await self._keep(taken)
        if taken.key not in self._running:
            self._start(taken)
        _log.info("terminal taken by a device", table=taken.table, by=taken.by)
        return taken, kept

    def held(self, key: str, kept: str) -> BrowserTerminal:
        """Return the terminal that a browser holds, by the secret that it keeps. Raises Refused."""
        terminal = self._known.get(key)
        if terminal is None or not terminal.is_holder(kept):
            raise Refused(DeviceRefusal.WRONG_LINK)
        return terminal

    async def end(self, key: str, by: str) -> None:
        """End a terminal, leaving its table without one. Raises KeyError."""
        terminal = self._known[key]
        await self._finish(terminal)
        _log.info("a device's terminal was ended", table=terminal.table, by=by)

    async def ask(self, key: str, method: str, path: str, body: bytes = b"") -> DeviceAnswer:
        """Forward a request to a terminal's page. Raises Unavailable if it does not respond."""
        return await self._program_of(key).ask(method, path, body)

    async def frames(self, key: str) -> AsyncGenerator[bytes, None]:
        """Yield changes of a terminal's screen until it ends or the browser loses it."""
        program, holder, is_first = self._program_of(key), self._known[key].holder, True
        try:
            async with contextlib.aclosing(program.frames()) as frames:
                async for piece in frames:
                    terminal = self._known.get(key)
                    if terminal is None or terminal.is_over or terminal.holder != holder:
                        return
                    if is_first:
                        # Only now is it being watched.
                        self._publish(terminal.table)
                        is_first = False
                    yield piece
        finally:
            if key in self._known:
                self._publish(self._known[key].table)

    async def wait_until_ready(self, key: str) -> None:
        """Wait for a terminal to start; return even if it does not."""
        with contextlib.suppress(Unavailable):
            await self._program_of(key).wait_until_ready(_START_S)

    def _publish(self, table: TableNo) -> None:
        self._context.unwatched = frozenset(
            name
            for look in self.terminals()
            if look.terminal.is_held and not look.watching
            for name in self._name_of(look.terminal)
        )
        self._context.feed.publish("terminals")
        self._context.feed.publish("table", table)

    def _name_of(self, terminal: BrowserTerminal) -> tuple[TerminalId, ...]:
        """Return the id under which a terminal is enrolled; empty if it has no certificate yet."""
        certificate = self.folder.data_of(terminal) / "certificate.pem"
        if not certificate.exists():
            return ()
        return (TerminalId(fingerprint_of_pem(certificate.read_text(encoding="ascii"), "terminal")),)

    def _look(self, terminal: BrowserTerminal) -> DeviceLook:
        program = self._running.get(terminal.key)
        return DeviceLook(terminal, 0 if program is None else program.watching)

    def _program_of(self, key: str) -> BrowserProgram:
        program = self._running.get(key)
        if program is None:
            raise Unavailable("this terminal does not run")
        return program

    async def _provision(self, terminal: BrowserTerminal) -> None:
        file = self.folder.data_of(terminal).with_suffix(".toml")
        if not file.exists():
            made = await terminals.enrol(self._context, terminal.table, terminal.by, is_floor=True)
            await asyncio.to_thread(write_secret_file, file, made.encode())

    async def _keep(self, terminal: BrowserTerminal) -> None:
        """Replace the stored state of a terminal durably. Raises Unavailable."""
        former = self._known.get(terminal.key)
        self._known[terminal.key] = terminal
        try:
            async with self._saving:
                newest = self._known.get(terminal.key)
                if newest is not None:
                    await asyncio.to_thread(self.folder.save, newest)
        except OSError as error:
            if self._known.get(terminal.key) is terminal:
                self._known.pop(terminal.key)
                if former is not None:
                    self._known[terminal.key] = former
            raise Unavailable(f"the disk refuses it: {error.strerror or error}") from error
        self._publish(terminal.table)

    def _start(self, terminal: BrowserTerminal) -> None:
        assert self._sockets is not None, "terminals run only while the station does"
        program = BrowserProgram(
            terminal,
            self._program,
            self._sockets / terminal.key,
            self.folder.data_of(terminal),
            hub=self._hub,
            monotonic_ms=self._context.parts.clock.monotonic_ms,
        )
        self._running[terminal.key] = program
        program.start()

    async def _follow_games(self) -> None:
        while True:
            for key in tuple(self._known):
                try:
                    await self._follow_game(key)
                except (SaloonError, OSError, KeyError) as error:
                    _log.warning("a device's terminal will be checked again", key=key, problem=str(error))
            await asyncio.sleep(_LOOK_S)

    async def _follow_game(self, key: str) -> None:
        # Looked up now, as a device may have taken it meanwhile.
        terminal = self._known.get(key)
        if terminal is None:
            return
        if terminal.is_over:
            await self._remove_when_received(terminal)
            return
        tables = self._context.published.by_game()
        if terminal.game:
            played = tables.get(terminal.game)
            if played is None or not played.is_awaited:
                await self._finish(terminal)
                _log.info("a device's terminal ended with its game", table=terminal.table)
            return
        for game, table in tables.items():
            if table.drawn.table == terminal.table and table.is_awaited:
                await self._keep(msgspec.structs.replace(terminal, game=game))
                return

    async def _finish(self, terminal: BrowserTerminal) -> None:
        over = msgspec.structs.replace(terminal, link="", holder="", is_over=True)
        await self._keep(over)
        await self._remove_when_received(over)

    async def _remove_when_received(self, terminal: BrowserTerminal) -> None:
        for name in self._name_of(terminal):
            known = self._context.terminals_by_id.get(name)
            if known is not None and not known.revoked:
                # It keeps running while entries that it reported have not arrived.
                if self._context.links.card(known).owes != 0:
                    return
                await terminals.revoke(self._context, name, is_floor=True)
        program = self._running.pop(terminal.key, None)
        if program is not None:
            await program.stop()
        self._known.pop(terminal.key, None)
        await asyncio.to_thread(self.folder.remove, terminal)
        self._publish(terminal.table)
