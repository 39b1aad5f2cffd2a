"""The station's orders about a terminal itself: the open ones, and how long each is shown."""

from collections.abc import Callable
from typing import Final, assert_never

import structlog

from core.game.orders import (
    GlassLocked,
    GlassUnlocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    OrderAboutTerminal,
    PinsLocked,
    Power,
    PowerChanged,
    RestartTerminal,
    ShowMessage,
    TerminalFact,
    TerminalIdentified,
    TerminalRestarting,
    WithdrawMessage,
)
from core.terms import GameId, MessageId
from hardware.contract import Tune
from kiosk.terminal.link.enrolment_progress import DeliveryProgress
from kiosk.terminal.lock import TableLock
from kiosk.terminal.panel_side import PanelSide
from kiosk.view.intents import ConfirmMessage, EndIdentification, StationIntent, UnlockGlass
from kiosk.view.table_view import ShownMessage, StationOrdersView

_log = structlog.get_logger()
_UNREAD_MS: Final = 1_000
"""The time after a message appears in which touches are ignored, as nobody can have read it yet."""
IDENTIFY_MS: Final = 10_000
POWER_MS: Final = 5_000
"""The time for which a change of the power supply must last before it is reported."""
_TUNE_EVERY_MS: Final = 2_500
_MS_IN_S: Final = 1_000


class OrdersAboutTerminal:
    """The open orders about the terminal. Restarts and identifications aren't kept across a restart."""

    def __init__(self) -> None:
        self.messages: tuple[ShowMessage, ...] = ()
        self.locked_by: str | None = None
        self.is_restart_due = False
        self.identifications = 0
        self.name = ""
        self.power = Power.MAINS

    def note(self, order: OrderAboutTerminal, game: GameId | None) -> None:
        """Apply an order's lasting effect, also when replayed. ``game`` is the current game."""
        match order:
            case ShowMessage():
                if _is_for(order, game) and order not in self.messages:
                    self.messages = (*self.messages, order)
            case WithdrawMessage():
                self._remove(order.message)
            case LockGlass():
                self.locked_by = order.by if order.is_locked else None
            case RestartTerminal() | IdentifyTerminal():
                pass
            case _:
                assert_never(order)

    def obey(self, order: OrderAboutTerminal) -> TerminalFact | None:
        """Carry out an order once, after ``note``, and return the fact to report, or None."""
        match order:
            case ShowMessage():
                return MessageShown(order.message) if order in self.messages else None
            case WithdrawMessage():
                return None
            case LockGlass():
                return GlassLocked() if order.is_locked else GlassUnlocked()
            case RestartTerminal():
                self.is_restart_due = True
                return TerminalRestarting()
            case IdentifyTerminal():
                self.identifications += 1
                self.name = order.name
                return TerminalIdentified()
            case _:
                assert_never(order)

    def follow(self, fact: TerminalFact) -> None:
        """Apply a report from this terminal."""
        match fact:
            case MessageConfirmed() | MessageExpired():
                self._remove(fact.message)
            case GlassUnlocked():
                self.locked_by = None
            case PowerChanged():
                self.power = fact.power
            case MessageShown() | GlassLocked() | TerminalRestarting() | TerminalIdentified() | PinsLocked():
                pass
            case _:
                assert_never(fact)

    def on_seated(self, game: GameId) -> None:
        self.messages = tuple(message for message in self.messages if _is_for(message, game))

    def _remove(self, gone: MessageId) -> None:
        self.messages = tuple(message for message in self.messages if message.message != gone)


def _is_for(message: ShowMessage, game: GameId | None) -> bool:
    return message.game is None or message.game == game


