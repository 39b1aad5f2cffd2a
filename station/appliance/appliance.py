"""The computer that a station runs on: its stick, clock, power, and the status file for its screen.

The station runs as an unprivileged user and requests privileged operations by creating files, which contain
at most a number.
"""

import asyncio
import contextlib
import datetime as dt
import enum
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.clock import Clock
from base.errors import BadData, Refused, SaloonError, Unavailable
from base.whole_file import disk_errors_as_unavailable, write_in_memory
from core.terms import Seconds, TableNo
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import time_left
from station.accounts.invitations import FirstJudge
from station.appliance.status import (
    TOUCHED_EVERY_S,
    HallSettings,
    RoundStatus,
    StationStatus,
    StationStatusWriter,
    StickState,
    StickStatus,
)
from station.appliance.stick import Copy, Stick, StickBackups
from station.backups.backup import ask_restore
from station.hall.station_service import StationService
from station.projections.cards import FloorCard, SheetState, TerminalLink
from station.store.data_folder import DataFolder

_log = structlog.get_logger()
_MINUTE_MS: Final = 60_000
_RADIOS: Final = Path("/sys/class/ieee80211")
_ROOM_STEP: Final = 26
"""The exponent of the step in which free space is reported: 64 MB."""
_GRACE_S: Final = 1.0
"""The delay before the station exits, so that the response to the request is still sent."""
_LATEST_MS: Final = 4_102_444_800_000  # the year 2100
_SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
_RTC: Final = Path("/sys/class/rtc/rtc0")
WAS_SET: Final = Path("/run/saloon-clock-was-set")
"""The file that the system creates when it has set the clock at the station's request."""
_ALL_TABLES: Final = TableNo(0)
"""The key of extra time for all tables; that for a single table is ignored."""
_OUT: Final = frozenset({TerminalLink.AWAY, TerminalLink.NONE})


def build_time_ms() -> int:
    """Return the build time of this program, in ms since 1970, as a lower bound for the clock."""
    return Path(__file__).stat().st_mtime_ns // 1_000_000


def is_clock_sure(
    wall_ms: int, earliest_ms: int, signs: Sequence[Path] = (_SYNCHRONIZED, WAS_SET, _RTC)
) -> bool:
    """Return whether a time server, a judge or a battery-backed clock has set the clock since startup.

    If so, at least one of the files in ``signs`` exists. A time before the build is never trusted.
    """
    return wall_ms >= earliest_ms and any(path.exists() for path in signs)


class SystemRequest(enum.Enum):
    """Requests to the system; the value is the name of the file."""

    POWER_OFF = "power-off"
    RESTART = "restart"
    CLOCK = "clock"
    """Set the clock to the milliseconds since 1970 in the file."""


class ApplianceRefusal(enum.Enum):
    """The reasons for a refusal; the value is the English sentence and the key for its translation."""

    CLOCK_RUNS = (
        "A round is being timed by this clock. Stop all clocks on the Floor page first, or wait "
        "until the round ends."
    )
    NO_SUCH_TIME = "This browser's time can't be right. Check your device's clock."
    NO_COPY = "This copy isn't on the USB drive. Insert the drive and reload the page."
    BAD_COPY = "This copy can't be read. Choose the one before it."
    NOT_EMPTY = (
        "This station already has judges, so its data won't be overwritten. Restore the copy on a fresh card."
    )
    STICK = "Nothing was written to the USB drive. See its status on the Station page."


class BrowserAddresses(msgspec.Struct, frozen=True):
    """The station's addresses for browsers, as in `StationStatus`."""

    pages: tuple[str, ...] = ()
    local: str = ""
    fingerprint: str = ""


@dataclass(frozen=True)
class ApplianceResources:
    """The resources of an appliance.

    folder: shared with the system and the station's screen (``/run/saloon-station``).
    mark: identifies the station's copies.
    find_addresses: blocks.
    alive: called every few seconds by the loop that serves pages.
    """

    folder: Path
    data: DataFolder
    stick: Stick
    clock: Clock
    mark: str
    hall: HallSettings
    find_addresses: Callable[[], BrowserAddresses]
    alive: Callable[[], None] = lambda: None
    end: Callable[[], None] = lambda: signal.raise_signal(signal.SIGTERM)


