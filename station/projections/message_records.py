"""Judges' messages to tables, stored as entries of the station, and their delivery.

The orders that show and withdraw messages are derived from these entries and the terminals' reports.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from core.game.orders import (
    AssignTable,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    SeatGame,
    ShowMessage,
    TakeGame,
    WithdrawMessage,
)
from core.terms import GameId, MessageId, Seconds, TableNo
from sync.protocol.entry import StreamId, TerminalId

MESSAGES = StreamId("messages/station")
_MS_IN_S = 1_000


class Recipient(msgspec.Struct, frozen=True):
    """A terminal that a message is addressed to. ``game`` is the one at its table at that time, if any."""

    terminal: TerminalId
    table: TableNo
    game: GameId | None = None


class _Body(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class MessageWritten(_Body, frozen=True, tag="message-written", omit_defaults=True):
    """A judge has written a message. ``by`` is the judge's name.

    lasts_s: how long it may be shown, or 0 if there is no limit.
    without: addressed tables that have no terminal.
    """

    message: MessageId
    text: str
    by: str
    recipients: tuple[Recipient, ...]
    lasts_s: Seconds = Seconds(0)
    without: tuple[TableNo, ...] = ()


class MessageWithdrawn(_Body, frozen=True, tag="message-withdrawn"):
    """A judge has withdrawn a message from the tables that have not confirmed it."""

    message: MessageId
    by: str


MessageBody = MessageWritten | MessageWithdrawn


@dataclass
class MessageDelivery:
    """The delivery of a message to one terminal.

    is_sent, is_recalled: whether the orders that show and withdraw it are stored.
    shown_ms, confirmed_ms: by the terminal's clock; None before that.
    is_over: it has expired, or the table has moved on to another game.
    is_moved: another terminal has replaced this one at the table, and gets the message.
    """

    recipient: Recipient
    is_sent: bool = False
    is_recalled: bool = False
    shown_ms: int | None = None
    confirmed_ms: int | None = None
    is_over: bool = False
    is_moved: bool = False

    @property
    def is_unread(self) -> bool:
        return self.confirmed_ms is None and not (self.is_over or self.is_moved)


@dataclass
class MessageTrack:
    """A message with its deliveries. ``withdrawn_by`` is empty unless it was withdrawn."""

    written: MessageWritten
    at_ms: int
    withdrawn_by: str = ""
    deliveries: dict[TerminalId, MessageDelivery] = field(default_factory=dict)

    def left_s(self, wall_ms: int) -> Seconds | None:
        """Return how long the message may still be shown: 0 once expired, None without a limit."""
        if not self.written.lasts_s:
            return None
        return Seconds(max(0, self.written.lasts_s - (wall_ms - self.at_ms) // _MS_IN_S))

    def has_ended(self, wall_ms: int) -> bool:
        return bool(self.withdrawn_by) or self.left_s(wall_ms) == 0


class MessageLog:
    """All messages and their deliveries. Those that may need another order are indexed by terminal."""

    def __init__(self) -> None:
        self.messages: dict[MessageId, MessageTrack] = {}
        self._open: dict[TerminalId, dict[MessageId, MessageDelivery]] = {}

    def apply(self, body: MessageBody, wall_ms: int) -> None:
        """Apply an entry of the station, written at ``wall_ms``."""
        if isinstance(body, MessageWithdrawn):
            if body.message in self.messages:
                self.messages[body.message].withdrawn_by = body.by
            return
        track = self.messages[body.message] = MessageTrack(body, wall_ms)
        for recipient in body.recipients:
            self._address(track, recipient)

    def on_order(
        self, terminal: TerminalId, order: AssignTable | ShowMessage | WithdrawMessage | SeatGame | TakeGame
    ) -> None:
        """Apply an order to a terminal that shows or withdraws a message, or gives it a table or a game."""
        match order:
            case AssignTable():
                self._move(terminal, order.table)
            case ShowMessage():
                delivery = self._delivery(terminal, order.message)
                if delivery is not None:
                    delivery.is_sent = True
            case WithdrawMessage():
                delivery = self._delivery(terminal, order.message)
                if delivery is not None:
                    delivery.is_recalled = True
                    self._close(terminal, order.message)
            case SeatGame():
                self._on_given(terminal, order.seating.game)
            case TakeGame(first=0):
                self._on_given(terminal, order.game)
            case TakeGame():
                pass

    def on_report(
        self, terminal: TerminalId, fact: MessageShown | MessageConfirmed | MessageExpired, wall_ms: int
    ) -> None:
        """Apply a terminal's report. ``wall_ms`` is the time by its clock."""
        delivery = self._delivery(terminal, fact.message)
        if delivery is None:
            return
        match fact:
            case MessageShown():
                delivery.shown_ms = delivery.shown_ms or wall_ms
                return
            case MessageConfirmed():
                delivery.confirmed_ms = delivery.confirmed_ms or wall_ms
            case MessageExpired():
                delivery.is_over = True
        self._close(terminal, fact.message)

    def open_for(self, terminal: TerminalId) -> Iterator[tuple[MessageTrack, MessageDelivery]]:
        """Yield the deliveries to a terminal that may need another order, oldest first."""
        for message, delivery in self._open.get(terminal, {}).items():
            yield self.messages[message], delivery

    def _address(self, track: MessageTrack, recipient: Recipient) -> None:
        delivery = track.deliveries[recipient.terminal] = MessageDelivery(recipient)
        self._open.setdefault(recipient.terminal, {})[track.written.message] = delivery

    def _move(self, terminal: TerminalId, table: TableNo) -> None:
        """Address to this terminal what the earlier terminals of its table have left unread."""
        for track in self.messages.values():
            own = track.deliveries.get(terminal)
            for former in tuple(track.deliveries.values()):
                is_earlier = former is not own and former.recipient.table == table and former.is_unread
                if is_earlier and (own is None or own.is_moved):
                    former.is_moved = True
                    self._address(track, msgspec.structs.replace(former.recipient, terminal=terminal))

    def _on_given(self, terminal: TerminalId, game: GameId) -> None:
        for message, delivery in tuple(self._open.get(terminal, {}).items()):
            if delivery.recipient.game not in {None, game}:
                delivery.is_over = True
                self._close(terminal, message)

    def _delivery(self, terminal: TerminalId, message: MessageId) -> MessageDelivery | None:
        track = self.messages.get(message)
        return None if track is None else track.deliveries.get(terminal)

    def _close(self, terminal: TerminalId, message: MessageId) -> None:
        self._open.get(terminal, {}).pop(message, None)
