"""Keep one of several stations up to date with the others, and announce its own connections."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine

import structlog

from base.errors import Unavailable
from station.cluster import CONNECTIONS_CHANGED, EVERYTHING, StationLease
from station.hall import alarms, tournaments
from station.hall.station_context import StationContext

_log = structlog.get_logger()
_BEAT_S = 2.0
_BREATH_S = 0.2


class StationFollower:
    """Keeps a station up to date with the others. ``news`` comes from ``NotificationListener.messages``."""

    def __init__(self, context: StationContext, news: AsyncIterator[str], presence: StationLease) -> None:
        self._context = context
        self._news = news
        self._presence = presence
        self._soon = asyncio.Event()
        # At the start, the others do not know this station yet.
        self._tell = True
        self._quarantined = 0
        self._facts: tuple[object, ...] = ()

    async def run(self) -> None:
        """Follow until cancelled."""
        context = self._context
        context.links.watch(self._lines_changed)
        async with asyncio.TaskGroup() as both:
            both.create_task(self._listen())
            both.create_task(self._beat())

    async def leave(self) -> None:
        """Announce that this station has stopped, if the database responds."""
        try:
            await asyncio.to_thread(self._presence.leave)
        except Unavailable as error:
            _log.warning("the other stations cannot be notified of the end", problem=str(error))

    async def _listen(self) -> None:
        async for word in self._news:
            await self._try_once(self._on_notification(word))

    async def _on_notification(self, word: str) -> None:
        looks: dict[str, Callable[[], Coroutine[None, None, object]]] = {
            "entries": self._context.folds.catch_up,
            "quarantine": self._look_at_quarantine,
            "terminals": self._look_at_terminals,
            "settings": self._look_at_terminals,
            CONNECTIONS_CHANGED: self._look_at_lines,
        }
        if word == EVERYTHING:
            for look in dict.fromkeys(looks.values()):
                await look()
        elif word in looks:
            await looks[word]()

    async def _look_at_quarantine(self) -> None:
        count = len(await asyncio.to_thread(self._context.parts.store.quarantined_entries))
        if count != self._quarantined:
            await alarms.show_alarms(self._context)
        self._quarantined = count

    async def _look_at_terminals(self) -> None:
        context, before = self._context, self._facts
        self._facts = await context.read_facts()
        if self._facts == before:
            return
        for known in context.terminals:
            if known.revoked:
                context.hang_up(known.terminal, "the judge has revoked this terminal")
        context.feed.publish("terminals")
        context.feed.publish("tournament")
        # The station that made the change may stop before it gives the resulting orders.
        context.retry_until_done(lambda: tournaments.resume_tournaments(context))

    async def _look_at_lines(self) -> None:
        self._soon.set()

    def _lines_changed(self) -> None:
        self._tell = True
        self._soon.set()

    async def _beat(self) -> None:
        while True:
            await self._try_once(self._say_and_see())
            await asyncio.sleep(_BREATH_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BEAT_S):
                    await self._soon.wait()
            self._soon.clear()

    async def _say_and_see(self) -> None:
        context, tell = self._context, self._tell
        self._tell = False
        try:
            others = await asyncio.to_thread(
                self._presence.renew, context.own_addresses, context.links.connected_terminals(), tell=tell
            )
        except Unavailable:
            self._tell = tell
            self._show_away(is_away=True)
            raise
        context.addresses = tuple(dict.fromkeys((*context.own_addresses, *others.addresses)))
        for terminal in context.links.set_others(self._presence.name, others):
            context.publish_link(terminal)
        self._show_away(is_away=False)

    def _show_away(self, *, is_away: bool) -> None:
        if self._context.is_away is not is_away:
            self._context.is_away = is_away
            for what in ("station", "tournament", "terminals"):
                self._context.feed.publish(what)

    async def _try_once(self, work: Coroutine[None, None, object]) -> None:
        try:
            await work
        except Unavailable as error:
            _log.info("the database does not answer", problem=str(error))
        except Exception:  # noqa: BLE001
            # Whatever happens, this station must keep following the others.
            _log.exception("following the other stations failed")