class ApplianceLook(msgspec.Struct, frozen=True):
    """The computer's state for the pages, as in `StationStatus`. ``copies`` are those on the stick."""

    hall: HallSettings
    stick: StickStatus
    copies: tuple[Copy, ...]
    room: int
    room_of: int
    is_clock_sure: bool
    wall_ms: int


class Appliance:
    """The tasks of an appliance: copy to the stick and update the screen. Used on one event loop."""

    def __init__(self, service: StationService, first: FirstJudge, means: ApplianceResources) -> None:
        self._service = service
        self._first = first
        self._means = means
        self._writer = StationStatusWriter(means.folder)
        self._earliest_ms = build_time_ms()
        self._is_ending = False
        self._news = asyncio.Event()
        self._keeper = StickBackups(
            means.stick,
            service.backup,
            means.mark,
            means.clock,
            every_ms=means.hall.copy_every_min * _MINUTE_MS,
            on_change=self._news.set,
        )

    @property
    def is_clock_sure(self) -> bool:
        return is_clock_sure(self._means.clock.wall_ms(), self._earliest_ms)

    async def look(self) -> ApplianceLook:
        """Return the computer's current state."""
        disk = await asyncio.to_thread(shutil.disk_usage, self._means.data.path)
        return ApplianceLook(
            hall=self._means.hall,
            stick=self._keeper.status,
            copies=await asyncio.to_thread(self._copies),
            room=disk.free,
            room_of=disk.total,
            is_clock_sure=self.is_clock_sure,
            wall_ms=self._means.clock.wall_ms(),
        )

    async def copy_now(self) -> None:
        """Write a copy to the stick. Raises Refused if that fails."""
        if (await self._keeper.write()).state is not StickState.GOOD:
            raise Refused(ApplianceRefusal.STICK)

    async def eject_stick(self) -> None:
        """Write a last copy and stop until a stick is inserted again. Raises Refused if the copy fails."""
        if (await self._keeper.eject()).state is not StickState.LET_GO:
            raise Refused(ApplianceRefusal.STICK)

    async def set_clock(self, wall_ms: int) -> None:
        """Request to set the clock. Raises Refused for an impossible time or during a round; Unavailable."""
        if not self._earliest_ms <= wall_ms <= _LATEST_MS:
            raise Refused(ApplianceRefusal.NO_SUCH_TIME)
        if clock_runs(self._service):
            raise Refused(ApplianceRefusal.CLOCK_RUNS)
        await asyncio.to_thread(self._request, SystemRequest.CLOCK, wall_ms)

    def shut_down(self, *, restart: bool) -> None:
        """Request to power off or restart the computer. Raises Unavailable."""
        self._request(SystemRequest.RESTART if restart else SystemRequest.POWER_OFF)
        self._is_ending = True
        self._news.set()

    def _request(self, request: SystemRequest, number: int = 0) -> None:
        path = self._means.folder / request.value
        with disk_errors_as_unavailable(path):
            write_in_memory(path, f"{number}\n".encode("ascii"))

    async def restore(self, name: str) -> None:
        """Restore a copy from the stick to this unused station, and restart. Raises Refused, Unavailable."""
        copy = next((one for one in await asyncio.to_thread(self._copies) if one.name == name), None)
        if copy is None:
            raise Refused(ApplianceRefusal.NO_COPY)
        if not self._first.code():
            raise Refused(ApplianceRefusal.NOT_EMPTY)
        try:
            await asyncio.to_thread(ask_restore, self._means.data, self._means.stick.file(copy))
        except BadData as error:
            raise Refused(ApplianceRefusal.BAD_COPY) from error
        asyncio.get_running_loop().call_later(_GRACE_S, self._means.end)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Update the stick and screen within the block; write a last copy at the end."""
        self._is_ending = False
        tasks = [asyncio.create_task(work) for work in (self._keeper.run(), self._keep_writing_status())]
        try:
            yield
        finally:
            self._is_ending = True
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._write_status()
            await self._keeper.end()
            await self._write_status()

    async def _keep_writing_status(self) -> None:
        while True:
            self._means.alive()
            await self._write_status()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TOUCHED_EVERY_S):
                    await self._news.wait()
            self._news.clear()

    async def _write_status(self) -> None:
        try:
            await asyncio.to_thread(self._writer.write, await self._status())
        except SaloonError as error:
            _log.warning("the screen's status cannot be written", problem=str(error))
        except Exception:  # noqa: BLE001
            # A failure to write the status must stop neither this loop, which the station's watchdog
            # monitors, nor the last copy.
            _log.exception("an error of ours")

    async def _status(self) -> StationStatus:
        means, service = self._means, self._service
        addresses = await asyncio.to_thread(means.find_addresses)
        here, away = terminals_here(service)
        disk = await asyncio.to_thread(shutil.disk_usage, means.data.path)
        return StationStatus(
            pages=addresses.pages,
            local=addresses.local,
            fingerprint=addresses.fingerprint,
            first_code=await asyncio.to_thread(self._first.code),
            here=here,
            away=away,
            alarms=sum(bool(card.alarm) for card in service.terminals()) + len(service.problems.bus_alarms()),
            round=round_status(service),
            stick=self._keeper.status,
            # Rounded, so that the screen is not redrawn all the time.
            room=disk.free >> _ROOM_STEP << _ROOM_STEP,
            room_of=disk.total,
            is_clock_sure=self.is_clock_sure,
            has_radio=any(_RADIOS.glob("*")),
            is_away=service.context.is_away,
            is_ending=self._is_ending,
        )

    def _copies(self) -> tuple[Copy, ...]:
        try:
            return self._means.stick.copies() if self._means.stick.is_in() else ()
        except Unavailable as error:
            _log.warning("the stick cannot be read", problem=str(error))
            return ()


def terminals_here(service: StationService) -> tuple[int, int]:
    """Return the numbers of connected and disconnected terminals."""
    links = [card.link for card in service.terminals()]
    here = sum(link not in _OUT for link in links)
    return here, len(links) - here


def round_status(service: StationService) -> RoundStatus | None:
    """Return the status of the round in the newest tournament, or None if there is no tournament."""
    state = next(iter(service.tournaments()), None)
    if state is None:
        return None
    cards = service.floor(state.tournament)
    ends_ms, left_s = _time(service, state, cards)
    published = state.published_rounds
    return RoundStatus(
        tournament=state.name,
        number=published[-1].round if published else 0,
        tables=len(cards),
        done=sum(card.sheet not in {SheetState.PLAYING, SheetState.PROPOSED} for card in cards),
        calls=sum(card.rings and not card.coming for card in cards),
        ends_ms=ends_ms,
        left_s=left_s,
        is_game=service.rules(state.tournament).unit == "game",
    )


def clock_runs(service: StationService) -> bool:
    """Return whether the station's clock is timing any table."""
    return any(
        card.time is not None and card.time.runs and card.sheet is SheetState.PLAYING
        for state in service.tournaments()
        for card in service.floor(state.tournament)
    )


def _time(
    service: StationService, state: TournamentState, cards: tuple[FloorCard, ...]
) -> tuple[int | None, int | None]:
    running, minutes = state.running_round, state.waivers.time_limit_min
    wall_ms = next((card.time.wall_ms for card in cards if card.time is not None), None)
    if running is None or minutes is None or wall_ms is None:
        return None, None
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    limit = Seconds(60 * minutes)
    left = time_left(service.history(state.tournament), running.round, _ALL_TABLES, limit, now)
    if left.clock.is_started and not left.clock.is_held:
        # To the second, as recalculating it must not look like a change.
        return round(wall_ms / 1000 + left.left_s) * 1000, None
    return None, left.left_s
