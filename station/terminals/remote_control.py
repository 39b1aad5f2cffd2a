"""Judges' remote control of terminals: lock and unlock screens, restart, identify."""

import enum
from collections.abc import Callable, Sequence

import structlog

from base.errors import Refused
from core.game.orders import IdentifyTerminal, LockGlass, Order, RestartTerminal
from station.enrolment.enrolments import EnrolledTerminal
from station.hall.station_context import StationContext
from station.projections.terminal_cards import TerminalLink
from sync.protocol.entry import TerminalId

_log = structlog.get_logger()
_NAME_DIGITS = 8
"""The number of digits of a terminal's id to show on pages."""


class RemoteRefusal(enum.Enum):
    """The reasons for refusing to control a terminal, as sentences for the judge."""

    AWAY = "The terminal isn't connected now. Wait until it's back, then try again."
    NONE_CONNECTED = "None of these terminals is connected now."
    NOTHING_TO_DO = "Nothing has changed: every terminal is already in that state."


class RemoteControl:
    """Orders about terminals themselves. ``by`` is the judge's name.

    Methods raise KeyError or Unavailable.
    """

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def lock(self, terminal: TerminalId, *, is_locked: bool, by: str) -> None:
        """Lock or unlock one terminal's screen. A disconnected one follows when it reconnects."""
        await self._give_one(terminal, lambda _known: LockGlass(is_locked, by))
        _log.info("glass locked" if is_locked else "glass unlocked", terminal=terminal, by=by)

    async def lock_all(self, *, is_locked: bool, by: str) -> None:
        """Lock or unlock the screens of all terminals at tables, where needed. Raises Refused."""

        def _wants(known: EnrolledTerminal) -> bool:
            glass = self._context.projections.glass_locks.of(known.terminal)
            is_so = glass.is_wanted if glass.is_pending else glass.is_locked
            return known.table is not None and is_so is not is_locked

        await self._give(
            lambda: self._known(_wants), lambda _known: LockGlass(is_locked, by), RemoteRefusal.NOTHING_TO_DO
        )
        _log.info("all glasses locked" if is_locked else "all glasses unlocked", by=by)

    async def restart(self, terminal: TerminalId, by: str) -> None:
        """Restart a connected terminal's program. Raises Refused for a disconnected one."""
        await self._give_one(terminal, lambda _known: RestartTerminal(), is_connected=True)
        _log.info("terminal restarted", terminal=terminal, by=by)

    async def identify(self, terminal: TerminalId, by: str) -> None:
        """Make a connected terminal identify itself. Raises Refused for a disconnected one."""
        await self._give_one(terminal, _identify, is_connected=True)
        _log.info("terminal identified", terminal=terminal, by=by)

    async def identify_spares(self, by: str) -> None:
        """Make all connected terminals without a table identify themselves.

        Raises Refused if there are none.
        """
        await self._give(
            lambda: self._known(lambda known: known.table is None and self._is_connected(known)),
            _identify,
            RemoteRefusal.NONE_CONNECTED,
        )
        _log.info("spare terminals identified", by=by)

    async def _give_one(
        self, terminal: TerminalId, order: Callable[[EnrolledTerminal], Order], *, is_connected: bool = False
    ) -> None:
        def _chosen() -> Sequence[EnrolledTerminal]:
            terminals = self._known(lambda known: known.terminal == terminal)
            if not terminals:
                raise KeyError(terminal)
            return [known for known in terminals if not is_connected or self._is_connected(known)]

        await self._give(_chosen, order, RemoteRefusal.AWAY)

    async def _give(
        self,
        choose: Callable[[], Sequence[EnrolledTerminal]],
        order: Callable[[EnrolledTerminal], Order],
        otherwise: RemoteRefusal,
    ) -> None:
        """Give an order to the terminals returned by ``choose`` under the lock; refuse if there are none."""
        context = self._context

        async def _order() -> Sequence[EnrolledTerminal]:
            chosen = choose()
            if not chosen:
                raise Refused(otherwise)
            await context.order([(known.terminal, order(known)) for known in chosen])
            return chosen

        async def _decide() -> Sequence[EnrolledTerminal]:
            async with context.lock:
                return await context.decide_with_retry(_order)

        for known in await context.run_to_completion(_decide()):
            context.publish_link(known.terminal)

    def _known(self, is_wanted: Callable[[EnrolledTerminal], bool]) -> list[EnrolledTerminal]:
        return [known for known in self._context.terminals if not known.revoked and is_wanted(known)]

    def _is_connected(self, known: EnrolledTerminal) -> bool:
        return self._context.links.card(known).link is not TerminalLink.AWAY


def _identify(known: EnrolledTerminal) -> IdentifyTerminal:
    return IdentifyTerminal(known.terminal[:_NAME_DIGITS])