class RemoteOrders:
    """The display and timing of the station's orders about the terminal. ``report`` enters a fact."""

    def __init__(
        self,
        orders: OrdersAboutTerminal,
        delivering: DeliveryProgress,
        report: Callable[[TerminalFact], None],
        *,
        lock: TableLock,
        panel: PanelSide,
        light: Callable[[], None],
        power: Callable[[], Power | None],
    ) -> None:
        self._delivering = delivering
        self._report = report
        self._lock = lock
        self._panel = panel
        self._light = light
        self._power = power
        self._supply: tuple[Power, int] | None = None
        self._may_act = False
        self._orders = orders
        self._arrived_ms: dict[MessageId, int] = {}
        self._top: MessageId | None = None
        self._unread_until_ms: int | None = None
        self._identified = 0
        self._identify_until_ms: int | None = None
        self._tune_ms = 0

    @property
    def is_restart_due(self) -> bool:
        """Return whether an ordered restart may begin, as all entries are saved."""
        delivery = self._delivering.view()
        return self._orders.is_restart_due and delivery.saved >= delivery.entered

    def on_restart(self) -> None:
        _log.warning("restarting, as the station ordered")
        self._orders.is_restart_due = False

    def carry_out(self, intent: StationIntent, *, is_judge: bool) -> None:
        """Carry out a request. ``is_judge``: the judge's key is turned, or the right PIN was typed."""
        match intent:
            case _ if not self._may_act:
                return
            case ConfirmMessage():
                if intent.message == self._top and self._unread_until_ms is None:
                    self._report(MessageConfirmed(intent.message))
            case EndIdentification():
                self._identify_until_ms = None
            case UnlockGlass():
                if is_judge and self._orders.locked_by is not None:
                    self._report(GlassUnlocked(is_at_table=True))
            case _:
                assert_never(intent)
        self._follow()

    def advance(self, now_ms: int, *, may_act: bool, wrong_pins: Callable[[], int]) -> None:
        """Begin and end what is due.

        may_act: nothing more urgent is shown, and reports can be written.
        wrong_pins: returns the number of wrong PINs that led to an unreported lock, or 0.
        """
        self._may_act = may_act
        if not may_act:
            return
        self._expire(now_ms)
        self._report_power(now_ms)
        if wrong := wrong_pins():
            self._report(PinsLocked(wrong))
        tune = self._identify(now_ms)
        first = next((one.message for one in self._orders.messages), None)
        top = None if self._identify_until_ms is not None else first
        if top != self._top:
            self._top = top
            self._unread_until_ms = None if top is None else now_ms + _UNREAD_MS
            tune = tune or (None if top is None else Tune.ATTENTION)
        if self._unread_until_ms is not None and now_ms >= self._unread_until_ms:
            self._unread_until_ms = None
        self._panel.play(tune)
        self._follow()

    def view(self) -> StationOrdersView:
        """Return what the screen shows."""
        if not self._may_act:
            return StationOrdersView()
        messages = self._orders.messages
        top = next((one for one in messages if one.message == self._top), None)
        return StationOrdersView(
            None
            if top is None
            else ShownMessage(
                top.message,
                top.text,
                top.by,
                after=len(messages) - 1,
                may_confirm=self._unread_until_ms is None,
            ),
            self._orders.locked_by,
            self._identify_until_ms is not None,
            self._orders.name,
        )

    def next_deadline_ms(self) -> int | None:
        """Return the next time at which something begins or ends without an event."""
        if not self._may_act:
            return None
        due = [
            self._arrived_ms[one.message] + one.lasts_s * _MS_IN_S
            for one in self._orders.messages
            if one.lasts_s and one.message in self._arrived_ms
        ]
        if self._unread_until_ms is not None:
            due.append(self._unread_until_ms)
        if self._supply is not None:
            due.append(self._supply[1])
        if self._identify_until_ms is not None:
            due.append(min(self._identify_until_ms, self._tune_ms))
        return min(due, default=None)

    def _follow(self) -> None:
        self._lock.is_shut_by_station = self._orders.locked_by is not None
        if self._panel.is_identified is not (self._identify_until_ms is not None):
            self._panel.is_identified = self._identify_until_ms is not None
            self._light()

    def _expire(self, now_ms: int) -> None:
        """Remove messages whose time is over.

        Their time begins again after a restart, as nobody knows how long the terminal was off.
        """
        messages = self._orders.messages
        self._arrived_ms = {one.message: self._arrived_ms.get(one.message, now_ms) for one in messages}
        for one in messages:
            if one.lasts_s and now_ms >= self._arrived_ms[one.message] + one.lasts_s * _MS_IN_S:
                self._report(MessageExpired(one.message))

    def _report_power(self, now_ms: int) -> None:
        """Report a changed power supply once it has lasted, as a loose plug would flood the journal."""
        power = self._power()
        if power is None or power is self._orders.power:
            self._supply = None
        elif self._supply is None or self._supply[0] is not power:
            self._supply = power, now_ms + POWER_MS
        elif now_ms >= self._supply[1]:
            self._supply = None
            self._report(PowerChanged(power))

    def _identify(self, now_ms: int) -> Tune | None:
        if self._orders.identifications != self._identified:
            self._identified = self._orders.identifications
            self._identify_until_ms, self._tune_ms = now_ms + IDENTIFY_MS, now_ms
        if self._identify_until_ms is None:
            return None
        if now_ms >= self._identify_until_ms:
            self._identify_until_ms = None
            return None
        if now_ms < self._tune_ms:
            return None
        self._tune_ms = now_ms + _TUNE_EVERY_MS
        return Tune.ATTENTION
